"""A breach once ruled is over: nothing blinks, nobody can claim it, and it is not booked twice."""

from typing import Any

import pytest

from kiosk.app.panel import needs_direction, panel_state
from kiosk.errors import Refused
from kiosk.rules.engine.evolve import evolve
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_request, encode
from kiosk.table.events.values import ObjectionRaised
from kiosk.table.round.fold import Round, fold
from kiosk.table.view.show import view

Event = dict[str, Any]

BEFORE: list[Event] = [
    {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 2, "players": list("ABCD")},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
]


def cards(text: str) -> list[Event]:
    return [{"event": "card", "seat": int(word[0]), "card": word[1:]} for word in text.split()]


#: Cem throws a heart on clubs (event 5) and shows a club in the next trick.
PROVED = [*BEFORE, *cards("2CA 3H9 4CK 1CT 2CA 3C9")]
TURNED = [*BEFORE, *cards("2CA 4C9")]  # out of turn, certain at once

CASES = {
    "named": (PROVED, 4, {"against": 3, "code": "revoke", "breach": 4}, "minor"),
    "not named, and certain": (PROVED, 4, {"against": 3, "code": "revoke"}, "minor"),
    "named, and no breach by the referee": (TURNED, 4, {"against": 4, "code": "out_of_turn", "breach": 4}, "none"),
    "named, and serious": (TURNED, 4, {"against": 4, "code": "out_of_turn", "breach": 4}, "serious"),
}


def asked(round: Round, request: Event) -> Round:
    """The round after a request that is allowed."""
    return round.apply(decide(round, decode_request(request)))


def test_quiet_once_the_list_is_handed_in() -> None:
    round = fold(map(decode, PROVED))
    assert panel_state(view(round)).lamps[2].value == "breach"
    shown = view(evolve(round, closed=True))
    assert [(one.seat, one.claimants) for one in shown.offences] == [(3, ())]
    assert panel_state(shown).lamps[2].value != "breach"


@pytest.mark.parametrize(("events", "breach", "claim", "kind"), CASES.values(), ids=CASES)
def test_quiet_after_the_ruling(events: list[Event], breach: int, claim: Event, kind: str) -> None:
    round = fold(map(decode, events))
    (offence,) = [one for one in view(round).offences if one.event == breach]
    assert offence.claimants and not offence.ruled
    assert panel_state(view(round)).lamps[offence.seat - 1].value == "breach"
    objecting = {"event": "object", "seat": offence.claimants[0], **claim}
    resting = asked(round, objecting)
    assert needs_direction(view(resting))
    ruling = {"event": "rule", "offender": None if kind == "none" else offence.seat, "class": kind}
    after = asked(resting, ruling)
    shown = view(after)
    (offence,) = [one for one in shown.offences if one.event == breach]
    assert offence.ruled and offence.claimants == ()
    assert panel_state(shown).lamps[offence.seat - 1].value != "breach" and not needs_direction(shown)
    for again in (objecting | {"breach": breach}, ruling | {"class": "minor", "offender": offence.seat}):
        with pytest.raises(Refused) as refused:
            decide(after, decode_request(again))
        assert refused.value.code == "already_ruled"


WENZ = [
    *({"event": "call", "seat": seat, "call": call} for seat, call in ((2, "spielen"), (3, "weiter"), (4, "weiter"))),
    {"event": "call", "seat": 1, "call": "weiter"},
    {"event": "declare", "seat": 2, "game": "wenz"},
]


