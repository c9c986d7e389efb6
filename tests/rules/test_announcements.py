"""Announcements: windows, replies, left-out steps, repetitions (eppstein 5)."""

from typing import Any

import pytest

from kiosk.rules.books import EPPSTEIN, SCHNITTCHEN
from kiosk.rules.engine.announcements import Judge, Moment, Said, judge, re_sets
from kiosk.rules.engine.book import RuleBook

# A script: a number lays so many full tricks, ("seat", call, …) speaks; seats 1 and 3 are Re, 2 and 4 Kontra.
# Expected: the code and section of each call in turn, None where it is lawful.
Step = int | tuple[Any, ...]


def late(section: str) -> tuple[str, str]:
    return "late_announcement", section


OK = None
UNFOUNDED, BY_REPLY = ("unfounded_announcement", "5.3.2"), ("unfounded_announcement", "5.5.4")
SKIPPED = ("skipped_step", "5.5.3")
REPEATED = ("repeated_announcement", "5.5.8")


def run(play: Any, script: list[Step], declare: dict[str, Any] | None = None) -> tuple[Any, list[int]]:
    table = play()
    table.deal(4)
    if declare:
        table.do("declare", **declare)
    spoken = []
    for step in script:
        if isinstance(step, int):
            table.lay(4 * step)
        else:
            seat, call, *more = step
            spoken.append(table.do("announce", seat=seat, call=call, **(more[0] if more else {})))
    return table, spoken


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param([(1, "re")], [OK], id="5.2.1 before the first card"),
        pytest.param([1, (1, "re")], [OK], id="5.2.2 with 11 cards"),
        pytest.param([2, (1, "re")], [late("5.2.2")], id="5.2.2 with 10 cards"),
        pytest.param([1, (2, "kontra")], [OK], id="5.2.2 Kontra with 11"),
        pytest.param([2, (2, "kontra")], [late("5.2.2")], id="5.2.2 Kontra with 10"),
        pytest.param([(1, "re"), 2, (1, "keine90")], [OK, OK], id="5.3.4 keine 90 with 10"),
        pytest.param([(1, "re"), 3, (1, "keine90")], [OK, late("5.3.4")], id="5.3.4 keine 90 with 9"),
        pytest.param([(1, "keine90"), 3, (1, "keine60")], [OK, OK], id="5.3.4 keine 60 with 9"),
        pytest.param([(1, "keine90"), 4, (1, "keine60")], [OK, late("5.3.4")], id="5.3.4 keine 60 with 8"),
        pytest.param([(1, "keine60"), 4, (1, "keine30")], [OK, OK], id="5.3.4 keine 30 with 8"),
        pytest.param([(1, "keine60"), 5, (1, "keine30")], [OK, late("5.3.4")], id="5.3.4 keine 30 with 7"),
        pytest.param([(1, "keine30"), 5, (1, "schwarz")], [OK, OK], id="5.3.4 schwarz with 7"),
        pytest.param([(1, "keine30"), 6, (1, "schwarz")], [OK, late("5.3.4")], id="5.3.4 schwarz with 6"),
        pytest.param([(1, "re"), 2, (3, "keine90")], [OK, OK], id="5.3.2 the partner's Absage"),
        pytest.param([1, (1, "keine90", {"side": "re"})], [OK], id="5.5.3 Re left out in time"),
        pytest.param([2, (1, "keine90", {"side": "re"})], [UNFOUNDED], id="5.3.2 Re left out, out of time"),
        pytest.param([(1, "re"), 2, (1, "keine60")], [OK, OK], id="5.5.3 keine 90 left out in time"),
        pytest.param([(1, "re"), 3, (1, "keine60")], [OK, SKIPPED], id="5.5.3 keine 90 left out, out of time"),
        pytest.param([(1, "schwarz", {"side": "re"})], [OK], id="5.5.3 everything left out in time"),
        pytest.param([1, (1, "re"), 1, (2, "kontra")], [OK, OK], id="5.5.4 reply to Re with 10"),
        pytest.param([1, (1, "re"), 2, (2, "kontra")], [OK, late("5.5.4")], id="5.5.4 reply to Re with 9"),
        pytest.param([(1, "re"), 2, (1, "keine90"), 1, (2, "kontra")], [OK] * 3, id="5.5.4 reply to keine 90 with 9"),
        pytest.param(
            [(1, "re"), 2, (1, "keine90"), 2, (2, "kontra")],
            [OK, OK, late("5.5.4")],
            id="5.5.4 reply to keine 90 with 8",
        ),
        pytest.param([(1, "keine60"), 4, (2, "kontra")], [OK, OK], id="5.5.4 reply to keine 60 with 8"),
        pytest.param([(1, "keine60"), 5, (2, "kontra")], [OK, late("5.5.4")], id="5.5.4 reply to keine 60 with 7"),
        pytest.param([(1, "keine30"), 5, (2, "kontra")], [OK, OK], id="5.5.4 reply to keine 30 with 7"),
        pytest.param([(1, "schwarz"), 6, (2, "kontra")], [OK, OK], id="5.5.4 reply to schwarz with 6"),
        pytest.param([(1, "schwarz"), 7, (2, "kontra")], [OK, late("5.5.4")], id="5.5.4 reply to schwarz with 5"),
        pytest.param(
            [1, (1, "re"), 1, (2, "kontra"), (2, "keine90")], [OK, OK, BY_REPLY], id="5.5.4 Absage after a reply beyond"
        ),
        pytest.param(
            [1, (1, "re"), (2, "kontra"), 1, (2, "keine90")], [OK, OK, OK], id="5.5.4 Absage after a reply in the limit"
        ),
        pytest.param(
            [(1, "re"), 2, (2, "keine90", {"side": "kontra"})], [OK, UNFOUNDED], id="5.3.2 Kontra itself only by reply"
        ),
        pytest.param(
            [(1, "re"), (2, "kontra"), 2, (1, "keine90", {"side": "re"}), (2, "keine90", {"side": "kontra"})],
            [OK] * 4,
            id="5.5.5 both sides may say Absagen",
        ),
        pytest.param([(1, "re"), (1, "re")], [OK, OK], id="one's own repetition is nothing"),
        pytest.param([(1, "re"), 5, (1, "re")], [OK, OK], id="one's own repetition, however late"),
        pytest.param([(1, "re"), (3, "re")], [OK, OK], id="5.5.8 b not clear"),
        pytest.param([(1, "re"), (3, "re", {"together": True})], [OK, OK], id="5.5.7 b not clear"),
        pytest.param(
            [(1, "re"), (3, "re"), (1, "keine90"), (3, "keine90")], [OK, OK, OK, REPEATED], id="5.5.8 a clear"
        ),
        pytest.param(
            [(1, "re"), (3, "re"), (1, "keine90"), (3, "keine90", {"together": True})], [OK] * 4, id="5.5.7 a clear"
        ),
        pytest.param([2, (1, "re"), (1, "keine90")], [late("5.2.2"), OK], id="8.8.3 a late Re not claimed counts"),
    ],
)
def test_calls(play: Any, script: list[Step], expected: list[tuple[str, str] | None]) -> None:
    table, spoken = run(play, script)
    table.finish()
    found = {o.event: (o.code, o.section.removeprefix("eppstein ")) for o in table.game.offences if o.code != "revoke"}
    assert [found.get(event) for event in spoken] == expected


