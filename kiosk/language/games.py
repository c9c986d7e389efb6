"""Names of games and of the reasons of a game's value. Codes are the protocol's."""

from typing import Final

from kiosk.language import has, say
from kiosk.language.cards import suit_word

#: Games named with a Bavarian suit.
_WITH_BAVARIAN_SUIT: Final = frozenset({"solo", "solo-tout", "farbwenz", "farbwenz-tout"})


def value_word(code: str, language: str = "de") -> str:
    """Look up the word for a reason of a game's value, where a code may also be a call (``schwarz``)."""
    return say("values", code, language) if has("values", code) else code


def game_word(game: str, suit: str | None = None, duty: bool = False, language: str = "de") -> str:
    """Name a game as on the list: ``Farbsolo Herz (Pflicht)``."""
    name = say("games", game, language) if has("games", game) else game
    if suit:
        name += f" {suit_word(suit, language, bavarian=game in _WITH_BAVARIAN_SUIT)}"
    return name + (f" ({say('scoresheet', 'duty', language)})" if duty else "")
