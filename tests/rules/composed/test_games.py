"""Games of Doppelkopf that a club may play: what the base has, what another book has, and what is made here."""

from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.card_tokens import tokens_for, tokens_of
from kiosk.rules.composed.points import shipped
from kiosk.rules.engine.book import Kind, RuleBook
from tests.rules.composed.books import made

SUITS = ("C", "S", "H", "D")


def kind(book: RuleBook, game: str) -> Kind:
    return next(one for one in book.kinds if one.game == game)


@pytest.mark.parametrize(
    ("base", "game", "suits"),
    [
        ("bsv", "koenigssolo", ()),
        ("eppstein", "neunersolo", ()),
        ("ddv", "koehlersolo", ()),
        ("schnittchen", "farbsolo", SUITS),
        ("durchgaenge", "farbsolo", SUITS),
        ("durchgaenge", "fleischlos", ()),
    ],
)
def test_a_solo_that_the_base_has_not_is_one_like_its_others(base: str, game: str, suits: tuple[str, ...]) -> None:
    book = made(base, games={"played": ["damensolo", game, "hochzeit"]})
    found, other = kind(book, game), kind(book, "damensolo")
    assert found.solo and found.played and not (found.ends_deal or found.cards or found.conditions or found.section)
    assert (found.suits, found.raises) == (suits, other.raises)
    assert bool(found.raises) == (base in ("durchgaenge", "schnittchen")) and not kind(book, "hochzeit").raises
    for suit in suits or (None,):
        contract = book.contracts[game, suit]
        assert (contract.game, contract.suit, contract.solo, contract.re_card) == (game, suit, True, None)


@pytest.mark.parametrize(
    ("game", "suit", "trumps"),
    [
        ("farbsolo", "H", "HT CQ SQ HQ DQ CJ SJ HJ DJ HA HK"),
        ("farbsolo", "C", "HT CQ SQ HQ DQ CJ SJ HJ DJ CA CT CK"),
        ("koenigssolo", None, "CK SK HK DK"),
        ("koehlersolo", None, "CK SK HK DK CQ SQ HQ DQ CJ SJ HJ DJ"),
        ("damenbubensolo", None, "CQ SQ HQ DQ CJ SJ HJ DJ"),
        ("fleischlos", None, ""),
    ],
)
def test_trumps_of_a_solo_that_the_base_has_not(game: str, suit: str | None, trumps: str) -> None:
    book = made("schnittchen", games={"played": ["damensolo", game]})
    assert book.contracts[game, suit].trumps == tuple(trumps.split())
    nines = made("eppstein", games={"played": ["neunersolo"]})
    assert nines.contracts["neunersolo", None].trumps == ("C9", "S9", "H9", "D9")


def test_any_solo_may_have_other_trumps() -> None:
    solos = ["trumpfsolo", "farbsolo", "damensolo", "bubensolo", "koenigssolo", "neunersolo", "koehlersolo"]
    solos += ["damenbubensolo", "fleischlos"]
    book = made("eppstein", games={"played": solos}, trumps={solo: ["HT", "C9"] for solo in solos})
    assert {game for game, _ in book.contracts} == set(solos)
    assert {contract.trumps for contract in book.contracts.values()} == {("HT", "C9")}


def test_a_solo_where_the_base_plays_none() -> None:
    only = made("bsv", games={"played": ["hochzeit"]})
    assert [one.game for one in only.kinds] == ["hochzeit"] and ("damensolo", None) not in only.contracts


