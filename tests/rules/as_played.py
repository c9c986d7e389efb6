"""Play by a short text: what every seat lays, takes back, says and claims, as the camera and people note it."""

from typing import Any

from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.announcements import HYPERSCHWEINCHEN, LEVEL, SCHWEINCHEN

EVERY = sorted(set(EPPSTEIN.deck))
#: What is declared; the camera's evidence for a weak card and its rival: of the second kind even two prove nothing.
DECLARED: dict[str, dict[str, Any]] = {
    "hochzeit": {"game": "hochzeit"},
    "damensolo": {"game": "damensolo"},
    "rufspiel": {"game": "rufspiel", "card": "EA"},
    "armut": {"game": "armut", "partner": 3, "trumps": 1},
}
WEAK = {1: [1.0, 0.95], 2: [0.9, 1.0], 3: [1.0, 0.86], 4: [1.0, 0.797]}
#: A hand of eppstein, and that seat 2 has it by its scan.
HAND = "CT C9 SQ SQ CJ CJ SA ST HA HA DK DK"
SCAN = "2=" + HAND.replace(" ", ",")


def as_seen(first: str, more: list[str]) -> dict[str, Any]:
    """A card as the camera sees it."""
    if first == "*":
        return {"card": "H9", "doubt": EVERY, "unseen": True}
    if first.startswith("!"):
        return {"card": first[1:], "down": True}
    if first.endswith("~"):
        card = first.rstrip("~")
        rival = "HK" if card == "H9" else "H9"  # both are in German packs as well
        return {"card": card, "margin": 0.0, "rivals": [rival], "scores": WEAK[first.count("~")]}
    return {"card": first, **({"doubt": [first, *more]} if more else {})}


def played(play: Any, cards: str, **options: Any) -> Any:
    """A table with these cards: ``2CA`` laid by seat 2, ``2CA/SA`` in doubt, ``2*`` not seen.

    ``2-CA`` is taken back, ``2CA~`` weak, ``2!CA`` face down, ``2=…`` a scanned hand.
    """
    table = play(**options)
    table.do("deal", dealer=4)
    for one in cards.split():
        seat, (first, *more) = int(one[0]), one[1:].split("/")
        if first.startswith("-"):
            table.do("retract", seat=seat, card=first[1:])
        elif first.startswith("="):
            table.do("hand", seat=seat, cards=first[1:].split(","))
        elif first in LEVEL or first in (SCHWEINCHEN, HYPERSCHWEINCHEN):
            table.do("announce", seat=seat, call=first)
        elif first == "gesund":
            table.do("call", seat=seat, call=first)
        elif first.startswith("claim="):
            table.do("claim", seat=seat, kind="rest", order=first[6:].split(","))
        elif first in DECLARED:
            table.do("declare", seat=seat, **DECLARED[first])
        else:
            table.do("card", seat=seat, **as_seen(first, more))
    return table
