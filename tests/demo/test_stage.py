"""The demo's people: every card of the script becomes a hand's act, every word a request, in order."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from kiosk.demo.manners import MANNERS, Manners, When, manners_named
from kiosk.demo.play import simulate
from kiosk.demo.report import misnoted_cards, silent_games, wrong_rows
from kiosk.demo.stage import HASTY, DemoStage
from kiosk.errors import KioskError
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, fold
from kiosk.table.view.show import view
from kiosk.table.view.table_view import DoubtView, TableView
from vision.service.worker import ACTS


class Hands:
    """Does at once what is asked for, and says so."""

    def __init__(self) -> None:
        self.stage: DemoStage | None = None
        self.acts: list[tuple[Any, ...]] = []
        self.named: list[dict[str, Any]] = []
        self.now = 0.0

    def act(self, name: str, *arguments: Any, **named: Any) -> None:
        self.acts.append((name, *arguments))
        self.named.append(named)


class Told:
    """A table that has noted everything."""

    def __init__(self, told: Round, shown: TableView | None) -> None:
        self.round, self._shown = told, shown

    def view(self) -> TableView:
        return self._shown or view(self.round)


def play(
    script: list[dict[str, Any]],
    shown: TableView | None = None,
    told: Round | None = None,
    tell: Callable[[bytes | None], str | None] = lambda picture: None,
) -> tuple[DemoStage, Hands, list[dict[str, Any]]]:
    """Play a script to its end with time that jumps from one thing to do to the next."""
    hands, asked = Hands(), []
    table = Told(told or fold(map(decode, script)), shown)
    stage = DemoStage(script, hands, asked.append, asked.append, table, seed=1, tell=tell)
    now = 0.0
    while not stage.done:
        before = len(hands.acts)
        stage.step(now)
        if len(hands.acts) > before:
            stage.acted(now + 1.0, now + 1.4)
        now = max(now, stage.due)
    return stage, hands, asked


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_script_is_played(seed: int) -> None:
    script = list(simulate("eppstein", seed, 2))
    stage, hands, asked = play(script)
    laid = [(act[2], act[1]) for act in hands.acts if act[0] == "lay"]
    assert laid == [(event["seat"], event["card"]) for event in script if event["event"] == "card"]
    spoken = [event for event in script if event["event"] not in ("open", "release", "deal", "card")]
    assert asked == spoken
    winners = [trick.winner for game in fold(map(decode, script)).games for trick in game.tricks]
    assert [act[1] for act in hands.acts if act[0] == "collect"] == winners
    assert stage.cards == len(laid)


def test_a_card_is_named_by_its_picture_and_put_to_who_has_laid_it() -> None:
    script = list(simulate("eppstein", 3, 1))
    truth = fold(map(decode, script))
    game = truth.games[0]
    one, two = game.tricks[4].cards[:2]
    seats = {one.event: two.seat, two.event: one.seat}
    swapped = replace(
        game,
        tricks=tuple(
            replace(trick, cards=tuple(replace(laid, seat=seats.get(laid.event, laid.seat)) for laid in trick.cards))
            for trick in game.tricks
        ),
    )
    doubt = DoubtView(event=one.event, seat=two.seat, choices=("C9", "D9"), picture=b"jpeg", game=1, trick=5)
    shown = replace(view(truth), doubts=(doubt,))
    _, _, asked = play(script, shown, replace(truth, games=(swapped,)), lambda picture: one.card if picture else None)
    said = {"event": "correct", "by": f"seat {two.seat}", "why": "asked"}
    back = {str(one.event): one.seat, str(two.event): two.seat}
    assert [event for event in asked if event["event"] == "correct"] == [
        {**said, "of": one.event, "card": one.card},
        {**said, "seats": back},
    ]


#: Acts that are done besides laying, taking in and clearing, by manner; its names are those that are acts themselves.
BESIDES: dict[str, set[str]] = {
    "hand-stays": {"hover"},
    "upon-another": {"lay_upon"},
    "taken-back": {"take_back"},
    "thrown": {"throw"},
    "face-down": {"turn_up"},
    "two-at-once": set(),
    "haste": set(),
    "slowness": set(),
    "pushed-straight": {"straighten"},
    "leaning": {"lean", "reach_across"},
    "under-sheet": {"cover", "wait", "remove"},
    "thing": {"put", "put_card", "remove"},
    "gathered-early": set(),
    "wrong-winner": {"pass_trick"},
    "last-trick": {"look_back"},
    "mat-pushed": {"push_mat"},
    "camera-knocked": {"knock"},
    "lamp": {"flicker", "darken"},
    "lamp-changed": {"relight"},
    "dealt-across": {"deal"},
    "lamp-between": {"relight"},
    "hand-open": {"open_hand"},
}


@pytest.mark.parametrize("name", MANNERS)
def test_what_people_do_besides_leaves_the_round_as_it_is(name: str) -> None:
    script = list(simulate("schaffkopf", 13, 1, shorten=1.0))
    truth = fold(map(decode, script))
    manners = Manners({name: max(0.5, manners_named(name)[name])}, 3)
    hands = Hands()
    stage = DemoStage(script, hands, lambda _: None, lambda _: None, Told(truth, None), 1, manners)
    now = 0.0
    while not stage.done:
        before = len(hands.acts)
        stage.step(now)
        if len(hands.acts) > before:
            stage.acted(now + 1.0, now + 1.4)
        now = max(now, stage.due)
        manners.watch(stage.truth, truth, now)
    lying: list[str] = []
    for act in hands.acts:
        if act[0] in ("lay", "lay_upon", "throw"):
            lying.append(act[1])
        elif act[0] == "take_back":
            assert lying.pop() == act[1], "who takes a card back takes the one laid last"
    assert lying == [event["card"] for event in script if event["event"] == "card"]
    done, wanted = {act[0] for act in hands.acts} - {"lay", "collect", "clear"}, BESIDES.get(name, {"dress"})
    assert done <= wanted and bool(done) == bool(wanted) and done <= ACTS
    row = manners.figures(truth, {manners.done[0].place}, ())[name]
    wrong = sum(one.place == manners.done[0].place for one in manners.done)
    assert (row["often"], row["right"]) == (len(manners.done), len(manners.done) - wrong)
    if MANNERS[name].when not in (When.DEAL, When.CLAIM):
        assert len(row["seconds"]) == row["often"], "the table has noted each of these cards"


def test_two_hands_at_once_and_hands_in_haste_do_not_wait_for_each_other() -> None:
    script = list(simulate("eppstein", 1, 1))
    truth = fold(map(decode, script))
    for name, tempo in (("two-at-once", None), ("haste", HASTY)):
        hands = Hands()
        stage = DemoStage(script, hands, lambda _: None, lambda _: None, Told(truth, None), 1, Manners({name: 1.0}, 3))
        now = 0.0
        while not stage.done:
            before = len(hands.acts)
            stage.step(now)
            if len(hands.acts) > before:
                stage.acted(now + 1.0, now + 1.4)
            now = max(now, stage.due)
        laid = [named for act, named in zip(hands.acts, hands.named, strict=True) if act[0] == "lay"]
        tricks = [laid[n : n + 4] for n in range(0, len(laid), 4)]
        assert all(["at" in named for named in trick] == [False, True, True, True] for trick in tricks)
        assert {named.get("tempo") for named in laid} == {tempo}


def test_a_manner_that_there_is_not() -> None:
    with pytest.raises(KioskError, match="no manner 'juggling'; choose one of all, hand-stays"):
        manners_named("juggling")


def test_a_question_left_open_is_answered_by_who_laid_the_card() -> None:
    script = list(simulate("eppstein", 1, 1))
    truth = fold(map(decode, script))
    trick = truth.games[0].tricks[4]
    doubt = DoubtView(
        event=30, seat=trick.cards[2].seat, choices=("HT", "HK"), picture=None, game=truth.games[0].number, trick=5
    )
    stage, _, asked = play(script, replace(view(truth), doubts=(doubt,)))
    assert stage.answered == 1
    assert asked[-1] == {
        "event": "correct",
        "of": 30,
        "card": trick.cards[2].card,
        "by": f"seat {doubt.seat}",
        "why": "asked",
    }


def test_people_say_that_a_game_is_over_if_the_table_lacks_cards_of_it() -> None:
    script = list(simulate("eppstein", 1, 1))
    last = max(number for number, event in enumerate(script) if event["event"] == "card")
    _, _, asked = play(script, told=fold(map(decode, script[:last])))
    assert asked[-1] == {"event": "finish"}


def test_a_row_that_was_noted_otherwise_is_found() -> None:
    script = list(simulate("eppstein", 1, 2))
    truth = fold(map(decode, script))
    assert wrong_rows(truth, truth) == []
    assert len(wrong_rows(truth, fold(map(decode, script[: len(script) // 2])))) >= 1
    taken = [dict(event) for event in script]
    first = next(number for number, event in enumerate(script) if event["event"] == "card")
    taken.append({"event": "rule", "offender": 2, "class": "minor", "breach": first})
    assert len(wrong_rows(truth, fold(map(decode, taken)))) == 1


@pytest.mark.parametrize("place", [0, 1, 2], ids=["another one is asked about", "the first is", "the second is"])
def test_a_card_noted_for_another_seat_is_a_wrong_card(place: int) -> None:
    """An answer about one of two that have changed places settles both."""
    script = list(simulate("eppstein", 1, 1))
    truth = fold(map(decode, script))
    cards = truth.games[0].tricks[3].cards
    one, two = cards[1:3]
    swapped = {"event": "correct", "seats": {str(one.event): two.seat, str(two.event): one.seat}, "by": "camera"}
    told = fold(map(decode, [*script, swapped]))
    found = misnoted_cards(truth, told, {cards[place].event})
    assert {(card.seat, card.noted, card.other_seat, card.asked) for card in found} == {
        (one.seat, two.card, True, place > 0),
        (two.seat, one.card, True, place > 0),
    }


def test_a_wrong_game_is_silent_unless_something_is_asked_of_it() -> None:
    script = list(simulate("eppstein", 1, 2))
    truth = fold(map(decode, script))
    assert (silent_games(truth, truth, ()), misnoted_cards(truth, truth)) == ([], [])
    numbers = [number for number, event in enumerate(script) if event["event"] == "card"]
    laid = script[numbers[-1]]
    other = "D9" if laid["card"] != "D9" else "H9"
    misread = {"event": "correct", "of": numbers[-1], "card": other, "by": "camera", "why": "test"}
    found = misnoted_cards(truth, fold(map(decode, [*script, misread])))
    assert [str(one) for one in found] == [f"game 2, trick 12, seat {laid['seat']}: {laid['card']} laid, {other} noted"]
    assert [(one.other_seat, one.asked) for one in found] == [(False, False)]
    second = [number for number, event in enumerate(script) if event["event"] == "deal"][1]
    fine = {"event": "rule", "offender": 2, "class": "minor", "breach": numbers[0]}
    fined = fold(map(decode, [*script[:second], fine, *script[second:]]))
    assert silent_games(truth, fined, ()) == [1]  # the second game's totals differ too, but nothing of its own
    assert silent_games(truth, fined, {1}) == []
