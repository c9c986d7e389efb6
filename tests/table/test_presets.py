"""What the referee is shown before a ruling is what then stands on the list."""

from typing import Any

import pytest

from kiosk.demo.play import simulate
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.view.presets import presets
from kiosk.table.view.show import view

pytestmark = pytest.mark.slow

Event = dict[str, Any]


def table(rules: str, *more: Event, **options: object) -> Round:
    opened = {"event": "open", "format": 1, "rules": rules, "players": list("ABCD"), "options": options}
    return fold(map(decode, [opened, {"event": "release"}, {"event": "deal", "dealer": 1}, *more]))


def call(seat: int, word: str) -> Event:
    return {"event": "call", "seat": seat, "call": word}


OBJECTED: Event = {"event": "object", "seat": 2, "against": 3, "code": "revoke"}
HEALTHY = [call(seat, "gesund") for seat in (2, 3, 4, 1)]
SOLO = [call(2, "vorbehalt"), *(call(seat, "gesund") for seat in (3, 4, 1))]
DAMENSOLO: Event = {"event": "declare", "seat": 2, "game": "damensolo"}
RE: Event = {"event": "announce", "seat": 2, "call": "re"}

#: book, options, events, class, offender, harms → points by seat, euros by seat, whether the book leaves them open
CASES: dict[str, tuple[str, dict[str, object], list[Event], str, int, bool, object, object, bool]] = {
    "eppstein 8.4.2": ("eppstein", {}, HEALTHY, "minor", 3, False, (1, 1, -3, 1), (), False),
    "eppstein 8.4.3": (
        "eppstein", {}, [*SOLO, {**DAMENSOLO, "duty": True}], "minor", 3, True, (0, 3, -3, 0), (), False),
    "eppstein 8.6.2": ("eppstein", {}, HEALTHY, "serious", 3, False, (4, 4, -12, 4), (), False),
    "eppstein 8.6.2, a soloist's opponent": (
        "eppstein", {}, [*SOLO, {**DAMENSOLO, "duty": True}], "serious", 3, False, (0, 12, -12, 0), (), False),
    "bsv 7.3": ("bsv", {}, HEALTHY, "serious", 3, False, None, (), True),
    "bsv 7.3 as an option": (
        "bsv", {"serious_penalty": 21}, HEALTHY, "serious", 3, False, (7, 7, -21, 7), (), False),
    "durchgaenge 7a": ("durchgaenge", {}, HEALTHY, "serious", 3, False, (8, 8, -24, 8), (), False),
    "durchgaenge 7b": ("durchgaenge", {}, [*SOLO, DAMENSOLO], "serious", 3, False, (0, 24, -24, 0), (), False),
    "schnittchen: to each": ("schnittchen", {}, HEALTHY, "serious", 3, False, (0, 0, 0, 0), (-1, -1, 3, -1), False),
    "schnittchen: to the soloist after one Ansage": (
        "schnittchen", {}, [*SOLO, DAMENSOLO, RE], "serious", 3, False, (0, 0, 0, 0), (0, -4, 4, 0), False),
    "schaffkopf II 4.2": (
        "schaffkopf", {},
        [call(2, "spielen"), *(call(seat, "recht") for seat in (3, 4, 1)),
         {"event": "declare", "seat": 2, "game": "wenz"}],
        "serious", 2, False, (5, -15, 5, 5), (), False),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_preset(case: Any) -> None:
    rules, options, events, kind, offender, harms, scores, euros, open_ = case
    round = table(rules, *events, OBJECTED, **options)
    shown = {(one.kind, one.offender, one.harms): one for one in view(round).presets}
    preset = shown[kind, offender, harms]
    assert (preset.scores, preset.euros, preset.needs_scores) == (scores, euros, open_)


def test_only_where_a_referee_may_rule() -> None:
    assert view(table("eppstein", *HEALTHY)).presets == ()
    assert {one.kind for one in view(table("schaffkopf", OBJECTED)).presets} == {"serious"}


@pytest.mark.parametrize("rules", BOOKS)
def test_what_is_shown_is_what_is_booked(rules: str) -> None:
    round, tried = None, 0
    for event in simulate(rules, 5, 3):
        round = open_round(decode(event)) if round is None else round.apply(decode(event))
        if view(round).phase != "scored":
            continue
        row = view(round).rows[-1]
        for preset in presets(round):
            if preset.needs_scores:
                continue
            ruling = {"event": "rule", "class": preset.kind, "offender": preset.offender, "harms_soloist": preset.harms}
            after = view(round.apply(decode(ruling)))
            if preset.kind == "minor":
                booked = tuple(new - old for new, old in zip(after.rows[-1].score, row.score, strict=True))
            else:
                booked = after.rows[-1].score
            assert preset.scores in (None, booked)
            assert preset.euros == after.fines
            tried += preset.scores is not None
    assert tried