@pytest.mark.parametrize(
    ("script", "names"),
    [
        pytest.param(
            [(1, "keine60")], {"said_keine90": 1, "said_keine60": 1, "re": 2}, id="5.5.3 left-out steps count"
        ),
        pytest.param([(1, "re"), (3, "re")], {"said_keine90": 1, "re": 2}, id="5.5.8 b the next step"),
        pytest.param(
            [(1, "re"), (3, "re", {"together": True})], {"said_keine90": 1, "re": 2}, id="5.5.7 b the next step"
        ),
        pytest.param(
            [(2, "keine90", {"side": "kontra"}), (4, "keine90", {"side": "kontra"})],
            {"said_keine90": 1, "said_keine60": 1, "kontra": 2},
            id="5.5.8 b keine 90 twice is keine 60",
        ),
        pytest.param(
            [(1, "re"), (3, "re"), (1, "keine90"), (3, "keine90")],
            {"said_keine90": 1, "re": 2},
            id="5.5.8 a no next step",
        ),
        pytest.param([(1, "re"), (1, "re")], {"re": 2}, id="one's own repetition"),
        pytest.param([2, (1, "re")], {"re": 2}, id="8.8.3 late counts"),
        pytest.param([2, (1, "keine90")], {"said_keine90": 1, "re": 2}, id="unfounded counts and brings Re"),
        pytest.param([(1, "re"), 1, (2, "kontra")], {"re": 2, "kontra": 2}, id="5.5.5 both"),
        pytest.param([(2, "re")], {"re": 2}, id="a call counts for the side it names"),
    ],
)
def test_what_calls_count(play: Any, script: list[Step], names: dict[str, int]) -> None:
    table, _ = run(play, script)
    table.finish()
    called = {k: v for k, v in table.value().items() if k in ("re", "kontra") or k.startswith("said_")}
    if table.game.result.won_by is None:
        pytest.skip("nobody has won this deal")
    assert called == names


