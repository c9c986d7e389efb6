"""Who plays what: asking, bids, the direction's leave, what cards entitle to (schaffkopf II 2 and 3)."""

from typing import Any

import pytest

from kiosk.errors import BadEvent, Refused
from kiosk.rules.books import BOOKS, SCHAFFKOPF
from kiosk.rules.engine.values import Bid
from kiosk.table.decide import decide
from kiosk.table.events.codec import decode, decode_request
from kiosk.table.round.fold import open_round


class TestAsking:
    def test_goes_round_and_one_names_the_game(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({})
        assert (play.game.phase, play.game.turn) == ("asking", 2)
        play.ask("weiter", "spielen", "recht", "recht")
        assert (play.game.phase, play.game.turn) == ("declaring", 3)
        play.do("declare", seat=3, game="wenz")
        assert (play.game.phase, play.game.turn) == (
            "playing",
            2,
        )  # II 4: left of the dealer leads
        assert play.offences() == []

    def test_nobody_plays(self, schafkopf: Any) -> None:
        """II 2.1.1: a Muss-Spiel by who holds Eichel Ober."""
        play = schafkopf()
        play.deal_hands({4: "EO GA G7"})
        play.ask("weiter", "weiter", "weiter", "weiter")
        assert (play.game.phase, play.game.turn) == ("declaring", None)
        play.scan(4)
        assert play.game.turn == 4

    def test_out_of_turn_and_taken_back(self, schafkopf: Any) -> None:
        """II 2: clockwise from the dealer's left; II 2.2: what was said binds."""
        play = schafkopf()
        play.deal_hands({})
        first = play.do("call", seat=3, call="weiter")
        play.do("call", seat=2, call="spielen")
        again = play.do("call", seat=2, call="weiter")
        assert play.offences() == [
            ("call_out_of_turn", 3, first, first, "II 2.2"),
            ("call_out_of_turn", 2, again, again, "II 2.2"),
        ]

    def test_after_a_game_was_named_every_answer_is_late(self, schafkopf: Any) -> None:
        """II 3.2: a Spielansage is binding; named without any asking it is nobody's fault that can be seen."""
        play = schafkopf()
        play.deal_hands({})
        play.do("declare", seat=2, game="wenz")
        assert play.offences() == []
        late = play.do("call", seat=2, call="weiter")
        assert play.offences() == [("call_out_of_turn", 2, late, late, "II 2.2")]

    @pytest.mark.parametrize(
        ("ahead", "seat", "call", "stays"),
        [(True, 2, "spielen", False), (True, 3, "spielen", True), (True, 2, "recht", True), (False, 2, "auch", True)],
        ids=["another plays, too", "who named it says so", "another does not play", "not named ahead, it binds"],
    )
    def test_a_game_named_ahead_stands_until_another_wants_to_play(
        self, schafkopf: Any, ahead: bool, seat: int, call: str, stays: bool
    ) -> None:
        """II 2: with it goes what it broke; what somebody broke before it stays, and its cards prove nothing more."""
        play = schafkopf()
        play.deal_hands({3: "EA GA SA HO HU H9 H8 H7"})
        play.scan(3)
        early = play.do("call", seat=4, call="weiter")
        named = play.do("declare", seat=3, game="rufspiel", card="EA", ahead=ahead)
        out_of_turn, wrongly = ("call_out_of_turn", early), ("not_entitled", named)
        assert [(code, event) for code, _, event, *_ in play.offences()] == [out_of_turn, wrongly]
        play.do("call", seat=seat, call=call)
        assert (play.game.declaration is not None, play.game.contract.game) == (
            stays,
            "rufspiel" if stays else "normal",
        )
        play.card(2, "EU")
        left = [(code, event) for code, _, event, *_ in play.offences() if event in (early, named)]
        assert left == ([out_of_turn, wrongly] if stays else [out_of_turn])

    def test_what_was_named_before_stays_to_be_proved(self, schafkopf: Any) -> None:
        """II 3.2: only the game named ahead is named no more."""
        play = schafkopf()
        play.deal_hands({3: "EA GA SA HO HU H9 H8 H7"})
        first = play.do("declare", seat=4, game="rufspiel", card="EA")
        play.do("declare", seat=3, game="rufspiel", card="GA", ahead=True)
        play.do("call", seat=2, call="spielen")
        play.do("hand", seat=4, cards=["EA", "GT", "ST", "EO", "GO", "SO", "EU", "GU"])
        assert ("not_entitled", first) in [(code, event) for code, _, event, *_ in play.offences()]

    @pytest.mark.parametrize("call", ["gesund", "vorbehalt", "contra"])
    def test_words_of_other_books(self, schafkopf: Any, call: str) -> None:
        play = schafkopf()
        play.deal_hands({})
        with pytest.raises(BadEvent, match="weiter, spielen, recht, auch"):
            play.do("call", seat=2, call=call)

    def test_no_announcements(self, schafkopf: Any) -> None:
        """II 5.2: no Contra, no Re."""
        play = schafkopf()
        play.deal_hands({})
        with pytest.raises(BadEvent, match="no announcement 're'"):
            play.do("announce", seat=2, call="re")


def bidding(play: Any, number: int = 2) -> Any:
    """``number`` seats want to play: 2, 3 and so on."""
    play.deal_hands({})
    play.ask("spielen", *["auch"] * (number - 1), *["recht"] * (4 - number))
    return play


class TestBids:
    def test_the_highest_plays(self, schafkopf: Any) -> None:
        """II 2.1.3: the first names a class, each next a higher one or none."""
        play = bidding(schafkopf(), 3)
        assert (play.game.phase, play.game.turn) == ("bidding", 2)
        for seat, name in ((2, "rufspiel"), (3, "solo"), (4, None)):
            assert play.game.turn == seat
            play.do("bid", seat=seat, **{"class": name})
        assert (play.game.phase, play.game.turn) == ("declaring", 3)
        play.do("declare", seat=3, game="solo", suit="S")
        assert play.offences() == []

    @pytest.mark.parametrize(
        ("place", "lowest", "below"),
        [(1, "rufspiel", None), (2, "wenz", "rufspiel"), (3, "solo", "wenz"), (4, "wenz-tout", "solo")],
    )
    def test_the_least_class_by_place(self, schafkopf: Any, place: int, lowest: str, below: str | None) -> None:
        """II 2: Rufspiel, Wenz, Solo, Wenz-Tout for the first to fourth who wants to play."""
        for name, fault in ((lowest, False), (below, True)):
            play = bidding(schafkopf(), 4)
            for seat in range(2, 1 + place):
                play.do("bid", seat=seat, **{"class": ("rufspiel", "wenz", "solo")[seat - 2]})
            seat = (2, 3, 4, 1)[place - 1]
            number = play.do("bid", seat=seat, **{"class": name})
            wanted = [("not_entitled", seat, number, number, "II 2.2")] if fault else []
            assert play.offences() == wanted

    @pytest.mark.parametrize(
        ("first", "fault"), [("rufspiel", True), ("wenz", False), ("solo", False)], ids=["below", "equal", "above"]
    )
    def test_no_higher_one(self, schafkopf: Any, first: str, fault: bool) -> None:
        """II 2.2: not if only games lower than he must name himself came before."""
        play = bidding(schafkopf())
        assert (play.game.phase, play.game.turn) == ("bidding", 2)
        play.do("bid", seat=2, **{"class": first})
        play.do("bid", seat=3, **{"class": None})
        assert (play.game.phase, play.game.turn) == ("declaring", 2)
        assert [code for code, *_ in play.offences()] == ["not_entitled"] * fault

    def test_below_the_own_bid(self, schafkopf: Any) -> None:
        """II 3.2: the class cannot be changed any more."""
        play = bidding(schafkopf())
        play.do("bid", seat=2, **{"class": "rufspiel"})
        play.do("bid", seat=3, **{"class": "solo"})
        number = play.do("declare", seat=3, game="wenz")
        assert play.offences() == [("not_entitled", 3, number, number, "II 3.2")]
        play.do("declare", seat=3, game="solo", suit="E")  # put right: the last before the first card is the game
        assert play.game.contract.game == "solo"

    def test_lower_than_an_own_earlier_bid(self, schafkopf: Any) -> None:
        play = bidding(schafkopf())
        play.do("bid", seat=2, **{"class": "solo"})
        number = play.do("bid", seat=2, **{"class": "wenz"})
        assert play.offences() == [("not_entitled", 2, number, number, "II 2.2")]

    def test_a_lawful_bid(self, schafkopf: Any) -> None:
        play = bidding(schafkopf())
        assert SCHAFFKOPF.bid_fault(play.game, Bid(9, 2, "solo")) == ("", "")

    def test_the_same_class_again(self, schafkopf: Any) -> None:
        play = bidding(schafkopf())
        play.do("bid", seat=2, **{"class": "solo"})
        play.do("bid", seat=2, **{"class": "solo"})
        assert play.offences() == []

    def test_named_below_ones_place_without_a_bid(self, schafkopf: Any) -> None:
        """II 2.2: who is second to want to play names at least a Wenz."""
        play = bidding(schafkopf())
        number = play.do("declare", seat=3, game="rufspiel", card="EA")
        assert play.offences() == [("not_entitled", 3, number, number, "II 2.2")]

    def test_out_of_turn(self, schafkopf: Any) -> None:
        play = bidding(schafkopf())
        early = play.do("bid", seat=3, **{"class": "wenz"})
        other = play.do("bid", seat=1, **{"class": "solo"})
        assert play.offences() == [
            ("call_out_of_turn", 3, early, early, "II 2.1.3"),
            ("call_out_of_turn", 1, other, other, "II 2.1.3"),
        ]

    @pytest.mark.parametrize("name", ["muss", "normal", ""])
    def test_no_such_class(self, schafkopf: Any, name: str) -> None:
        with pytest.raises(BadEvent, match="no class"):
            bidding(schafkopf()).do("bid", seat=2, **{"class": name})

    def test_not_after_the_first_card(self, schafkopf: Any) -> None:
        play = bidding(schafkopf())
        play.lay()
        with pytest.raises(BadEvent, match="after the first card"):
            play.do("bid", seat=2, **{"class": "wenz"})

    def test_doppelkopf_has_none(self, play: Any) -> None:
        table = play()
        table.deal()
        with pytest.raises(BadEvent, match="eppstein knows no bid"):
            table.do("bid", seat=2, **{"class": "wenz"})
        with pytest.raises(BadEvent, match="eppstein knows no leave"):
            table.do("leave", seat=2, granted=True)


class TestWhoNames:
    @pytest.mark.parametrize(
        ("calls", "bids", "seat", "game", "section"),
        [
            pytest.param(["weiter"] * 4, (), 2, "wenz", "II 2.1.1", id="nobody wanted to play"),
            pytest.param(["spielen", "recht", "recht", "recht"], (), 3, "wenz", "II 2.1.2", id="another did"),
            pytest.param(
                ["spielen", "auch", "recht", "recht"],
                ("rufspiel", "wenz"),
                2,
                "solo",
                "II 2.1.3",
                id="another more",
            ),
            pytest.param(["spielen", "recht", "recht", "recht"], (), 2, "muss", "II 2.1.1", id="a Muss-Spiel though"),
        ],
    )
    def test_not_the_spielmacher(
        self, schafkopf: Any, calls: list[str], bids: tuple[str, ...], seat: int, game: str, section: str
    ) -> None:
        play = schafkopf()
        play.deal_hands({2: "EO G7"})
        play.ask(*calls)
        for bidder, name in zip((2, 3), bids, strict=False):
            play.do("bid", seat=bidder, **{"class": name})
        more = {"solo": {"suit": "E"}, "muss": {"card": "GA"}}.get(game, {})
        number = play.do("declare", seat=seat, game=game, **more)
        assert play.offences() == [("not_entitled", seat, number, number, section)]

    @pytest.mark.parametrize(
        ("game", "keys", "match"),
        [
            ("solo", {}, "needs its suit"),
            ("solo-tout", {"suit": "C"}, "needs its suit"),
            ("rufspiel", {}, "needs the card it calls"),
            ("rufspiel", {"card": "HA"}, "one of EA, GA, SA"),
            ("rufspiel", {"card": "ET"}, "one of EA, GA, SA"),
            ("muss", {"card": "HK"}, "needs the card it calls"),
            ("hochzeit", {}, "has no game"),
        ],
    )
    def test_what_cannot_be(self, schafkopf: Any, game: str, keys: dict[str, Any], match: str) -> None:
        play = schafkopf()
        play.deal_hands({})
        with pytest.raises(BadEvent, match=match):
            play.do("declare", seat=2, game=game, **keys)


class TestLeave:
    @pytest.mark.parametrize(
        ("game", "suit", "section"),
        [("solo-tout", "G", "II 4.1.2"), ("wenz-tout", None, "II 4.1.3"), ("sie", None, "II 4.1.1")],
    )
    @pytest.mark.parametrize("leave", [None, False, True])
    def test_tout_and_sie(self, schafkopf: Any, game: str, suit: str | None, section: str, leave: bool | None) -> None:
        play = schafkopf()
        play.deal_hands({})
        play.ask("spielen", "recht", "recht", "recht")
        if leave is not None:
            play.do("leave", seat=2, granted=leave)
        number = play.do("declare", seat=2, game=game, suit=suit)
        play.finish()
        assert play.offences() == ([] if leave else [("no_leave", 2, number, number, section)])
        assert play.game.result.struck == (not leave)
        assert play.round.totals[2] == (play.game.result.score[2] if leave else 0)
        assert play.round.games_left == 31 and play.round.next_dealer == 2  # struck without replacement

    def test_between_declaration_and_first_card(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({})
        play.alone(2, "wenz-tout")
        play.do("leave", seat=2, granted=True)
        assert play.offences() == []
        play.lay()
        with pytest.raises(BadEvent, match="before the first card"):
            play.do("leave", seat=2, granted=True)

    def test_a_leave_is_for_its_player(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({})
        play.do("leave", seat=3, granted=True)
        play.alone(2, "wenz-tout")
        assert [code for code, *_ in play.offences()] == ["no_leave"]

    def test_named_anew_it_needs_none(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({})
        play.alone(2, "wenz-tout")
        play.do("declare", seat=2, game="wenz")
        assert play.offences() == []

    def test_refused_it_is_lowered(self, schafkopf: Any) -> None:
        """II 2.2: the class goes down to Wenz or Solo, and others may speak again."""
        play = bidding(schafkopf())
        play.do("bid", seat=2, **{"class": "rufspiel"})
        play.do("bid", seat=3, **{"class": "wenz-tout"})
        play.do("leave", seat=3, granted=False)
        play.do("call", seat=4, call="auch")
        play.do("bid", seat=3, **{"class": "wenz"})
        play.do("bid", seat=4, **{"class": None})
        play.do("declare", seat=3, game="wenz")
        assert [code for code, *_ in play.offences()] == ["not_entitled"]  # seat 4 is third now and needs a Solo

    def test_refused_and_annulled(self, schafkopf: Any) -> None:
        """II 2.2: as if he had never wanted to play: the next ones move up."""
        play = bidding(schafkopf(), 3)
        play.do("bid", seat=2, **{"class": "rufspiel"})
        play.do("bid", seat=3, **{"class": "wenz-tout"})
        play.do("leave", seat=3, granted=False)
        play.do("call", seat=3, call="weiter")
        play.do("bid", seat=4, **{"class": "wenz"})
        play.do("declare", seat=4, game="wenz")
        assert play.offences() == []

    def test_three_lost_alleinspiele(self, schafkopf: Any) -> None:
        """II 2.2: from the fourth on each needs leave; a Rufspiel does not, nor does another player's."""
        play = schafkopf()
        weak = "E7 E8 G7 G8 S7 S8 H7 H8"
        for _ in range(3):
            play.deal_hands({1: weak})
            play.alone(1)
            play.finish()
            assert play.result()[0] == "kontra" and play.offences() == []
        play.deal_hands({1: weak, 2: "EU GU HU SU"})
        play.alone(2)
        assert play.offences() == []
        play.finish()
        play.deal_hands({1: weak})
        number = play.alone(1)
        assert play.offences() == [("no_leave", 1, number, number, "II 2.2")]
        play.do("declare", seat=1, game="rufspiel", card="EA")
        assert play.offences() == []
        play.do("declare", seat=1, game="wenz")
        play.do("leave", seat=1, granted=True)
        play.finish()
        assert play.offences() == [] and play.round.totals[1] < 0

    @pytest.mark.parametrize("limit", [1, 2])
    def test_the_number_is_an_option_and_struck_ones_do_not_count(self, schafkopf: Any, limit: int) -> None:
        play = schafkopf(lost_alleinspiele=limit)
        weak = "E7 E8 G7 G8 S7 S8 H7 H8"
        for _ in range(limit):
            play.deal_hands({1: weak})
            play.alone(1)
            play.finish()
        play.deal_hands({1: weak})
        play.alone(1)
        assert [code for code, *_ in play.offences()] == ["no_leave"]
        play.do("void")
        play.do("strike", game=1)
        play.deal_hands({1: weak})
        play.alone(1)
        assert play.offences() == []

    def test_a_lost_rufspiel_is_no_lost_alleinspiel(self, schafkopf: Any) -> None:
        play = schafkopf(lost_alleinspiele=1)
        play.deal_hands({1: "E7 E8 G7 G8 S7 S8 H7 H8", 3: "EA E9 EK G9 GK S9 SK H9"})
        play.alone(1, "rufspiel", card="EA")
        play.finish()
        assert play.result()[0] == "kontra" and play.round.solos_lost == dict.fromkeys((1, 2, 3, 4), 0)
        play.deal_hands({1: "E7 E8 G7 G8 S7 S8 H7 H8"})
        play.alone(1)
        assert play.offences() == []
        play.finish()
        assert play.round.solos_lost == {1: 1, 2: 0, 3: 0, 4: 0}

    def test_a_person_is_refused(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.do("release")
        play.deal_hands({})
        play.ask("spielen", "recht", "recht", "recht")
        with pytest.raises(Refused) as refused:
            decide(play.round, decode_request({"event": "declare", "seat": 2, "game": "sie"}))
        assert (refused.value.code, refused.value.section) == ("no_leave", "schaffkopf II 4.1.1")


NO_ACE = "E7 E8 G7 G8 S7 HA HT HK"


class TestEntitled:
    """II 3.1.6 and 3.1.7; proved by the scanned hand at the declaration."""

    @pytest.mark.parametrize(
        ("hand", "card", "entitled"),
        [
            pytest.param(NO_ACE, "EA", True, id="a card of the suit, not its ace"),
            pytest.param("EA E8 G7 G8 S7 HA HT HK", "EA", False, id="3.1.6 has the ace"),
            pytest.param("EO EU G7 G8 S7 HA HT HK", "EA", False, id="3.1.6 only Ober and Unter of the suit"),
            pytest.param("EA GA SA ET GT ST HA HT", "SA", False, id="3.1.6 gesperrt"),
        ],
    )
    def test_rufspiel(self, schafkopf: Any, hand: str, card: str, entitled: bool) -> None:
        play = schafkopf()
        play.deal_hands({2: hand})
        play.scan(2)
        number = play.alone(2, "rufspiel", card=card)
        assert play.offences() == ([] if entitled else [("not_entitled", 2, number, number, "II 3.1.6")])

    @pytest.mark.parametrize(
        ("hand", "card", "renonce", "entitled"),
        [
            pytest.param("EO E8 G7 G8 S7 HA HT HK", "EA", False, True, id="case 1: an ace called as in a Rufspiel"),
            pytest.param("GO E8 G7 G8 S7 HA HT HK", "EA", False, False, id="2.1.1 without Eichel Ober"),
            pytest.param("EO GO G7 G8 S7 HA HT HK", "EA", False, False, id="case 1: no card of the suit"),
            pytest.param("EO GO G7 G8 S7 HA HT HK", "EA", True, False, id="case 2: another ace can be called"),
            pytest.param("EO GO HO SO EU HA HT HK", "EA", True, True, id="case 2: no plain suit at all"),
            pytest.param("EO GO HO GA G7 HA HT HK", "EA", True, True, id="case 2: of the others the ace or nothing"),
            pytest.param("EO GO HO GA G7 HA HT HK", "GA", True, False, id="case 2: has that ace himself"),
            pytest.param("EO GO HO GA G7 SA HT HK", "EA", False, False, id="case 2: not without Renonce"),
            pytest.param("EO EA GA SA HA HT HK H9", "ET", False, True, id="case 3: all three aces"),
            pytest.param("EO EA GA G7 HA HT HK H9", "ET", False, False, id="case 3: not with two"),
            pytest.param("EO EA GA SA ET HT HK H9", "ET", False, False, id="case 3: has that ten himself"),
            pytest.param("EO EA GA SA ET GT ST H9", "EK", False, True, id="case 4: all aces and tens"),
            pytest.param("EO EA GA SA ET GT ST EK", "EK", False, False, id="case 4: has that king himself"),
            pytest.param("EO EA GA SA ET GT HT H9", "EK", False, False, id="case 4: not with two tens"),
        ],
    )
    def test_muss(self, schafkopf: Any, hand: str, card: str, renonce: bool, entitled: bool) -> None:
        play = schafkopf()
        play.deal_hands({2: hand})
        play.scan(2)
        play.ask(*["weiter"] * 4)
        number = play.do("declare", seat=2, game="muss", card=card, renonce=renonce)
        assert play.offences() == ([] if entitled else [("not_entitled", 2, number, number, "II 3.1.7")])

    def test_proved_by_a_card(self, schafkopf: Any) -> None:
        """The called ace in the Spielmacher's own hand: certain when he lays it."""
        play = schafkopf()
        play.deal_hands({2: "EA E7"})
        declared = play.alone(2, "rufspiel", card="EA")
        number = play.card(2, "EA")
        assert play.offences() == [("not_entitled", 2, declared, number, "II 3.1.6")]
        play.finish()
        assert play.game.result.re == (2,) and sum(play.game.result.score.values()) == 0

    def test_muss_proved_by_anothers_card(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "E7", 3: "EO"})
        play.ask(*["weiter"] * 4)
        declared = play.do("declare", seat=2, game="muss", card="EA")
        play.card(2, "H7") if "H7" in play.hands[2] else play.card(2, play.hands[2][0])
        assert play.offences() == []
        number = play.card(3, "EO")
        assert ("not_entitled", 2, declared, number, "II 3.1.7") in play.offences()

    def test_the_called_card_seen_elsewhere_leaves_the_rufspiel(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "E7", 3: "EA"})
        play.alone(2, "rufspiel", card="EA")
        play.card(2, "E7")
        play.card(3, "EA")
        assert play.offences() == [] and play.game.ruled == {2, 3} and play.game.clear


class TestSie:
    HAND = "EO GO HO SO EU GU HU SU"

    def test_is_not_played_out(self, schafkopf: Any) -> None:
        """II 4.1.1: 12 points, no tricks."""
        play = schafkopf()
        play.deal_hands({2: self.HAND})
        play.scan(2)
        play.alone(2, "sie", leave=True)
        assert not play.round.running and play.offences() == []
        assert play.result() == ("re", [("base", 12)], {2: 36, 3: -12, 4: -12, 1: -12})
        assert play.game.result.points == {"re": 120, "kontra": 0} and play.game.tricks == ()

    def test_shown_without_the_cards(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: "EO GO HO SO EU GU HU HA"})
        number = play.alone(2, "sie", leave=True)
        play.scan(2)
        assert play.offences() == [("not_entitled", 2, number, number + 1, "II 4.1.1")]

    def test_another_holds_one(self, schafkopf: Any) -> None:
        play = schafkopf()
        play.deal_hands({2: self.HAND})
        play.scan(3)
        play.alone(2, "sie", leave=True)
        assert play.offences() == []
        other = schafkopf()
        other.deal_hands({3: "SU"})
        other.scan(3)
        other.alone(2, "sie", leave=True)
        assert [code for code, *_ in other.offences()] == ["not_entitled"]


class TestOptions:
    @pytest.mark.parametrize("option", SCHAFFKOPF.options, ids=lambda option: option.name)
    def test_each_has_a_section_and_takes_its_values(self, option: Any) -> None:
        assert option.section and option.default in option.values
        for value in list(option.values)[:3]:
            assert SCHAFFKOPF.settle({option.name: value})[option.name] == value

    @pytest.mark.parametrize(
        ("given", "match"),
        [
            ({"second_ht": "never"}, "unknown option 'second_ht' of schaffkopf"),
            ({"games": 0}, "a whole number from 1 to 200"),
            ({"games": True}, "cannot be True"),
            ({"games": "32"}, "cannot be '32'"),
            ({"after_davonlaufen": "bound"}, "one of 'free', 'lay_only'"),
            ({"davonlaufen_king": 1}, "from 2 to 6"),
        ],
    )
    def test_refused(self, given: dict[str, Any], match: str) -> None:
        opened = {"event": "open", "format": 1, "rules": "schaffkopf", "players": list("ABCD"), "options": given}
        with pytest.raises(BadEvent, match=match):
            open_round(decode(opened))

    def test_five_players(self) -> None:
        """I 1.3: four, nobody else."""
        with pytest.raises(BadEvent, match="4 at a table, not 5"):
            open_round(decode({"event": "open", "format": 1, "rules": "schaffkopf", "players": list("ABCDE")}))

    def test_others_refuse_ours(self) -> None:
        opened = {"event": "open", "format": 1, "rules": "eppstein", "players": list("ABCD"), "options": {"games": 32}}
        if "games" in {option.name for option in BOOKS["eppstein"].options}:
            opened["options"] = {"value_sie": 12}
        with pytest.raises(BadEvent, match="unknown option"):
            open_round(decode(opened))
