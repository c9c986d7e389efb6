"""Make short rounds of a few events each."""

from typing import Any

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold

Body = dict[str, Any]
NAMES = ["Anna", "Bernd", "Cem", "Dora", "Emil"]
RELEASE: Body = {"event": "release"}
VOID: Body = {"event": "void", "why": ""}
UP: Body = {"event": "time_up"}
CLOSE: Body = {"event": "close"}


def opening(rules: str = "eppstein", players: int = 4, **more: Any) -> Body:
    return {"event": "open", "format": 1, "rules": rules, "table": 7, "round": 2, "players": NAMES[:players], **more}


def after(*bodies: Body, rules: str = "eppstein", players: int = 4, **more: Any) -> Round:
    return fold(map(decode, [opening(rules, players, **more), *bodies]))


def deal(dealer: int = 1) -> Body:
    return {"event": "deal", "dealer": dealer}


def card(text: str, **more: Any) -> Body:
    return {"event": "card", "seat": int(text[0]), "card": text[1:], **more}


def rule(kind: str, **more: Any) -> Body:
    return {"event": "rule", "class": kind, **more}


def solo(seat: int, duty: bool = True, game: str = "damensolo") -> list[Body]:
    """A solo that its seat gives up at once: lost, and played."""
    declared = {"event": "declare", "seat": seat, "game": game, **({"duty": True} if duty else {})}
    return [declared, {"event": "claim", "seat": seat, "kind": "concede"}]


#: A game that the referee has scored: 2 points for seats 1 and 2.
SCORED = rule("custom", scores={"1": 2, "2": 2, "3": 0, "4": 0})