@pytest.mark.parametrize(
    ("rules", "kind", "section"),
    [
        ("eppstein", "serious", "eppstein 8.8.6"),
        ("eppstein", "minor", ""),
        ("bsv", "serious", "bsv 9.6"),
        ("bsv", "minor", ""),
        ("schaffkopf", "serious", ""),  # II 4.2.6 weighs the two
    ],
)
def test_after_a_serious_ruling_nothing_more_is_claimed(rules: str, kind: str, section: str) -> None:
    """The breach claimed first is punished; after any other ruling the second may be claimed."""
    said = [*WENZ, *cards("2EA 4E9")] if rules == "schaffkopf" else cards("2CA 4CT")
    round = fold(map(decode, [{**BEFORE[0], "rules": rules}, *BEFORE[1:], *said]))
    (first,) = view(round).offences
    priced = {"scores": {"4": -12, "1": 4, "2": 4, "3": 4}} if rules == "bsv" else {}
    round = round.apply(
        decode({"event": "rule", "offender": 4, "class": kind, "breach": first.event, **priced, "resume": True})
    )
    second = {"event": "object", "seat": 1, "against": 3, "code": "talk"}
    ruling = {"event": "rule", "offender": 3, "class": "serious", "breach": 3, **priced}
    for again in (second, ruling):
        try:
            decide(round, decode_request(again))
            found = ""
        except Refused as refused:
            found = refused.section if refused.code == "after_serious" else ""
        assert found == section, again
    decide(round, decode_request({"event": "rule", "offender": 3, "class": "custom", "scores": {}, "resume": False}))


def test_the_same_ruling_twice_books_once() -> None:
    """Director and referee rule on the same Reklamation: the second is told so."""
    round = asked(fold(map(decode, PROVED)), {"event": "object", "seat": 4, "against": 3, "code": "revoke"})
    ruling = {"event": "rule", "offender": 3, "class": "minor"}
    round = asked(round, ruling)
    with pytest.raises(Refused):
        decide(round, decode_request(ruling))
    assert round.game is not None and len(round.game.rulings) == 1


def test_a_reklamation_names_its_breach_where_it_is_certain() -> None:
    round = fold(map(decode, PROVED))
    request = {"event": "object", "seat": 4, "against": 3, "code": "revoke"}
    event = decide(round, decode_request(request))
    assert isinstance(event, ObjectionRaised) and event.breach == 4 and encode(event) == request | {"breach": 4}
    other = {"event": "object", "seat": 4, "against": 3, "code": "wrong_side"}
    assert encode(decide(round, decode_request(other))) == other


def test_a_breach_that_was_ruled_on_is_not_reclaimed_by_its_reason_either() -> None:
    """*Reklamation*, the player and *nicht bedient* once let the same revoke be ruled on twice: −6."""
    request = {"event": "object", "seat": 4, "against": 3, "code": "revoke"}
    round = asked(fold(map(decode, PROVED)), request)
    round = asked(round, {"event": "rule", "offender": 3, "class": "minor"})
    for seat in (1, 2, 4):
        with pytest.raises(Refused) as refused:
            decide(round, decode_request({**request, "seat": seat}))
        assert refused.value.code == "already_ruled"
    other = {"event": "object", "seat": 4, "against": 3}
    assert asked(round, other).game.objection  # type: ignore[union-attr]


def test_what_becomes_certain_after_its_ruling_stays_quiet() -> None:
    """Somebody saw the revoke before it was proved; the card that proves it later rings nothing."""
    round = fold(map(decode, [*BEFORE, *cards("2CA 3H9 4CK 1CT")]))
    round = asked(round, {"event": "object", "seat": 4, "against": 3, "code": "revoke"})
    round = asked(round, {"event": "rule", "offender": 3, "class": "minor"})
    for card in cards("2CA 3C9"):
        round = round.apply(decode(card))
    (offence,) = [one for one in view(round).offences if one.code == "revoke"]
    assert offence.ruled and offence.claimants == ()


def test_a_later_breach_of_the_same_kind_is_another_one() -> None:
    round = fold(map(decode, TURNED))
    round = asked(round, {"event": "object", "seat": 3, "against": 4, "code": "out_of_turn"})
    round = asked(round, {"event": "rule", "offender": 4, "class": "minor"})
    for card in cards("3CK 1CT 4SA"):
        round = round.apply(decode(card))
    first, second = [one for one in view(round).offences if one.code == "out_of_turn"]
    assert first.ruled and not second.ruled and second.claimants
    assert asked(round, {"event": "object", "seat": 3, "against": 4, "code": "out_of_turn"}).game.objection  # type: ignore[union-attr]
