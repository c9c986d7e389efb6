"""The round: dealers, Pflichtsoli, Vorführen, end of time, struck games (eppstein 2.2, 3.2, 7.4, 7.5, 8.2)."""

from typing import Any

import pytest

from kiosk.errors import BadEvent
from kiosk.table.events.codec import decode


def normal(table: Any, dealer: int | None = None) -> None:
    """A normal game to its end."""
    table.deal(dealer)
    table.finish()


def solo(table: Any, seat: int, *, duty: bool = True, game: str = "damensolo") -> None:
    table.deal()
    table.do("declare", seat=seat, game=game, duty=duty)
    table.finish()


def test_dealers_go_round(play: Any) -> None:
    """2.2.1."""
    table = play()
    for dealer in (1, 2, 3, 4, 1):
        assert table.round.next_dealer == dealer
        normal(table)
        assert table.round.games[-1].dealer == dealer


def test_same_dealer_after_a_pflichtsolo(play: Any) -> None:
    """2.2.1, 3.2.5; not after a Lustsolo."""
    table = play()
    solo(table, 3)
    assert table.round.next_dealer == 1
    assert table.round.duties_left == {1: 1, 2: 1, 3: 0, 4: 1}
    solo(table, 3, duty=False)
    assert table.round.next_dealer == 2
    assert table.codes() == []
    assert table.round.games_left == 14


@pytest.mark.parametrize("how", ["void", "schmeissen"])
def test_same_dealer_after_a_deal_that_does_not_count(play: Any, how: str) -> None:
    """2.2.9, 3.4.3."""
    table = play()
    normal(table)
    table.deal()
    if how == "void":
        table.lay(3)
        table.do("void", why="13 cards")
    else:
        table.do("declare", seat=4, game="schmeissen")
    assert (table.round.next_dealer, len(table.round.games), table.round.games_left) == (2, 1, 15)
    normal(table)
    assert table.round.games[-1].number == 2


def test_the_soloist_leads(play: Any) -> None:
    """3.2.2, 3.3.1; not in a stilles Solo or Hochzeit (4.1.1)."""
    table = play()
    table.deal()
    table.do("declare", seat=4, game="trumpfsolo", duty=True)
    assert table.game.turn == 4
    table.finish()
    table.deal()
    table.do("declare", seat=4, game="hochzeit")
    assert table.game.turn == 2


def test_lustsolo_needs_the_pflichtsolo(play: Any) -> None:
    """3.3.1."""
    table = play()
    table.deal()
    declared = table.do("declare", seat=2, game="fleischlos")
    assert table.codes() == [("not_entitled", declared, declared)]
    assert table.game.offences[0].section == "eppstein 3.3.1"


def test_vorfuehren(play: Any) -> None:
    """3.2.3: Pflichtsoli left = games left; the next left of the dealer must play; then the next deals (3.2.5)."""
    table = play()
    solo(table, 1)
    for _ in range(11):
        assert table.round.must_play is None
        normal(table)
    assert table.round.games_left == 4
    normal(table)
    assert (table.round.games_left, sum(table.round.duties_left.values())) == (3, 3)
    played = []
    for _ in range(3):
        dealer, must = table.round.next_dealer, table.round.must_play
        assert must is not None and table.round.duties_left[must] == 1
        between = [dealer % 4 + 1, (dealer + 1) % 4 + 1, (dealer + 2) % 4 + 1, dealer]
        assert all(table.round.duties_left[seat] == 0 for seat in between[: between.index(must)])
        solo(table, must)
        assert table.round.over or table.round.next_dealer == dealer % 4 + 1
        played.append(must)
    assert sorted(played) == [2, 3, 4]
    assert table.round.over and table.round.games_left == 0
    with pytest.raises(BadEvent, match="complete"):
        table.deal(1)


def test_nobody_takes_it_from_him(play: Any) -> None:
    """3.2.3."""
    table = play()
    for _ in range(12):
        normal(table)
    assert table.round.must_play == 2
    table.deal()
    declared = table.do("declare", seat=3, game="damensolo", duty=True)
    assert table.codes() == [("not_entitled", declared, declared)]
    assert table.game.offences[0].section == "eppstein 3.2.3"