@pytest.mark.parametrize("together", [False, True])
def test_solo_makes_the_partnership_clear(play: Any, together: bool) -> None:
    """5.5.7 a, 5.5.8 a."""
    table, spoken = run(
        play,
        [(2, "kontra"), (3, "kontra", {"together": together})],
        {"seat": 1, "game": "damensolo", "duty": True},
    )
    table.finish()
    found = [o.event for o in table.game.offences if o.code == "repeated_announcement"]
    assert found == ([] if together else [spoken[1]])
    assert table.game.judged()[1].level == {"re": 0, "kontra": 1}


@pytest.mark.parametrize("wrong", [pytest.param(False, id="by cards"), pytest.param(True, id="though one lied")])
def test_both_queens_seen_make_it_clear(play: Any, wrong: bool) -> None:
    """ "A partnership is clear when every player's side is certain: … both CQ seen" (docs/rules.md, Fine points)."""
    table = play()
    table.deal(4, hands=None, seed=3)
    if wrong:
        table.do("announce", seat=1, call="kontra")
    table.card(1, "CQ")
    table.lay(1)
    table.card(3, "CQ")
    table.lay(1)
    table.do("announce", seat=2, call="kontra")
    again = table.do("announce", seat=4, call="kontra")
    assert ("repeated_announcement", again, again) in table.codes()
    assert table.game.clear


def test_nothing_is_clear_before_the_klaerungsstich(play: Any) -> None:
    """Whatever was called or seen, a Hochzeit has no sides yet: the same word raises (docs/rules.md; 5.5.8 b)."""
    table = play()
    table.deal(4, re=(1, 1))
    table.do("declare", seat=1, game="hochzeit")
    for seat in (2, 3, 4):
        table.do("announce", seat=seat, call="kontra")
    assert table.game.judged()[1].level["kontra"] == 2
    table.card(1, "CQ")
    assert not table.game.clear


def test_a_repetition_that_names_the_side_tells_it(play: Any) -> None:
    """5.5.5: all three of Kontra known, the partnership is clear and the same word is an offence (5.5.8 a)."""
    steps = [(2, "kontra"), (1, "re"), (3, "keine90"), (3, "keine90", {"side": "re"}), (1, "keine90"), (3, "re")]
    table, events = run(play, steps)
    assert [code for code, _, _ in table.codes()] == ["repeated_announcement"] * 2
    assert [event for _, event, _ in table.codes()] == [events[4], events[5]]