@pytest.mark.parametrize(
    ("base", "names", "options"),
    [
        ("bsv", ["schmeissen"], {"schmeissen_nines", "schmeissen_trumps"}),
        ("eppstein", ["trumpfschwach"], {"trumpfschwach_trumps"}),
        ("durchgaenge", ["schmeissen", "trumpfschwach"],
         {"schmeissen_nines", "schmeissen_trumps", "trumpfschwach_trumps"}),
        ("schnittchen", ["armut"], {"armut_trumps"}),
        ("ddv", [], set()),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)  # fmt: skip
def test_what_else_may_be_named_brings_its_options(base: str, names: list[str], options: set[str]) -> None:
    book = made(base, games={"played": ["damensolo", *names]})
    read = {"schmeissen_nines", "schmeissen_trumps", "trumpfschwach_trumps", "armut_trumps"}
    assert {one.name for one in book.options} & read == options
    for name in names:
        assert not kind(book, name).solo and kind(book, name).ends_deal == (name != "armut")
        assert kind(book, name).exchange == (name == "armut")
        assert ((name, None) in book.contracts) == (name == "armut")
        assert name != "armut" or not book.contracts[name, None].solo


@pytest.mark.parametrize(
    ("trumps", "hand", "entitled"),
    [(3, "DQ DJ DT CA", True), (2, "DQ DJ DT CA", False), (1, "DQ CA CT CK", True), (3, "DQ DJ DT DK", False)],
    ids=["three", "three, where two may be", "one", "four"],
)
def test_who_is_poor(by_book: Any, trumps: int, hand: str, entitled: bool) -> None:
    book = made("bsv", games={"played": ["damensolo", "armut"]}, options={"armut_trumps": trumps})
    armut = kind(book, "armut")
    assert (armut.told_back, armut.untaken_ends, armut.suits) == ((0, 1, 2, 3), True, ())
    assert (
        list(book.option("armut_trumps").values) == [1, 2, 3]
        and made("bsv", games={"played": ["armut"]}).settle({})["armut_trumps"] == 3
    )
    table = by_book(book.name)
    table.deal(dealer=4, hands={0: f"{hand} CA CT CK SA ST SK HA"[:29]})
    table.do("hand", seat=1, cards=table.hands[1])
    table.do("declare", seat=1, game="armut", partner=2, trumps=None)
    assert ("not_entitled" not in [one.code for one in table.game.offences]) == entitled


@pytest.mark.parametrize(
    ("base", "played", "ranks"),
    [
        ("bsv", ["hochzeit", "damensolo"], {"hochzeit": 1, "damensolo": 1}),
        ("bsv", ["damensolo", "koenigssolo", "schmeissen", "armut", "hochzeit"], [0, 0, 20, 40, 60]),
        ("eppstein", ["koenigssolo", "damensolo", "trumpfschwach", "armut"], [0, 0, 20, 40]),
        ("schnittchen", ["hochzeit", "armut", "koenigssolo"], [60, 40, 0]),
    ],
    ids=["the base's own", "more than the base's", "before the base's", "without one of the base's"],
)
def test_whose_vorbehalt_goes_first(base: str, played: list[str], ranks: Any) -> None:
    """Where neither the club nor the base says it: solos, throwing in, Armut, Hochzeit."""
    found = {one.game: one.rank for one in made(base, games={"played": played}).kinds}
    if isinstance(ranks, dict):
        own = {one.game: one.rank for one in BOOKS[base].kinds}
        assert found == {game: own[game] for game in ranks}
        return
    first = found[played[ranks.index(0)]]
    assert [found[game] - first for game in played] == ranks


@pytest.mark.parametrize(
    ("trumps", "wanted"),
    [
        ({"koenigssolo": ["HT", "K", "C"]}, "HT CK SK HK DK CA CT CQ CJ"),
        ({"koenigssolo": ["C", "CK"]}, "CA CT CK CQ CJ"),
        ({}, "CK SK HK DK"),
    ],
    ids=["a card, a rank, the rest of a suit", "a card once", "as the solo has them"],
)
def test_trumps_of_a_solo(trumps: dict[str, list[str]], wanted: str) -> None:
    book = made("bsv", games={"played": ["koenigssolo", "fleischlos"]}, trumps=trumps)
    contract = book.contracts["koenigssolo", None]
    assert contract.trumps == tuple(wanted.split())
    assert contract.plain_ranks == book.normal.plain_ranks and book.contracts["fleischlos", None].trumps == ()


@pytest.mark.parametrize("base", ["eppstein", "bsv", "ddv", "durchgaenge"])
def test_a_solo_that_nobody_changed_is_the_bases(base: str) -> None:
    book = made(base, trumps={"normal": ["HT", "Q", "J", "D", "SA"]}, points={"special": []})
    assert not book.normal.solo and book.normal.re_card == "CQ"
    for key, contract in shipped(base).contracts.items():
        changed = key[0] in ("hochzeit", "trumpfsolo")
        assert (book.contracts[key] == contract) != changed
        assert not changed or (book.contracts[key].trumps, book.contracts[key].solo) == (
            book.normal.trumps,
            key[0] == "trumpfsolo",
        )


@pytest.mark.parametrize(
    ("base", "game", "suit", "wanted"),
    [
        ("bsv", "normal", None, "HT Q J D"),
        ("eppstein", "normal", None, "HT Q J D"),
        ("bsv", "damensolo", None, "Q"),
        ("bsv", "farbsolo", "C", "HT Q J suit"),
        ("bsv", "farbsolo", "S", "HT Q J suit"),
        ("bsv", "fleischlos", None, ""),
    ],
)
def test_trumps_are_written_in_as_few_words_as_can_be(base: str, game: str, suit: str | None, wanted: str) -> None:
    book = shipped(base)
    contract = book.normal if game == "normal" else book.contracts[game, suit]
    assert tokens_of(contract, book, suit) == wanted.split()


@pytest.mark.parametrize(
    ("trumps", "wanted"),
    [
        (["HT", "SA", "Q", "DA", "DT"], "HT SA Q DA DT"),
        (["CQ", "SQ", "HQ", "J", "HA"], "CQ SQ HQ J HA"),
        (["D", "HT"], "D HT"),
        (["DK", "D"], "DK D"),
    ],
    ids=["two cards of a suit", "three of a rank", "a whole suit", "a card before the rest of its suit"],
)
def test_trumps_are_written_as_they_were_meant(trumps: list[str], wanted: str) -> None:
    book = made("bsv", trumps={"normal": trumps}, points={"special": []})
    assert tokens_of(book.normal, shipped("bsv")) == wanted.split()


@pytest.mark.parametrize(("base", "ranks"), [("bsv", "A T K Q J"), ("eppstein", "A T K 9 Q J")])
def test_what_trumps_may_be_made_of(base: str, ranks: str) -> None:
    found = [token for token, _ in tokens_for(shipped(base), "normal", "de")]
    cards = [suit + rank for suit in SUITS for rank in ranks.split()]
    assert sorted(found) == sorted([*ranks.split(), *SUITS, *cards])
    words = dict(tokens_for(shipped(base), "farbsolo", "en"))
    assert words.keys() - set(found) == {"suit"} and len(set(words.values())) == len(words)