def test_five_at_the_table(play: Any) -> None:
    """2.2.7, 7.4.1: the dealer sits out, twenty games."""
    table = play(5)
    assert table.round.games_left == 20
    table.deal()
    assert table.game.seats == (2, 3, 4, 5)
    with pytest.raises(BadEvent, match="seat 1"):
        table.do("card", seat=1, card="CA")
    table.finish()
    assert table.round.totals[1] == 0
    assert table.round.next_dealer == 2


def test_the_one_to_be_vorgefuehrt_does_not_sit_out(play: Any) -> None:
    """docs/rules.md, Fine points: he makes the next player deal."""
    table = play(5)
    for seat in (2, 3, 4, 5):
        solo(table, seat) if seat != table.round.next_dealer else None
    while table.round.games_left > sum(table.round.duties_left.values()):
        normal(table)
    while not table.round.over:
        dealer, must = table.round.next_dealer, table.round.must_play
        assert must is not None and must != dealer
        solo(table, must)
    assert set(table.round.duties_left.values()) == {0}


def test_time_up(play: Any) -> None:
    """7.4.1, 7.5.1: the running game is finished, normal games are struck, Pflichtsoli are still played."""
    table = play()
    for seat in (1, 2, 3):
        solo(table, seat)
    table.deal()
    table.do("time_up")
    assert table.round.games_left == 2
    table.finish()
    assert (table.round.games_left, table.round.must_play) == (1, 4)
    table.deal()
    assert (table.round.games_left, table.round.must_play) == (1, 4)
    table.do("declare", seat=4, game="damensolo", duty=True)
    assert table.round.games_left == 1
    table.finish()
    assert table.round.over
    with pytest.raises(BadEvent):
        table.deal(2)


def test_time_up_between_games(play: Any) -> None:
    table = play()
    for seat in (1, 2, 3, 4):
        solo(table, seat)
    table.do("time_up")
    assert table.round.over and table.round.games_left == 0


class TestStrike:
    """8.2."""

    def test_played_again_by_the_same_dealer(self, play: Any) -> None:
        table = play()
        for _ in range(3):
            normal(table)
        before = table.round.totals
        table.do("strike", game=2, replay=True)
        assert table.round.totals != before or not any(table.round.games[1].result.score.values())
        assert (table.round.next_dealer, table.round.games_left) == (2, 14)
        normal(table)
        assert table.round.next_dealer == 4

    def test_a_running_game_is_finished_first(self, play: Any) -> None:
        table = play()
        normal(table)
        table.deal()
        table.do("strike", game=1, replay=True)
        table.finish()
        assert table.round.next_dealer == 1
        normal(table)
        assert table.round.next_dealer == 3

    def test_without_replacement_it_counts_as_played(self, play: Any) -> None:
        table = play()
        normal(table)
        table.do("strike", game=1, replay=False)
        assert (table.round.next_dealer, table.round.games_left) == (2, 15)
        assert set(table.round.totals.values()) == {0}

    def test_a_struck_pflichtsolo_is_owed_again(self, play: Any) -> None:
        table = play()
        solo(table, 2)
        normal(table)
        table.do("strike", game=1, replay=True)
        assert table.round.duties_left[2] == 1
        assert table.round.next_dealer == 1
        solo(table, 2)
        assert (table.round.duties_left[2], table.round.next_dealer) == (0, 2)

    @pytest.mark.parametrize("game", [0, 2, -1])
    def test_only_what_is_on_the_list(self, play: Any, game: int) -> None:
        table = play()
        normal(table)
        with pytest.raises(BadEvent, match=f"game {game}"):
            table.do("strike", game=game, replay=True)

    def test_after_the_round_only_without_replacement(self, play: Any) -> None:
        """8.2.2."""
        table = play()
        normal(table)
        table.do("close")
        with pytest.raises(BadEvent, match=r"8\.2\.2"):
            table.do("strike", game=1, replay=True)
        table.do("strike", game=1, replay=False)
        assert set(table.round.totals.values()) == {0}