class TestWrongSide:
    def test_proved_by_the_queen(self, play: Any) -> None:
        table, (said,) = run(play, [(1, "kontra")])
        assert table.codes() == []
        shown = table.card(1, "CQ")
        assert ("wrong_side", said, shown) in table.codes()

    def test_proved_by_a_scanned_hand(self, play: Any) -> None:
        table = play()
        table.deal(4)
        table.do("hand", seat=2, cards=table.hands[2])
        said = table.do("announce", seat=2, call="re")
        assert ("wrong_side", said, said) in table.codes()

    def test_proved_by_the_others_queens(self, play: Any) -> None:
        table, (said,) = run(play, [(2, "re")])
        table.card(1, "CQ")
        table.lay(1)
        shown = table.card(3, "CQ")
        assert ("wrong_side", said, shown) in table.codes()

    def test_at_once_in_a_solo(self, play: Any) -> None:
        table, (said,) = run(play, [(2, "re")], {"seat": 1, "game": "bubensolo", "duty": True})
        assert ("wrong_side", said, said) in table.codes()

    def test_the_last_declaration_is_the_game(self, play: Any) -> None:
        """A solo that a higher Vorbehalt overrides makes nobody Re (docs/protocol.md, declare; 3.1.5)."""
        table = play()
        table.deal(4)
        table.do("announce", seat=2, call="kontra")
        table.do("declare", seat=2, game="bubensolo", duty=True)
        assert [code for code, _, _ in table.codes()] == ["early_announcement", "wrong_side"]
        table.do("declare", seat=1, game="damensolo", duty=True)
        assert [code for code, _, _ in table.codes()] == ["early_announcement"]

    def test_a_klaerungsstich_taken_back(self, play: Any) -> None:
        """Sides by rule only from the Klärungsstich on: put right it makes other sides (docs/protocol.md, Proof)."""
        table = play()
        table.do("deal", dealer=4)
        table.do("declare", seat=1, game="hochzeit")
        said = table.do("announce", seat=4, call="re")
        for seat, card in ((1, "CK"), (2, "CA"), (3, "C9")):
            table.card(seat, card)
        shown = table.card(4, "ST")
        assert ("wrong_side", said, shown) in table.codes()
        table.do("retract", seat=4, card="ST")
        assert [code for code, _, _ in table.codes()] == ["early_announcement"]
        table.card(4, "HT")
        assert [code for code, _, _ in table.codes()] == ["early_announcement"]

    def test_absage_for_the_other_side(self, play: Any) -> None:
        table, (_, said) = run(play, [(3, "re"), (1, "keine90", {"side": "kontra"})])
        shown = table.card(1, "CQ")
        assert ("wrong_side", said, shown) in table.codes()


@pytest.mark.parametrize(
    ("tricks", "limits"),
    [
        pytest.param(1, (11, 10, 9, 8, 7), id="5.5.2 first trick: nothing moves"),
        pytest.param(2, (10, 9, 8, 7, 6), id="5.5.2 second trick: one later"),
        pytest.param(3, (9, 8, 7, 6, 5), id="5.5.2 third trick: two later"),
    ],
)
@pytest.mark.parametrize("step", range(5))
@pytest.mark.parametrize("late_by", [0, 1])
def test_hochzeit_moves_the_limits(play: Any, tricks: int, limits: tuple[int, ...], step: int, late_by: int) -> None:
    table = play()
    table.deal(4, hands=wedding(tricks))
    table.do("declare", seat=1, game="hochzeit")
    early = table.do("announce", seat=3, call="kontra")
    table.lay(4 * tricks)
    assert table.game.klaerung.trick == tricks - 1
    calls = ("re", "keine90", "keine60", "keine30", "schwarz")
    if step:
        table.do("announce", seat=1, call=calls[step - 1])
    while table.game.hand_sizes[1] > limits[step] - late_by or table.game.open_trick:
        table.lay()
    said = table.do("announce", seat=1, call=calls[step])
    codes = {event: code for code, event, _ in table.codes() if code.endswith("announcement")}
    assert codes[early] == "early_announcement"
    # The call before it was made as early as the Klärungsstich allows, the reply window stays out: Kontra is standing.
    reply = step == 0 and late_by == 1
    assert codes.get(said) == (None if not late_by or reply else "late_announcement")


def wedding(tricks: int) -> dict[int, list[str]]:
    """Hands with both CQ at seat 1, who leads what comes first: trick ``tricks`` is the first that another wins."""
    tens = ["HT", "HT"]
    lead = [*tens[: tricks - 1], "CK", *tens[tricks - 1 :]]
    hands = {
        1: [*lead, "CQ", "CQ", "S9", "S9", "HA", "HK", "H9", "DA", "DA"],
        2: ["SQ", "SQ", "CJ", "CJ", "D9", "DK", "CA", "SA", "HA", "ST", "SK", "C9"],
        3: ["HQ", "HQ", "SJ", "SJ", "DT", "D9", "CT", "C9", "SA", "SK", "H9", "HK"],
        4: ["CA", "CT", "CK", "ST", "HJ", "HJ", "DK", "DT", "DQ", "DQ", "DJ", "DJ"],
    }
    assert sorted(card for hand in hands.values() for card in hand) == sorted(EPPSTEIN.deck)
    return hands


