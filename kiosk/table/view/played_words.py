"""Say how a card of a game came to its name: seen, entered, doubted, put right, and by whom."""

from collections.abc import Sequence
from functools import partial

from kiosk.language import Language, say
from kiosk.language.cards import card_word
from kiosk.language.table import word
from kiosk.table.view.explanation import explain
from kiosk.table.view.played_game import CardChange, PlayedBreach, PlayedCard


def how_told(card: PlayedCard, names: Sequence[str], language: Language = "de", *, bavarian: bool) -> list[str]:
    """Write how a card came to its name, a line for each thing; [] where the camera saw it and it stands.

    :param names: the players, seat 1 first.
    """
    cards = partial(card_word, language=language, bavarian=bavarian)
    lines = []
    if card.came != "camera":
        lines.append(say("played", f"came_{card.came}", language, by=_by(card.by, names, language)))
    lines += [_change(one, names, language, bavarian) for one in card.changes]
    if card.doubt:
        lines.append(say("played", "in_doubt", language, cards=_or([cards(one) for one in card.doubt[:3]], language)))
    if card.perhaps is not None:
        lines.append(say("played", "perhaps_of", language, name=names[card.perhaps - 1]))
    if card.gone:
        lines.append(say("played", card.gone, language, by=_by(card.gone_by, names, language)))
    return lines


def breach_told(breach: PlayedBreach, names: Sequence[str], language: Language = "de") -> str:
    """Write who broke which rule, with the proof."""
    offence = breach.offence
    told = f"{names[offence.seat - 1]}: {word(offence.code, language)}."
    return " ".join(one for one in (told, explain(offence, names, language)) if one)


def _change(change: CardChange, names: Sequence[str], language: Language, bavarian: bool) -> str:
    """What a card was noted as before, and who has put it right."""
    cards = partial(card_word, language=language, bavarian=bavarian)
    by = _by(change.by, names, language)
    if change.doubt:
        doubt = _or([cards(one) for one in change.doubt[:3]], language)
        return say("played", "doubt_settled", language, cards=doubt, by=by)
    return say("played", "noted_before", language, card=cards(change.card), name=names[change.seat - 1], by=by)


def _by(by: str, names: Sequence[str], language: Language) -> str:
    """Who has entered something: a player by name, else the table, the camera …"""
    kind, _, seat = by.partition(" ")
    if kind == "seat" and seat.isdecimal() and 0 < int(seat) <= len(names):
        return names[int(seat) - 1]
    known = ("table", "all", "referee", "direction", "camera", "composition")
    return say("played", f"by_{by}", language) if by in known else by


def _or(words: Sequence[str], language: Language) -> str:
    return f" {say('played', 'or', language)} ".join(words)
