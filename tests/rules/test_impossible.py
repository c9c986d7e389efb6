"""What cannot happen at all: every refusal names what was wrong and what would do."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.rules.engine.values import Declaration, Impossible, Objection
from kiosk.rules.steps import asking, calling

SITTING = "seat 1 does not play in this game; seats 2, 3, 4, 5 do"
OVER = "no game is running; deal first"


@pytest.fixture
def five(play: Any) -> Any:
    """Five at the table, seat 1 deals and sits out."""
    table = play(5)
    table.deal(1)
    return table


@pytest.mark.parametrize(
    ("event", "keys"),
    [
        ("call", {"call": "gesund"}),
        ("declare", {"game": "damensolo"}),
        ("hand", {"cards": ["CA"] * 12}),
        ("card", {"card": "CA"}),
        ("retract", {"card": "CA"}),
        ("announce", {"call": "re"}),
        ("claim", {"kind": "rest"}),
    ],
)
def test_who_sits_out_does_nothing(five: Any, event: str, keys: dict[str, Any]) -> None:
    with pytest.raises(BadEvent, match=SITTING):
        five.do(event, seat=1, **keys)


@pytest.mark.parametrize(
    ("event", "keys", "text"),
    [
        ("call", {"call": "gesund"}, OVER),
        ("declare", {"game": "damensolo"}, OVER),
        ("hand", {"cards": ["CA"] * 12}, "no game is running; a hand belongs after its deal"),
        ("card", {"card": "CA"}, OVER),
        ("retract", {"card": "CA"}, OVER),
        ("announce", {"call": "re"}, OVER),
        ("claim", {"kind": "rest"}, OVER),
        ("void", {}, OVER),
    ],
)
def test_nothing_after_the_last_card(play: Any, event: str, keys: dict[str, Any], text: str) -> None:
    table = play()
    table.deal(4)
    table.finish()
    assert (table.game.ended, table.game.phase, table.game.turn) == ("cards", "scored", None)
    with pytest.raises(BadEvent, match=text):
        table.do(event, **({} if event == "void" else {"seat": 1}), **keys)


def test_after_a_claim_who_sits_out_is_silent(five: Any) -> None:
    five.do("declare", seat=2, game="damensolo", duty=True)
    five.do("claim", seat=2, kind="rest")
    assert five.game.ended == "claim"
    with pytest.raises(BadEvent, match=SITTING):
        five.do("announce", seat=1, call="kontra")
    five.do("announce", seat=3, call="kontra")
    five.do("announce", seat=4, call="keine90", side="kontra")  # directly after the call that was directly after it
    assert five.game.judged()[1].level == {"re": 0, "kontra": 2}


def test_how_a_game_ended(play: Any) -> None:
    for event, keys, ended in (
        ("void", {}, "void"),
        ("rule", {"class": "serious", "offender": 2}, "ruling"),
        ("declare", {"seat": 1, "game": "schmeissen"}, "dealt_again"),
    ):
        table = play()
        table.deal(4)
        table.do("object", seat=3, against=2) if event == "rule" else None
        table.do(event, **keys)
        assert (table.game.ended, table.game.objection) == (ended, None)


@pytest.mark.parametrize(
    ("event", "keys", "text"),
    [
        ("call", {"call": "weiter"}, "eppstein does not know the call 'weiter'; it has gesund, vorbehalt"),
        ("declare", {"game": "wenz"}, "eppstein has no game 'wenz'; it has trumpfsolo, damensolo"),
        ("declare", {"game": "farbsolo"}, "farbsolo needs its suit, one of C, S, H, D, not None"),
        (
            "declare",
            {"game": "hochzeit", "condition": "never"},
            "unknown condition 'never'; choose one of first, plain, trump",
        ),
        ("retract", {"card": "CA"}, "CA of seat 1 cannot be taken back; no card lies"),
        ("announce", {"call": "bock"}, "eppstein has no announcement 'bock'; it has re, kontra, keine90, keine60"),
        ("announce", {"call": "re", "side": "kontra"}, "re cannot be said for kontra"),
        ("claim", {"kind": "rest"}, "seat 1 may not claim; only who is known to play alone"),
        ("bid", {"class": "wenz"}, "eppstein knows no bid; its asking has gesund, vorbehalt"),
        ("leave", {"granted": True}, "eppstein knows no leave"),
    ],
)
def test_eppstein_has_no_such_thing(play: Any, event: str, keys: dict[str, Any], text: str) -> None:
    table = play()
    table.deal(4)
    with pytest.raises((BadEvent, Impossible), match=re.escape(text)):
        if event == "declare" and "condition" in keys:  # an event's shape is checked before the step
            asking.declare(table.game, Declaration(event=9, seat=1, game="hochzeit", condition=keys["condition"]))
        else:
            table.do(event, seat=1, **keys)


def test_a_call_for_the_side_it_names_itself(play: Any) -> None:
    table = play()
    table.deal(4)
    table.do("announce", seat=1, call="re", side="re")
    assert table.game.judged()[1].level["re"] == 1


def test_cards_in_their_places(play: Any) -> None:
    table = play()
    table.deal(4)
    table.hands = {}
    for seat, card in ((1, "CA"), (2, "C9"), (3, "CA")):
        table.card(seat, card)
    with pytest.raises(BadEvent, match="seat 2 has already a card in the open trick; seat 4 is to lay"):
        table.card(2, "CK")
    with pytest.raises(BadEvent, match="C9 of seat 2 cannot be taken back; the last card laid is CA of seat 3"):
        table.do("retract", seat=2, card="C9")
    with pytest.raises(BadEvent, match="CA of seat 1 cannot be taken back; the last card laid is CA of seat 3"):
        table.do("retract", seat=1, card="CA")  # the same card, but another's
    table.do("retract", seat=3, card="CA")
    assert [(laid.seat, laid.card) for laid in table.game.open_trick] == [(1, "CA"), (2, "C9")]
    with pytest.raises(BadEvent, match="a game cannot be named after the first card"):
        table.do("declare", seat=2, game="damensolo")


class TestSchafkopf:
    @pytest.mark.parametrize(
        ("step", "text"),
        [
            (
                lambda game: asking.bid(game, 9, 2, "muss"),
                "schaffkopf has no class 'muss'; it has rufspiel, wenz, solo",
            ),
            (
                lambda game: asking.declare(game, Declaration(event=9, seat=2, game="rufspiel", card="HA")),
                "rufspiel needs the card it calls, one of EA, GA, SA, not 'HA'",
            ),
            (
                lambda game: asking.answer(game, 9, 2, "gesund", False),
                "schaffkopf does not know the call 'gesund'; it has ",
            ),
            (
                lambda game: calling.announce(game, 9, 2, "re", None, False),
                "schaffkopf has no announcement 're'; it has none",
            ),
        ],
    )
    def test_it_has_no_such_thing(self, schafkopf: Any, step: Callable[[Any], Any], text: str) -> None:
        play = schafkopf()
        play.deal_hands({}, dealer=1)
        with pytest.raises(Impossible, match=re.escape(text)):
            step(play.game)

    def test_nothing_of_the_finding_after_the_first_card(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({}, dealer=1)
        play.alone(2)
        play.lay()
        for event, keys, text in (
            ("bid", {"class": "wenz"}, "nobody can bid after the first card"),
            ("leave", {"granted": True}, "leave must be given before the first card"),
        ):
            with pytest.raises(BadEvent, match=text):
                play.do(event, seat=2, **keys)
        play.finish()
        for event, keys in (("bid", {"class": "wenz"}), ("leave", {"granted": True})):
            with pytest.raises(BadEvent, match=OVER):
                play.do(event, seat=2, **keys)


def test_a_solo_is_raised_only_by_what_the_book_has(forty: Any) -> None:
    """durchgaenge 5b: with all of it, with its highest step, with nothing else."""
    table = forty("durchgaenge")
    table.deal(4)
    with pytest.raises(BadEvent, match=re.escape("damensolo cannot be raised by ['kontra']; it may be by re, keine90")):
        table.do("declare", seat=1, game="damensolo", **{"raise": ["kontra"]})
    everything = ["re", "keine90", "keine60", "keine30", "schwarz"]
    for raised, level in ((everything, 5), (["re"], 1), (["re", "keine60"], 3), (["keine60", "re"], 3), ([], 0)):
        again = forty("durchgaenge")
        again.deal(4)
        number = again.do("declare", seat=1, game="damensolo", **{"raise": raised})
        assert again.game.judged()[1].level == {"re": level, "kontra": 0}
        assert [(one.event, one.seat, one.call, one.together) for one in again.game.said] == [
            (number, 1, call, False) for call in everything[:level]
        ]


def test_an_objection_rests_the_game(play: Any) -> None:
    table = play()
    table.deal(4)
    number = table.do("object", seat=3, against=2)
    assert (table.game.phase, table.game.turn) == ("resting", None)
    assert table.game.objection == Objection(event=number, seat=3, against=2, code=None, breach=None)
    table.do("void")
    assert table.game.objection is None