# The judge by itself: what a call counts for while the sides are not certain, which a played game always makes them.


def said(number: int, seat: int, call: str, hand: int = 12, **keys: Any) -> Said:
    """A call; ``keys``: side, together, and early, queens of the moment."""
    ruled = keys.get("ruled")
    moment = Moment(
        hand=hand, laid=0, shift=0, early=keys.get("early", False), ruled=ruled, queens=keys.get("queens", ())
    )
    return Said(
        event=number,
        seat=seat,
        call=call,
        side=keys.get("side"),
        together=keys.get("together", False),
        moment=moment,
    )


def verdicts(book: RuleBook, *calls: tuple[Any, ...], sides: dict[int, str] | None = None) -> tuple[Any, Judge]:
    """(code, section, side, level) of each call ``(seat, call, cards in hand, more)``, and the state after them."""
    made = [
        said(number, seat, call, *more[:1], **(more[1] if len(more) > 1 else {}))
        for number, (seat, call, *more) in enumerate(calls)
    ]
    found, state = judge(book.calls, (1, 2, 3, 4), sides or {}, made)
    return [(one.code, one.section, one.side, one.level) for one in found], state


@pytest.mark.parametrize(
    ("queens", "told", "sets"),
    [
        pytest.param((), {}, ["1", "12", "13", "14", "2", "23", "24", "3", "34", "4"], id="nothing known"),
        pytest.param((3,), {}, ["13", "23", "3", "34"], id="one CQ: its player and one other, or he alone"),
        pytest.param((3,), {1: "kontra", 2: "kontra"}, ["3", "34"], id="one CQ, two who said Kontra"),
        pytest.param((3,), {3: "kontra", 1: "re"}, ["13"], id="cards say more than words"),
        pytest.param((1, 3), {2: "re"}, ["13"], id="both CQ, whatever was called"),
        pytest.param((2, 2), {}, ["2"], id="both CQ of one player"),
        pytest.param((), {1: "re", 2: "kontra"}, ["1", "13", "14"], id="calls alone"),
    ],
)
def test_sides_that_are_left_open(queens: tuple[int, ...], told: dict[int, str], sets: list[str]) -> None:
    """docs/rules.md, Fine points: "A partnership is clear when every player's side is certain"."""
    assert ["".join(map(str, sorted(one))) for one in re_sets((1, 2, 3, 4), queens, told, None)] == sets
    assert re_sets((1, 2, 3, 4), queens, told, frozenset({4})) == [{4}]  # a rule makes them certain


class TestSideNotCertain:
    """5.5.5: an Absage without its side, by a player whose side nothing tells yet."""

    def test_counts_for_the_side_that_alone_has_spoken(self) -> None:
        found, state = verdicts(EPPSTEIN, (2, "kontra"), (4, "keine90"))
        assert found[1] == (None, "", "kontra", 2)
        assert state.told == {2: "kontra", 4: "kontra"} and state.level == {"re": 0, "kontra": 2}

    def test_waits_where_both_have_spoken(self) -> None:
        found, state = verdicts(EPPSTEIN, (1, "re"), (2, "kontra"), (4, "keine90"))
        assert found[2] == (None, "", None, 0)
        assert state.told == {1: "re", 2: "kontra"} and state.level == {"re": 1, "kontra": 1}

    def test_a_known_side_that_was_not_named_tells_the_others_nothing(self) -> None:
        _, state = verdicts(EPPSTEIN, (1, "re"), (2, "kontra"), (4, "keine90"), sides={4: "kontra"})
        assert state.told == {1: "re", 2: "kontra"} and state.level["kontra"] == 2

    def test_named_with_a_repetition(self) -> None:
        _, state = verdicts(
            EPPSTEIN,
            (1, "re"),
            (2, "kontra"),
            (4, "keine90"),
            (4, "keine90", 12, {"side": "kontra"}),
            sides={4: "kontra"},
        )
        assert state.told == {1: "re", 2: "kontra", 4: "kontra"}

    @pytest.mark.parametrize(
        ("hand", "early", "code", "section"),
        [
            (10, False, None, ""),
            (9, False, "late_announcement", "5.3.4"),
            (10, True, "early_announcement", "5.2.1"),
            (9, True, "early_announcement", "5.2.1"),
        ],
    )
    def test_its_time(self, hand: int, early: bool, code: str | None, section: str) -> None:
        assert verdicts(EPPSTEIN, (4, "keine90", hand, {"early": early}))[0] == [(code, section, None, 0)]


