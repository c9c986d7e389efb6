"""What a game's cards leave open, computed by hand: kinds too often laid, scans, numbers of a hand, sides, turns."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from kiosk.rules.books import EPPSTEIN
from kiosk.rules.engine.breaches import readings_of
from kiosk.rules.engine.open_knowledge import open_knowledge
from kiosk.rules.engine.readings import Readings, placed
from kiosk.table.inference.certain import certain
from tests.rules.as_played import SCAN, played
from tests.rules.composed.books import made

TRUMPS = EPPSTEIN.normal.members["trump"]
CLUBS = frozenset({"CA", "CT", "CK", "C9"})


def test_placing_is_what_trying_all_finds() -> None:
    chance = random.Random(4)
    for _ in range(400):
        room = {kind: chance.randint(0, 3) for kind in "ABC"}
        wants = [chance.sample("ABC", chance.choice((1, 2, 2, 3))) for _ in range(chance.randint(1, 6))]
        fits = any(not Counter(chosen) - Counter(room) for chosen in product(*wants))
        found = placed(wants, room)
        assert (found is not None) == fits
        assert found is None or (
            not Counter(found) - Counter(room) and all(kind in want for kind, want in zip(found, wants, strict=True))
        )


@pytest.mark.parametrize(
    ("cards", "over", "suspects", "consistent"),
    [
        pytest.param("1CA 2CA", "", (), True, id="two"),
        pytest.param("1CA 2CA 3CA", "CA", (2, 3, 4), True, id="three"),
        pytest.param("1CA 2CA 3CA 4CA", "CA CA", (2, 3, 4, 5), True, id="four"),
        pytest.param("1CA 2CA 3CA 4CA 1CK 2CK 3CK", "CA CA CK", (2, 3, 4, 5, 6, 7, 8), True, id="three and four"),
        pytest.param("1CA 2CA 3CA/SA", "", (), True, id="the third is perhaps another"),
        pytest.param("1CA 2CA/CK 3CA/CK 4CA/CK", "", (), True, id="three for four places"),
        pytest.param("1CA 2CA 3CA/CK 4CK 1CK", "", (), False, id="no place for one in doubt"),
        pytest.param("1CA 2CA 3CA 4CA/SA", "CA", (2, 3, 4), True, id="what is in doubt is no suspect"),
        pytest.param("1CA 2CK 2-CK 2S9 3CK 4CK", "CK", (6, 7), True, id="shown and held since"),
        pytest.param("1CA 2CK 2-CK 2CK 3CK", "", (), True, id="shown and laid again"),
        pytest.param("1CA 2CK 2-CK 2CK/S9 3CK 4HA", "", (), True, id="shown, and perhaps laid again"),
        pytest.param("1CA 2CK/S9 2-CK 2H9 3CK 4CK", "", (), True, id="perhaps shown"),
        pytest.param("1CA 2S9 3S9 4HA 1CA 2CK 2-CK 2HK 3CK 4CK", "CK", (10, 11), True, id="in the second trick"),
        pytest.param("1damensolo 1CK 1-CK 1CA 2CK 3C9 4CT 1claim=CK", "", (), True, id="shown, then named: one"),
        pytest.param("1damensolo 1CA 2CK 2-CK 2C9 3CK 4CT 1claim=CK", "CK", (7,), True, id="and another has shown it"),
        pytest.param("1damensolo 1CK 1-CK 1CA 2ST 2-ST 2CT 3ST 4ST 1claim=CK", "ST", (9, 10), True, id="another's"),
        pytest.param("1CA 2CK 3S9 4HA 1CT 2CK 2-CK 2HK 3CK 4HT", "CK", (3, 10), True, id="laid before it was shown"),
    ],
)  # fmt: skip
def test_too_many_of_a_kind(play: Any, cards: str, over: str, suspects: tuple[int, ...], consistent: bool) -> None:
    found = Readings(played(play, cards).game)
    assert (found.over, found.too_many) == (frozenset(over.split()), len(over.split()))
    assert (found.suspects, found.consistent) == (suspects, consistent)


@pytest.mark.parametrize(
    ("cards", "aside", "contradicted"),
    [
        pytest.param(f"{SCAN} 1CA 2CT", "", "", id="it fits"),
        pytest.param(f"{SCAN} 1CA 2CT 3CT", "", "", id="each has one"),
        pytest.param(f"{SCAN} 1CA 2CT 3CT 4CT", "2", "", id="a third copy: nobody knows whose"),
        pytest.param(f"{SCAN} 1HA", "2", "", id="it has both"),
        pytest.param(f"{SCAN} 1HA/HK", "", "", id="perhaps"),
        pytest.param(f"{SCAN} 1HK 2HA 3HA", "2", "", id="one of them lies, it has the other one"),
        pytest.param(f"{SCAN} 1HK 2HA 3H9 4HT 1HK 2HA 3H9 4HA", "2", "", id="it has laid both: a misread"),
        pytest.param(f"{SCAN} 3=CT,CT,CA,CA,CK,CK,SK,SK,HK,HK,H9,H9", "23", "", id="two scans with three CT"),
        pytest.param(f"{SCAN} 1CA 2CK/HA", "", "", id="a doubtful card that it holds"),
        pytest.param(f"{SCAN} 1HK 2HA/H9 3H9 4HT 1SA 2HA/S9", "", "", id="both are HA"),
        pytest.param(
            f"{SCAN} 3=HA,CK,CK,SK,SK,HK,HK,H9,H9,DJ,DJ,DA 1HT 2HA 3DJ 4DQ 1HT 2HA",
            "3",
            "",
            id="one scan is played out",
        ),
        pytest.param(f"{SCAN} 3=HA,CK,CK,SK,SK,HK,HK,H9,H9,DJ,DJ,DA 1HT 2HA 3DJ 4DQ 1HT 2DK", "23", "", id="none is"),
        pytest.param("2=CA 3=SA 1HT 2CA 3SA 4DQ", "", "", id="scans of one card each"),
    ],
)
def test_scans(play: Any, cards: str, aside: str, contradicted: str) -> None:
    found = Readings(played(play, cards).game)
    assert "".join(map(str, sorted(found.aside))) == aside
    assert "".join(map(str, sorted(found.contradicted))) == contradicted


def doubtful(tricks: int) -> str:
    """Tricks in which seat 2 lays a club or the same card of spades, the others trumps and hearts."""
    perhaps = [f"2C{rank}/S{rank}" for rank in "9KTA9KTA"] + ["2DK/DT"]
    others = iter([card for card in EPPSTEIN.deck if (card[0] in "HD" or card[1] in "QJ") and card not in ("DK", "DT")])
    return " ".join(f"1{next(others)} {own} 3{next(others)} 4{next(others)}" for own in perhaps[:tricks])


@pytest.mark.parametrize(
    ("cards", "seat", "kinds", "least", "most"),
    [
        pytest.param("1CA 2S9/C9", 2, CLUBS, 0, 7, id="all clubs but one"),
        pytest.param("1CA 2C9/CK", 2, CLUBS, 1, 7, id="it is a club"),
        pytest.param("1CA 2S9/SK", 2, CLUBS, 0, 7, id="it is none"),
        pytest.param("1CA 2S9/C9 3S9 4S9", 2, CLUBS, 1, 7, id="no S9 is left"),
        pytest.param("1CA/SA 2HK 3H9 4HT", 3, CLUBS, 0, 8, id="another's doubt"),
        pytest.param("1CA/CK 2HK 3H9 4HT", 3, CLUBS, 0, 7, id="another's club"),
        pytest.param(f"{SCAN} 1CA/CK 2HK/HA", 2, CLUBS, 2, 2, id="a scan"),
        pytest.param(f"{SCAN} 1CA/SA 2HK/HA", 3, CLUBS, 0, 6, id="two are scanned"),
        pytest.param("1CA 2CK/ST 2-CK 2H9 3C9/S9", 2, CLUBS, 0, 7, id="perhaps shown"),
        pytest.param("1CA 2CK 2-CK 2H9 3C9/S9", 2, CLUBS, 1, 7, id="shown"),
        pytest.param("1CA 2CK 2-CK 2CK/H9 3C9/S9", 2, CLUBS, 1, 7, id="shown, or laid"),
        pytest.param("1CA 2CK 2-CK 2H9 3S9/SK", 3, CLUBS, 0, 6, id="another holds what he has shown"),
        pytest.param("1CA 2CK 2-CK 2H9 3S9/SK", 2, TRUMPS, 0, 10, id="what he has shown takes a place"),
        pytest.param("1CA 2S9/SK", 2, TRUMPS, 0, 11, id="what is in doubt takes a place"),
        pytest.param("1CA 2CK/CT", 2, frozenset(EPPSTEIN.deck), 12, 12, id="all are cards"),
        pytest.param("1CA 2CK/SQ 2-CK 2H9 3C9/S9", 2, TRUMPS, 0, 11, id="perhaps a trump was shown"),
        pytest.param("1CA 2CQ/CJ", 2, TRUMPS, 1, 12, id="a trump in any case"),
        pytest.param("1*/S9", 1, CLUBS, 0, 8, id="nobody saw it"),
        pytest.param("1CA 2CK 2-CK 2CK 3S9/SK", 2, CLUBS, 1, 7, id="shown and laid in the same trick"),
        pytest.param(
            "1CA 2CK 2-CK 2ST 2-ST 2CK 3S9/SK", 2, frozenset({"ST"}), 1, 2, id="shown, and another laid again"
        ),
        pytest.param("1CA 2CK 2-CK 2CK 3C9 4CT 1HA 2CK 2-CK 2HK 3H9/S9", 2, CLUBS, 2, 5, id="shown once more"),
        pytest.param("1CA 2CK 2-CK 2CK/CT 2-CK 2H9 3C9/S9", 2, CLUBS, 1, 7, id="perhaps the same shown twice"),
        pytest.param(
            "1CA 2CK 2-CK 2CK/CT 2-CK 2H9 3C9 4CA 1HT 2DK 3D9/S9", 2, CLUBS, 1, 5, id="perhaps the same, a trick before"
        ),
        pytest.param("1CA 2CK 2-CK 2H9 3CK/S9", 2, CLUBS, 1, 7, id="what he has shown is not another's"),
        pytest.param("1CA 2CK 2-CK 2H9 3CK/S9", 2, TRUMPS, 0, 10, id="and takes a place of his own"),
        pytest.param("1damensolo 1CA 2CT 3C9 4CT 1CK 2C9 3S9/SK 4SA 1claim=CK", 1, CLUBS, 3, 4, id="named in a claim"),
        pytest.param("1damensolo 1CA 2CT 3C9 4CT 1SA 2C9 3S9/SK 4SA 1claim=CK", 1, CLUBS, 2, 4, id="one is"),
        pytest.param("1damensolo 1CK 1-CK 1CA 2CT 3C9/S9 4CT 1claim=CK", 1, CLUBS, 2, 6, id="shown, then named"),
        pytest.param("1damensolo 1CK/SK 1-CK 1CA 2CT 3C9/S9 4CT 1claim=CK", 1, CLUBS, 2, 6, id="perhaps shown, named"),
        pytest.param("1damensolo 1CK 1-CK 1CA 2CT 3C9/S9 4CT 1claim=C9", 1, CLUBS, 3, 6, id="another is named"),
        pytest.param("1CA 2CK/ST 3C9 4CT 1HA 2CT 2-CT 2HK 3H9/S9", 2, CLUBS, 1, 5, id="shown later than it"),
        pytest.param("1CA 2D9/C9", 2, TRUMPS, 0, 12, id="as many as a hand is large"),
        pytest.param("1CA 2S9/D9 3HA 4HK 1HT 2C9/DK", 2, TRUMPS, 0, 12, id="with both in doubt"),
        pytest.param(f"{SCAN} 1CA 2CK/SQ 2-CK 2CT", 2, CLUBS, 2, 2, id="a scan says what he has shown"),
        pytest.param(doubtful(8), 2, CLUBS, 0, 8, id="eight in doubt"),
        pytest.param(doubtful(9), 2, CLUBS, 0, 12, id="with more of them in doubt it is not counted"),
    ],
)
def test_numbers_of_a_hand(play: Any, cards: str, seat: int, kinds: frozenset[str], least: int, most: int) -> None:
    known = open_knowledge(readings_of(played(play, cards).game))
    assert known.room(seat, kinds.__contains__) == (least, most)
    assert known.fewest(seat, kinds) == least
    assert [n for n in range(13) if known.may_hold(seat, n, kinds.__contains__)] == [*range(least, most + 1)]


def test_not_every_number_between_two_can_be(play: Any) -> None:
    """Of seat 2's two cards both are clubs or none is, by what is left for seat 3's."""
    cards = "1CA 2CK/SK 3SK/CT 4CA 1CK 2CT/ST 3ST/CK 4CT 1SK 2HA 3C9 4C9 1ST"
    known = open_knowledge(readings_of(played(play, cards).game))
    assert known.room(2, CLUBS.__contains__) == (0, 2)
    assert [n for n in range(4) if known.may_hold(2, n, CLUBS.__contains__)] == [0, 2]


@pytest.mark.parametrize(
    ("seat", "kinds", "since", "possible"),
    [
        pytest.param(1, "CA", 0, False, id="laid in the first trick"),
        pytest.param(1, "CA", 1, True, id="not since"),
        pytest.param(2, "CK", 0, True, id="perhaps laid in the first trick"),
        pytest.param(2, "CK S9", 0, False, id="one of them was laid"),
        pytest.param(2, "CK S9", 1, True, id="neither since"),
        pytest.param(1, "HA", 1, False, id="laid in the second trick"),
        pytest.param(1, "HA", 2, True, id="and not since"),
    ],
)
def test_whether_a_hand_had_none_left(play: Any, seat: int, kinds: str, since: int, possible: bool) -> None:
    found = Readings(played(play, "1CA 2CK/S9 3C9 4CT 1HA").game)
    assert found.possible({}, seat, frozenset(kinds.split()), since) == possible


@pytest.mark.parametrize(
    ("cards", "held", "lacking", "fits"),
    [
        pytest.param("1CA 2S9/C9", "C9", "", True, id="the doubtful one"),
        pytest.param("1CA 2S9/C9", "", "C9 S9", False, id="it is one of the two"),
        pytest.param("1CA 2S9/C9", "", "C9", True, id="it is the other"),
        pytest.param("1CA 2S9/C9", "C9", "C9", False, id="held and not"),
        pytest.param("1CA 2S9/C9 3S9 4S9", "", "C9", False, id="no other is left"),
        pytest.param("1CA 2S9/C9 3C9 4C9", "C9", "", False, id="it is left for nobody"),
        pytest.param("1CA 2S9 3CQ 4CQ/CJ", "CQ", "", True, id="one CQ perhaps"),
        pytest.param("1CA 2S9 3CQ 4CQ", "CQ", "", False, id="both lie"),
        pytest.param("1CA 2S9 3C9", "S9", "S9", False, id="laid"),
        pytest.param("1CA 2S9 3C9", "S9 CQ", "CJ", True, id="laid, and two others"),
        pytest.param("1CA 2CK 2-CK 2CK/H9 3CK", "", "H9", True, id="what he has shown lies again perhaps"),
        pytest.param("1CA 2CK 2-CK 2S9/H9 3CK", "CK H9", "", True, id="what he has shown is held"),
        pytest.param("1CA 2CK 2-CK 2S9/H9 3CK", "", "CK", False, id="held in any case"),
        pytest.param(f"{SCAN} 1CA/SK 2CT", "SQ CJ", "CQ SK", True, id="scanned"),
        pytest.param(f"{SCAN} 1CA/SK 2CT", "SK", "", False, id="not scanned"),
        pytest.param(f"{SCAN} 1CA/SK 2CT", "", "SQ", False, id="scanned and lacking"),
        pytest.param("1CA 2CK/C9 3CK/C9 4CK/C9", "CK C9", "", True, id="one of four is left"),
        pytest.param("1CA 2CK/C9 3CK/C9 4CK/C9 1CK/C9", "CK C9", "", False, id="none of four is left"),
        pytest.param("1CA 2CK 2-CK 2CK/H9 3CK", "CK", "H9", True, id="what he has shown is what lies"),
        pytest.param("2=CA,SA 1HT 2CA/SK 3C9 4CT 1HA 2SA", "HK", "", False, id="all of it lies"),
        pytest.param("2=CA,SA 1HT 2CA/SK 3C9 4CT 1HA 2SA", "CA", "SK", True, id="all of it lies, and it was there"),
        pytest.param("1CA 2CK 2-CK 2CK/H9 3C9 4CT 1HA 2CT/HK", "", "CT HK", False, id="and another one is one of two"),
        pytest.param("1CA 2CK 2-CK 2CK/H9 3C9 4CT 1HA 2CT/HK", "CK", "HK", True, id="and another one may be either"),
    ],
)
def test_what_a_hand_can_have_been(play: Any, cards: str, held: str, lacking: str, fits: bool) -> None:
    known = open_knowledge(readings_of(played(play, cards).game))
    assert known.fits(2, held.split(), lacking.split()) == fits
    if not held:
        assert all(known.holds(2, card) for card in lacking.split()[:1] if len(lacking.split()) == 1) != fits


#: Eight cards each of which is perhaps CA.
PERHAPS = "1HA/CA 2HK/CA 3H9/CA 4HJ/CA 1DA/CA 2DK/CA 3D9/CA 4CQ/CA"


@pytest.mark.parametrize(
    ("cards", "most", "tricks", "number"),
    [
        pytest.param("1CA/CK", 2, 9, 2, id="two"),
        pytest.param("1CA/CK", 1, 9, None, id="more than wanted"),
        pytest.param("1CA/CK 2CT/C9/SA", 6, 9, 6, id="two by three"),
        pytest.param("1CA/CK 2CA/CK 3CA/CK", 6, 9, 6, id="not three of a kind"),
        pytest.param("1CA/CK 2CA 3CA", 2, 9, 1, id="the deck has no other"),
        pytest.param("1CA/CK 2CT 3C9 4SA 1CT/C9", 2, 1, 2, id="of the first trick"),
        pytest.param("1CA/CK 2CT 3C9 4SA 1CT/C9", 4, 2, 4, id="of both"),
        pytest.param("1CA/CK 2CT 3C9", 2, 0, 1, id="of none"),
        pytest.param("1CA 2CT", 2, 9, 1, id="none in doubt"),
        pytest.param("1CA/CK 2CT 3CK 4CK", 1, 9, 1, id="one is left, and no more is wanted"),
        pytest.param("1CA/CK 2CA/CK 3CA 4CK", 2, 9, 2, id="one of each is left for two"),
        pytest.param(f"1CA 2HT 3CA 4SA {PERHAPS}", 1, 9, 1, id="none is left for any of eight"),
        pytest.param(f"1CA 2HT 3ST 4SA {PERHAPS.removesuffix(' 4CQ/CA')}", 8, 9, 8, id="one is left for seven"),
    ],
)
def test_joint_readings(play: Any, cards: str, most: int, tricks: int, number: int | None) -> None:
    found = Readings(played(play, cards).game).all(most, tricks)
    assert (None if found is None else len(found)) == number
    assert found is None or len({tuple(sorted(one.items())) for one in found}) == number


def of(code: str) -> Callable[[Any], list[tuple[int, int]]]:
    return lambda table: [(one.seat, one.event) for one in certain(table.round) if one.code == code]


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        pytest.param("1C9 2CA/SA 3CK 4CT 2HA", [], id="his with one of them"),
        pytest.param("1C9 2CA/SA 3CK 4CT 1HA", [(1, 6)], id="C9 takes nothing"),
        pytest.param("1CA 2CA/SA 3CK 4CT 2HA", [(2, 6)], id="of two equal ones the first"),
        pytest.param("1CA/CK 2CA 3CK 4CT 2HA", [], id="perhaps the only one"),
        pytest.param("1HT 2HT 3DK/D9 4DJ 2HA", [], id="the second Dulle"),
        pytest.param("1HT 2HT 3DK/D9 4DJ 1HA", [(1, 6)], id="the second Dulle takes the first"),
        pytest.param("1HT/DA 2HT 3DK 4DJ 1HA", [(1, 6)], id="a Dulle in any case"),
        pytest.param("1CQ 2CQ/SQ 3DK 4DJ 2HA", [(2, 6)], id="the second CQ takes nothing"),
        pytest.param("1CQ/SQ 2CQ 3DK 4DJ 2HA", [], id="or the first one"),
        pytest.param("1CA/SA 2SK 3CK 4CT 2HA", [(2, 6)], id="its suit led, and it is too low"),
        pytest.param("1CA/S9 2SK 3CK 4CT 2HA", [], id="its suit led perhaps"),
        pytest.param("1CA/S9 2SK 3CK 4CT 4HA", [(4, 6)], id="below the ace, or not of the suit"),
        pytest.param("1C9 2CK 3D9/SA 4CA 4HA", [], id="no trump perhaps"),
        pytest.param("1C9 2CK 3D9/DK 4CA 4HA", [(4, 6)], id="a trump in any case"),
        pytest.param("1C9 2CK 3D9/DK 4CA 3HA", [], id="it is the trump's"),
        pytest.param("1* 2CK 3SA 4CA 1HA", [], id="what was led may be anything"),
        pytest.param("1* 2CQ 3HT 4CA 2HA", [(2, 6)], id="HT beats CQ whatever was led"),
        pytest.param("1C9 2* 3SA 4CA 3HA", [(3, 6)], id="SA takes nothing from clubs"),
        pytest.param("1C9 2CA/SA 3CK 4CT 2HA 3SA 4SA", [], id="it is CA now"),
        pytest.param("1C9 2SA/CA 3CK 4CT 4HA 1SA 2S9 3SA", [(4, 6)], id="it is CA now, and not as it counts"),
        pytest.param("1C9 2CA/SA 3CK 4CT 2HA 3CA 4CA", [(2, 6)], id="it is SA now, and takes nothing"),
        pytest.param("1C9/CK 2SA/CA 3CK/C9 4CT/S9 4HA 1SA 2S9 3SA", [(4, 6)], id="all are in doubt, and it is CA now"),
    ],
)
def test_whose_trick_it_was(play: Any, cards: str, found: list[tuple[int, int]]) -> None:
    assert of("out_of_turn")(played(play, cards)) == found


@pytest.mark.parametrize(
    ("cards", "code", "found"),
    [
        pytest.param("1re 1CQ 2DK 3CQ 4D9/S9", "wrong_side", [], id="he has laid it"),
        pytest.param("1kontra 1CQ 2DK 3CJ 4D9/S9", "wrong_side", [(1, 2)], id="Kontra with CQ"),
        pytest.param("1kontra 1CQ/SQ 2DK 3CJ 4D9", "wrong_side", [], id="perhaps with CQ"),
        pytest.param("2re 1CQ 2DK 3CQ 4D9/S9", "wrong_side", [(2, 2)], id="both are others'"),
        pytest.param("2re 1CQ 2DK 3CQ/CJ 4D9", "wrong_side", [], id="perhaps they are"),
        pytest.param("2re 1CQ/CJ 2DK 3CQ/CJ 4CJ 1CJ", "wrong_side", [(2, 2)], id="no CJ is left"),
        pytest.param("1hochzeit 1CQ 2DK 3CQ 4D9/S9", "not_entitled", [(1, 2)], id="another has one"),
        pytest.param("1hochzeit 1CQ 2DK 3CQ/SQ 4D9", "not_entitled", [], id="another has one perhaps"),
        pytest.param("1hochzeit 1CQ 2DK 3CQ/SQ 4SQ 3SQ", "not_entitled", [(1, 2)], id="no SQ is left"),
        pytest.param("1hochzeit 1kontra 1DQ/DK 2DJ 3DJ 4D9", "wrong_side", [(1, 3)], id="the Hochzeiter says Kontra"),
        pytest.param("1hochzeit 1re 1DQ/DK 2DJ 3DJ 4D9", "wrong_side", [], id="the Hochzeiter says Re"),
        pytest.param("1hochzeit 3re 1C9 2CA 3CK/S9 4CT", "wrong_side", [], id="the Klärungsstich is in doubt"),
        pytest.param("1hochzeit 1C9 2CA 3CK 4CT 2HA/HK 3re", "wrong_side", [(3, 8)], id="the Klärungsstich is not"),
        pytest.param("1hochzeit 1C9 2CA 3CK 4CT 2HA/HK 2re", "wrong_side", [], id="the partner says Re"),
        pytest.param("1hochzeit 1C9 2CA 3CK 4CT 2HA/HK 2kontra", "wrong_side", [(2, 8)], id="the partner says Kontra"),
        pytest.param("1hochzeit 1C9 2CA 3CK 4CT 2HA/HK 3kontra", "wrong_side", [], id="an opponent says Kontra"),
        pytest.param(
            "1hochzeit 1C9 2CA 3CK 4CT 2HA 3H9/HK 4HK 1HT 3re", "wrong_side", [(3, 11)], id="the trick after it is"
        ),
        pytest.param("1hochzeit 1CA 2C9 3CK/S9 4CT 1HA 2H9 3HK 4DQ 3re", "wrong_side", [], id="the trick before it is"),
        pytest.param("1damensolo 1C9 2CA/CT 3CK 4CT 3re", "wrong_side", [(3, 7)], id="an opponent of a solo"),
        pytest.param("1damensolo 1C9 2CA/CT 3CK 4CT 1re", "wrong_side", [], id="the soloist"),
        pytest.param(f"{SCAN} 1gesund 2re", "wrong_side", [], id="while it is asked: he may play a solo yet"),
        pytest.param(f"{SCAN} 2re 1CA", "wrong_side", [(2, 3)], id="with the first card"),
    ],
)
def test_sides_and_games(play: Any, cards: str, code: str, found: list[tuple[int, int]]) -> None:
    assert of(code)(played(play, cards)) == found


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK~", [], id="what shows it is weak"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK~~~", [], id="250 to 1 is not enough"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK~~~~", [("revoke", 2, 3)], id="650 to 1 is"),
        pytest.param("1CA 2S9~ 3C9 4CT 1HA 2CK", [], id="the breach is weak"),
        pytest.param("1CA~ 2S9 3C9 4CT 1HA 2CK", [], id="what was led is weak"),
        pytest.param("1CA 2S9 3C9~ 4CT 1HA~ 2CK 3H9~~", [("revoke", 2, 3)], id="others are weak"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK~~ 3H9 4HK 1SA 2CT", [("revoke", 2, 3)], id="another shows it too"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK~ 3H9 4HK 1SA 2CT~", [("revoke", 2, 3)], id="two of them"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK~~ 3H9 4HK 1SA 2CT~~", [], id="two very weak ones"),
        pytest.param(
            "1CA 2S9 3C9 4CT 1HA 2CK~~ 3H9 4HK 1SA 2CT~~ 3SK 4ST 1DA 2C9~~", [("revoke", 2, 3)],
            id="three very weak ones",
        ),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK/SK 3SK 4SK~", [], id="one of those that exclude it is weak"),
        pytest.param("1CA 2S9 3C9 4CT 1HA 2CK 3H9 4HK 1SA 2CT~~ 3CK~~ 4CK", [("impossible_card", 4, 13)],
                     id="a weak club, and a king of three, of which another is weak"),
        pytest.param(f"{SCAN} 1CA 2SA", [("revoke", 2, 4)], id="a scan shows it"),
        pytest.param(f"{SCAN} 1CA~ 2SA", [], id="a scan, and what was led is weak"),
        pytest.param(f"{SCAN} 1CA 2SA~", [], id="a scan, and the breach is weak"),
        pytest.param(f"{SCAN} 1CA 2SA 3C9~", [("revoke", 2, 4)], id="a scan, and another's card is weak"),
        pytest.param("1CA 2CK 2-CK 2S9/SK 3C9", [("revoke", 2, 5)], id="he has shown a club and holds it"),
        pytest.param("1CA 2CK 2-CK 2S9/C9 3C9", [], id="he has shown a club, and follows perhaps"),
        pytest.param("1C9 2CA~ 3CK 4CT 4HA", [], id="who took it is weak"),
        pytest.param("1C9~ 2CA 3CK 4CT 4HA", [("out_of_turn", 4, 6)], id="CT takes nothing whatever was led"),
        pytest.param("1C9 2CA 3CK~ 4CK 4HA~", [("out_of_turn", 4, 6)], id="a lower one is weak"),
        pytest.param("1C9 2CA 3CK 4CT~ 4HA", [], id="his own is weak"),
        pytest.param("1kontra 1CQ~ 2DK 3CJ 4D9", [], id="the Queen is weak"),
        pytest.param("1kontra 1CQ 2DK~~ 3CJ 4D9~", [("wrong_side", 1, 2)], id="the others' are"),
        pytest.param("1hochzeit 1CQ 2DK 3CQ~ 4D9", [], id="the other Queen is weak"),
        pytest.param("1hochzeit 1CQ~~ 2DK~ 3CQ 4D9", [("not_entitled", 1, 2)], id="not the other"),
    ],
)  # fmt: skip
def test_weak_cards(play: Any, cards: str, found: list[tuple[str, int, int]]) -> None:
    assert [(one.code, one.seat, one.event) for one in certain(played(play, cards).round)] == found


@pytest.mark.parametrize(
    ("later", "found"),
    [
        pytest.param("2ET 3E8 4EK 1GA 2G7 3G8 4G9 1SA 2EA", [(2, 4), (2, 12)], id="all clear"),
        pytest.param("2ET 3E8/S8 4EK 1GA 2G7 3G8 4G9 1SA 2EA", [(2, 4), (2, 12)], id="another's card in doubt"),
        pytest.param(
            "2ET 3E8/S8/S9 4EK 1GA 2G7 3G8 4G9 1SA 2EA", [(2, 4), (2, 12)], id="another's may be one of three"
        ),
        pytest.param("2ET 3E8/S8/S9 4EK 1GA 2G7 3G8 4G9 1SA 2E8/E9/EK", [], id="and the last"),
        pytest.param(
            "2SK/ET 3E8 4EK 1GA 2G7 3G8 4G9 1SA 2EA", [(2, 4), (2, 12)], id="he did not follow, or not with the ace"
        ),
        pytest.param("2ET 3E8 4EK 1GA 2G7 3G8 4G9 1SA 2EA/SK", [], id="perhaps he does not hold it"),
        pytest.param(
            "2E8 3ET 4EK 3E9 4G7 1G8 2G9 3GA 4GK 1GT 2EA", [(2, 4), (2, 10), (2, 14)], id="its suit was led twice"
        ),
        pytest.param(
            "2E8 3ET 4EK 3E9~~ 4G7 1G8 2G9 3GA 4GK 1GT 2EA", [(2, 4), (2, 14)], id="the second time perhaps not"
        ),
        pytest.param("2ET 3E8 4EK 1GA 2G7 3G8 4G9 1SA 2EA/E9", [], id="a card of the suit, and not the called one"),
        pytest.param("2ET 3E8/S8 4EK/SK/ST 1GA/GK 2G7/S7 3G8 4G9/S9 1SA 2EA", [], id="too many readings"),
    ],
)
def test_the_called_card(schafkopf: Any, later: str, found: list[tuple[int, int]]) -> None:
    assert of("revoke")(played(schafkopf, f"1rufspiel 1E7 {later}")) == found


#: Seat 2 discards on clubs.
REVOKED = "1CA 2S9 3C9 4CT"


@pytest.mark.parametrize(
    ("cards", "shown", "then", "withdrawn"),
    [
        pytest.param("1kontra 1CQ 2DK 3CJ 4D9", "wrong_side", "1HA 2CQ 3CQ", True, id="Re, by a Queen of three"),
        pytest.param("1hochzeit 1CQ 2DK 3CQ 4D9", "not_entitled", "1HA 2CQ", True, id="no Hochzeit, by one of three"),
        pytest.param("1C9 2CA 3CK 4CT 4HA", "out_of_turn", "1CA 2HK 3CA", True, id="not his trick, by an ace of three"),
        pytest.param("1C9 2CA 3CK 4CT 4HA", "out_of_turn", "1CK 2HK 3CK", False, id="by an ace; a king is of three"),
        pytest.param("2CA 3CK 4C9 1CT 2HA", "out_of_turn", "3CK 4CK", False, id="not to lead, which no card says"),
        pytest.param("1CA 2CK 4C9 3CT", "out_of_turn", "1CK 2HK 3CK", False, id="before his turn"),
        pytest.param(f"{REVOKED} 1HA 2CK 3H9 4HK", "revoke", "1SA 2CT~ 3CK 4CK", True, id="by a king of three"),
        pytest.param(f"{REVOKED} 1HA 2CK 3H9 4HK", "revoke", "1SA 2CT 3CK 4CK", False, id="another club shows it"),
        pytest.param(f"{SCAN} 1CA 2SA", "revoke", "3C9 4CT 1HK 2CK~", True, id="by a hand that is not his"),
        pytest.param(f"{REVOKED} 1HA 2CK 3H9 4HK", "revoke", "1SA~ 2HT~ 3H9~ 4HT~", False, id="what is weak later"),
    ],
)  # fmt: skip
def test_what_a_contradiction_withdraws(play: Any, cards: str, shown: str, then: str, withdrawn: bool) -> None:
    before, after = played(play, cards), played(play, f"{cards} {then}")
    assert [one.code for one in certain(before.round)] == [shown]
    codes = [one.code for one in certain(after.round) if one.code not in ("impossible_card", "card_not_held")]
    assert codes == ([] if withdrawn else [shown])
    assert [one.code for one in after.game.withdrawn] == ([shown] if withdrawn else [])


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        pytest.param("1HA/HK 2HT", [], id="nothing shows it"),
        pytest.param("1HA/HK 2HT 3HT 4DT 2CA 3CK 4CT", [(4, 6)], id="a plain card does"),
        pytest.param("1HA/HK 2HT 3HT 4DT 2CA 3CK 4CT/DT", [], id="perhaps it was a trump"),
        pytest.param("1HA/HK 2HT 3HT 4DT 2CA 3CK 4CT/SA", [(4, 6)], id="it was plain in any case"),
        pytest.param("1HA/HK 2HT 3HT 4DT 2CA 3CK 4DA", [], id="it was a trump"),
        pytest.param("1HA 2HT 3HT 4DT 2CA 3CK 4CT 1SA 2ST", [(4, 6)], id="without a doubt, and once"),
        pytest.param(
            "1HA 2HT 3HT 4DT 2CA 3CK 4CT 1CA 2HA 3HK 4!HQ 1HK 2CT 3CK 4ST", [(4, 6), (4, 17)], id="a second one at once"
        ),
    ],
)
def test_face_down_with_a_plain_card_in_hand(forty: Any, cards: str, found: list[tuple[int, int]]) -> None:
    """durchgaenge 4b: with nothing but trumps the Hochzeiter may lay one face down on a plain trick."""
    laid = played(lambda: forty("durchgaenge"), f"4hochzeit 1SA 2SK 3ST 4!HQ {cards}")
    assert of("not_entitled")(laid) == found


#: A club's: both DA in one hand beat all other trumps from the moment they are said.
RAISED = made("bsv", rules={"schweinchen": "both_in_one_hand"}, options={"schweinchen_until": "first_of_both"})


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        pytest.param("1schweinchen 1CA/CK 2CT 3DA", [("not_entitled", 1, 2)], id="another has one"),
        pytest.param("1schweinchen 1CA/CK 2CT 3DA/DK", [], id="another has one perhaps"),
        pytest.param("1schweinchen 1DA 2HT 3DJ/HJ 4DJ 2CA", [("out_of_turn", 2, 7)], id="it beats a Dulle"),
        pytest.param("1schweinchen 1DA/DK 2HT 3DJ 4DJ 2CA", [], id="perhaps it does"),
        pytest.param("1HT 2DK 3DJ 4DT 1HJ 2HT 3DJ/DT 4DA 4schweinchen 2CA", [("out_of_turn", 2, 11)], id="with it"),
        pytest.param("1HT 2DA 3DJ/DT 4DK 1CA 2CT 3CK 4DA 4schweinchen 4HA", [("not_entitled", 4, 10)],
                     id="what was laid before it was said stays as it was"),
    ],
)  # fmt: skip
def test_cards_that_are_raised(by_book: Any, cards: str, found: list[tuple[str, int, int]]) -> None:
    table = played(lambda: by_book(RAISED.name), cards)
    codes = ("not_entitled", "out_of_turn")
    assert [(one.code, one.seat, one.event) for one in certain(table.round) if one.code in codes] == found


#: A club's Schafkopf with Kontra and Re.
DOUBLED = made("schaffkopf", rules={"calls": "kontra_re"})


def test_without_a_game_nobody_is_on_a_wrong_side(by_book: Any) -> None:
    assert of("wrong_side")(played(lambda: by_book(DOUBLED.name), "1E7/E8 2ET 3kontra 3EK 4re 4E9")) == []