def test_wrong_dealer(play: Any) -> None:
    """2.2.11: the game is valid, the next dealer goes by the list."""
    table = play()
    normal(table, 3)
    assert table.round.next_dealer == 2


def test_sign_and_close(play: Any) -> None:
    table = play()
    table.deal()
    for event in ({"event": "sign", "seat": 1}, {"event": "close"}):
        with pytest.raises(BadEvent):
            table.round.apply(decode(event))
    table.finish()
    table.do("sign", seat=3)
    table.do("sign", seat=3)
    table.do("sign", seat=1)
    assert table.round.signed == (3, 1)
    table.do("close")
    with pytest.raises(BadEvent, match="handed in"):
        table.deal(2)


class TestAsking:
    """3.1.2."""

    @pytest.mark.parametrize(
        ("calls", "offences"),
        [
            pytest.param("1g 2g 3g 4g", "", id="all gesund"),
            pytest.param("1g 3g", "3", id="3 before 2"),
            pytest.param("1g 1v 2g 3g 4g", "", id="gesund to Vorbehalt before the next"),
            pytest.param("1v 1g 2g 3g 4g", "", id="Vorbehalt back before the next"),
            pytest.param("1g 2g 1v", "1", id="after the next has spoken"),
            pytest.param("1g 2v 3g 2g", "2", id="Vorbehalt back after the next"),
            pytest.param("1g 2g 3g 4g 4v", "", id="the last before a card"),
            pytest.param("1g 2g 3g 4g + 4v", "4", id="the last after a card"),
            pytest.param("1g 2g 3g 4g re 4v", "4", id="the last after an announcement"),
        ],
    )
    def test_corrections(self, play: Any, calls: str, offences: str) -> None:
        table = play()
        table.deal(4)
        for word in calls.split():
            if word == "+":
                table.lay()
            elif word == "re":
                table.do("announce", seat=1, call="re")
            else:
                table.do("call", seat=int(word[0]), call={"g": "gesund", "v": "vorbehalt"}[word[1]])
        found = "".join(str(o.seat) for o in table.game.offences if o.code == "call_out_of_turn")
        assert found == offences

    def test_naming_the_highest_at_once_is_speaking(self, play: Any) -> None:
        """3.1.7: the others may still tell their Vorbehalt."""
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="damensolo", duty=True)
        assert table.game.phase == "playing"
        table.do("call", seat=2, call="vorbehalt")
        assert table.codes() == []
        early = table.do("call", seat=4, call="gesund")
        assert table.codes() == [("call_out_of_turn", early, early)]

    def test_phases(self, play: Any) -> None:
        table = play()
        table.deal(4)
        seen = []
        for seat, call in ((1, "gesund"), (2, "vorbehalt"), (3, "gesund"), (4, "gesund")):
            seen.append((table.game.phase, table.game.turn))
            table.do("call", seat=seat, call=call)
        seen.append((table.game.phase, table.game.turn))
        table.do("declare", seat=2, game="hochzeit")
        seen.append((table.game.phase, table.game.turn))
        assert seen == [("asking", 1), ("asking", 2), ("asking", 3), ("asking", 4), ("declaring", 2), ("playing", 1)]

    def test_no_announcement_before_the_game_is_found(self, play: Any) -> None:
        """5.2.1."""
        table = play()
        table.deal(4)
        table.do("call", seat=1, call="gesund")
        first = table.do("announce", seat=1, call="re")
        for seat in (2, 3, 4):
            table.do("call", seat=seat, call="gesund")
        table.do("announce", seat=2, call="kontra")
        assert table.codes() == [("early_announcement", first, first)]

    def test_a_late_correction_makes_no_call_early(self, play: Any) -> None:
        table = play()
        table.deal(4)
        for seat in (1, 2, 3, 4):
            table.do("call", seat=seat, call="gesund")
        table.do("announce", seat=1, call="re")
        late = table.do("call", seat=4, call="vorbehalt")
        assert table.codes() == [("call_out_of_turn", late, late)]

    def test_no_announcement_before_the_game_is_named(self, play: Any) -> None:
        table = play()
        table.deal(4)
        said = table.do("announce", seat=2, call="kontra")
        table.do("declare", seat=1, game="damensolo", duty=True)
        assert table.codes() == [("early_announcement", said, said)]

    def test_the_last_declaration_counts(self, play: Any) -> None:
        table = play()
        table.deal(4)
        table.do("declare", seat=1, game="hochzeit")
        table.do("declare", seat=2, game="farbsolo", suit="H", duty=True)
        assert (table.game.kind, table.game.declarer, table.game.turn) == ("farbsolo", 2, 2)
        table.lay()
        with pytest.raises(BadEvent, match="after the first card"):
            table.do("declare", seat=3, game="damensolo", duty=True)