class TestReply:
    """5.5.4, "own Absagen after it only if the reply was itself within the normal limit"."""

    @pytest.mark.parametrize(("hand", "fault"), [(11, OK), (10, BY_REPLY)])
    def test_the_partner_says_it_too(self, hand: int, fault: tuple[str, str] | None) -> None:
        """Within his own limit the partner's Kontra carries the Absage; beyond it neither does."""
        calls = ((1, "re"), (2, "kontra", 10), (4, "kontra", hand), (2, "keine60", 10))
        assert verdicts(EPPSTEIN, *calls)[0][3][:2] == (fault or (None, ""))

    def test_an_absage_that_brings_the_call_is_no_reply(self) -> None:
        for side in ("re", "kontra"):
            calls = ((1, "keine90", 11, {"side": side}), (1, "keine60", 10, {"side": side}))
            assert [code for code, *_ in verdicts(EPPSTEIN, *calls)[0]] == [None, None]

    def test_none_where_the_other_side_is_silent(self) -> None:
        assert verdicts(EPPSTEIN, (2, "kontra", 10))[0] == [("late_announcement", "5.2.2", "kontra", 1)]


def test_together_with_nothing_before() -> None:
    """5.5.7 b: the same word of two who speak together, the partnership not clear."""
    state = verdicts(EPPSTEIN, (1, "re", 12, {"together": True}), (3, "re", 12, {"together": True}))[1]
    assert state.level["re"] == 2


def test_the_highest_step() -> None:
    """5.5.8 b: after schwarz there is no next step."""
    state = verdicts(EPPSTEIN, (1, "schwarz", 12, {"side": "re"}), (3, "schwarz", 12, {"side": "re"}))[1]
    assert state.level["re"] == 5


class TestBock:
    """schnittchen 5.2."""

    BOTH = (1, "re"), (2, "kontra")

    @pytest.mark.parametrize(
        ("calls", "verdict"),
        [
            pytest.param([*BOTH, (1, "bock")], (None, "", "re", 1), id="5.2 in answer to Kontra"),
            pytest.param([*BOTH, (3, "bock")], (None, "", None, 0), id="by one whose side is not known"),
            pytest.param(
                [*BOTH, (1, "keine60"), (1, "bock")], (None, "", "re", 3), id="its side keeps what it has said"
            ),
            pytest.param(
                [(1, "re"), (2, "bock", 12, {"side": "kontra"})],
                ("unfounded_announcement", "5.2", "kontra", 1),
                id="unfounded it brings Kontra",
            ),
            pytest.param(
                [(1, "bock", 12, {"side": "re"})], ("unfounded_announcement", "5.2", "re", 1), id="before any call"
            ),
            pytest.param([*BOTH, (1, "bock", 12, {"early": True})], ("early_announcement", "5.1", "re", 1), id="early"),
            pytest.param([*BOTH, (1, "bock"), (1, "bock", 12, {"early": True})], (None, "", "re", 1), id="repeated"),
        ],
    )
    def test_verdict(self, calls: list[tuple[Any, ...]], verdict: tuple[Any, ...]) -> None:
        found, state = verdicts(SCHNITTCHEN, *calls, sides={1: "re", 2: "kontra"})
        assert found[-1] == verdict and state.bock

    def test_tells_the_side_it_names(self) -> None:
        assert verdicts(SCHNITTCHEN, *self.BOTH, (3, "bock", 12, {"side": "re"}))[1].told[3] == "re"
        assert 3 not in verdicts(SCHNITTCHEN, *self.BOTH, (3, "bock"), sides={3: "re"})[1].told
