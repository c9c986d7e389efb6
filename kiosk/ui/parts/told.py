"""Tell in words what was said, signed or ruled, from the keys of its event."""

from collections.abc import Callable, Mapping
from typing import Any

from kiosk.language.cards import card_word
from kiosk.language.games import game_word
from kiosk.table.view.table_view import WordView
from kiosk.ui.parts.look import plain

#: The keys of an event in the protocol.
Keys = Mapping[str, Any]


def told(app: Any, word: Keys) -> str:
    """Write what was said, as markup."""
    return _TOLD[str(word["event"])](app, word)


def whose(app: Any, word: Keys) -> str:
    """Name the player who said it; "" where nobody said it for himself."""
    seat = word.get("seat", word.get("dealer"))
    return str(app.view.seat(seat).name) if isinstance(seat, int) else ""


def sentence(app: Any, word: Keys) -> str:
    """Write who said what: ``Bernd: Re``."""
    name, what = plain(whose(app, word)), told(app, word)
    return f"{name}: {what}" if name else what


def noted(app: Any, one: WordView, short: bool = False) -> str:
    """Write what became of a word that was put right; "" if it stands. ``short``: without what it was before."""
    if one.word is None:
        return str(app.words["was_taken_back"])
    if one.word != one.said and short:
        return str(app.words["was_changed"])
    if one.word != one.said:
        return str(app.words["was_put_right"]).format(said=sentence(app, one.said))
    return ""


def way_told(app: Any, way: Keys) -> str:
    """Write what stands in the way of a correction: ``Cem: ♥ 10 (Spiel 3, 2. Stich)``."""
    text = app.words
    where = [text["way_game"].format(n=way["game"])] if "game" in way else []
    where += [text["way_trick"].format(n=way["trick"])] if "trick" in way else []
    word = way.get("word") if app.view is not None else None
    what = ": ".join(one for one in (whose(app, word), told(app, word)) if one) if word else ""
    return " ".join(one for one in (what, f"({', '.join(where)})" if where else "") if one)


def _game(app: Any, word: Keys) -> str:
    """A game as it was named: ``Farbsolo Herz (Pflicht)``, ``Rufspiel mit Eichel As``."""
    name = game_word(str(word["game"]), word.get("suit"), bool(word.get("duty")), app.language)
    if word.get("card"):
        called = card_word(str(word["card"]), app.language, bavarian=app.view.book.bavarian)
        name = app.words["told_called"].format(game=name, card=called)
    beside = [app.words["renonce"]] if word.get("renonce") else []
    if word.get("condition"):
        beside.append(app.words[f"condition_{word['condition']}_short"])
    beside += [app.say(call) for call in word.get("raise") or ()]
    if word.get("partner"):
        beside.append(plain(app.view.seat(word["partner"]).name))
    if word.get("trumps") is not None:
        beside.append(app.words["trumps_back"].format(n=word["trumps"]))
    return ", ".join([name, *beside])


def _call(app: Any, word: Keys) -> str:
    side = word.get("side")
    said = str(app.say(word["call"]))
    return f"{said} ({app.say(side)})" if side and side != word["call"] else said


def _ruling(app: Any, word: Keys) -> str:
    text = app.words
    offender = word.get("offender")
    name = plain(app.view.seat(offender).name) if isinstance(offender, int) else ""
    if word["class"] == "none" and word.get("minutes"):
        return str(text["told_minutes"]).format(minutes=f"{word['minutes']:g}")
    return ", ".join(one for one in (text["ruling"], name, text["class_" + str(word["class"])]) if one)


def _swap(app: Any, word: Keys) -> str:
    return f"{app.words['swap']}: " + ", ".join(plain(app.view.seat(seat).name) for seat in word["seats"])


def _fixed(code: str) -> Callable[[Any, Keys], str]:
    return lambda app, word: str(app.words[code])


_TOLD: Mapping[str, Callable[[Any, Keys], str]] = {
    "deal": _fixed("told_deal"),
    "card": lambda app, word: card_word(str(word["card"]), app.language, bavarian=app.view.book.bavarian),
    "call": lambda app, word: str(app.say(word["call"])),
    "bid": lambda app, word: str(app.say(word["class"] or "no_higher")),
    "declare": _game,
    "leave": lambda app, word: str(app.words["told_leave" if word.get("granted", True) else "told_no_leave"]),
    "announce": _call,
    "retract": lambda app, word: app.words["told_retract"].format(
        card=card_word(str(word["card"]), app.language, bavarian=app.view.book.bavarian)
    ),
    "claim": lambda app, word: str(app.words["told_rest" if word["kind"] == "rest" else "told_concede"]),
    "object": _fixed("complain"),
    "rule": _ruling,
    "void": _fixed("void"),
    "time_up": _fixed("told_time_up"),
    "strike": lambda app, word: app.words["told_strike"].format(game=word["game"]),
    "sign": _fixed("told_sign"),
    "substitute": lambda app, word: app.words["told_substitute"].format(name=plain(str(word["player"]))),
    "name": lambda app, word: app.words["told_name"].format(name=plain(str(word["player"]))),
    "swap": _swap,
    "close": _fixed("told_close"),
}