class TestHochzeit:
    """3.5.3."""

    def hands(self) -> dict[int, list[str]]:
        return {
            1: ["HT", "HT", "CK", "CQ", "CQ", "S9", "S9", "HA", "HK", "H9", "DA", "DA"],
            2: ["SQ", "SQ", "CJ", "CJ", "D9", "DK", "CA", "SA", "HA", "ST", "SK", "C9"],
            3: ["HQ", "HQ", "SJ", "SJ", "DT", "D9", "CT", "C9", "SA", "SK", "H9", "HK"],
            4: ["CA", "CT", "CK", "ST", "HJ", "HJ", "DK", "DT", "DQ", "DQ", "DJ", "DJ"],
        }

    def start(self, play: Any, **keys: Any) -> Any:
        table = play()
        table.deal(4, hands=self.hands())
        table.do("declare", seat=1, game="hochzeit", **keys)
        return table

    def trick(self, table: Any, lead: str) -> None:
        table.card(table.game.turn, lead)
        table.lay(3)

    def test_second_trick(self, play: Any) -> None:
        table = self.start(play)
        self.trick(table, "HT")
        assert table.game.klaerung is None and table.game.known_sides == {1: "re"}
        self.trick(table, "CK")
        assert table.game.known_sides == {1: "re", 2: "re", 3: "kontra", 4: "kontra"}
        table.finish()
        assert (table.game.result.kind, table.game.result.re) == ("hochzeit", (1, 2))

    def test_alone_after_three(self, play: Any) -> None:
        table = self.start(play)
        for lead in ("HT", "HT", "HA"):
            self.trick(table, lead)
        assert (table.game.klaerung.trick, table.game.klaerung.partner) == (2, None)
        assert table.game.soloist == 1
        table.finish()
        result = table.game.result
        assert (result.kind, result.re, result.duty) == ("hochzeit", (1,), False)
        value = sum(item.number for item in result.value)
        won = result.won_by == "re"
        assert result.score == ({1: 3 * value, 2: 0, 3: 0, 4: 0} if won else {1: 0, 2: value, 3: value, 4: value})
        assert all(item.name != "against_queens" for item in result.value)
        assert table.round.duties_left[1] == 1
        assert table.round.next_dealer == 2  # it counts as neither Pflicht- nor Lustsolo; seat 4 dealt for seat 1

    def test_named_condition(self, play: Any) -> None:
        table = self.start(play, condition="trump")
        self.trick(table, "CK")
        assert table.game.klaerung is None
        assert table.game.turn == 2
        self.trick(table, "D9")
        assert table.game.klaerung is None and table.game.turn == 1
        self.trick(table, "DA")
        assert (table.game.klaerung.trick, table.game.klaerung.partner) == (2, 2)
        table = self.start(play, condition="plain")
        self.trick(table, "DA")
        assert table.game.klaerung is None

    def test_silent(self, play: Any) -> None:
        """3.5.5."""
        table = play()
        table.deal(4, hands=self.hands())
        assert table.game.kind == "normal"
        table.card(1, "CQ")
        table.lay(3)
        assert table.game.kind == "normal"
        while table.game.turn != 1:
            table.lay()
        table.card(1, "CQ")
        assert (table.game.kind, table.game.soloist, table.game.clear) == ("still", 1, True)
        table.lay(3)
        table.finish()
        assert (table.game.result.kind, table.game.result.re, table.game.result.declarer) == ("still", (1,), None)
