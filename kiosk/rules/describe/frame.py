"""Describe the frame of a round, the deck, and the order of cards in every game."""

from collections.abc import Sequence

from kiosk.language.cards import RANK_SIGNS
from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import (
    NONE,
    Fact,
    Sections,
    card_text,
    game_text,
    option_text,
    plain_text,
    suit_text,
    trumps_text,
    words,
)
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import AUGEN
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.options.option import Options
from kiosk.rules.options.words import Text, join


def frame(book: RuleBook, options: Options) -> list[Fact]:
    """List deck, hands, tables, games, time, dealers and Pflichtsoli as facts."""
    section = Sections(book)
    facts = [
        Fact(key="deck", label=words("deck"), value=_deck(book), section=section("deck")),
        Fact(key="augen", label=words("augen"), value=_augen(book), section=section("augen")),
        Fact(
            key="hand",
            label=words("cards_in_hand"),
            value=str(book.hand_size),
            section=section("dealing"),
        ),
        Fact(
            key="packets",
            label=words("dealt_by"),
            value=" + ".join(map(str, book.packets(options))),
            section=section("dealing"),
        ),
        Fact(
            key="tables",
            label=words("players_at_a_table"),
            value=_tables(book),
            section=section("tables"),
        ),
        Fact(
            key="rounds",
            label=words("rounds"),
            value=_or_open(book.rounds(options), words("as_many_as_the_direction")),
            section=section("rounds"),
        ),
    ]
    open_: Text = words("open")
    for players in book.tables:
        at = _at(book, players)
        many, time = book.games(players, options), book.minutes(players, options)
        tail = "_5" if players > 4 else ""
        facts += [
            Fact(
                key=f"games{tail}",
                label=words("games_a_round", at=at),
                value=_or_open(many, open_),
                section=section(f"games{tail}"),
            ),
            Fact(
                key=f"minutes{tail}",
                label=words("playing_time", at=at),
                value=words("minutes", time=time) if time else NONE,
                section=section(f"minutes{tail}"),
            ),
            Fact(
                key=f"scorer{tail}",
                label=words("keeps_the_list", at=at),
                value=_seat(book.scorer(players, options)),
                section=section(f"scorer{tail}"),
            ),
        ]
    facts += [
        Fact(
            key="first_dealer",
            label=words("deals_first"),
            value=_seat(book.first_dealer(options)),
            section=section("first_dealer"),
        ),
        Fact(
            key="same_dealer",
            label=words("the_same_dealer_again"),
            value=_same_dealer(book, options),
            section=section("same_dealer"),
        ),
        Fact(
            key="duties",
            label=words("pflichtsoli_of_each_player"),
            value=str(book.duties(options)) if book.duties(options) else NONE,
            section=section("pflichtsoli"),
        ),
    ]
    facts.append(
        Fact(
            key="break_stops_clock",
            label=words("the_clock_stops_in_a"),
            value=option_text(book, options, "break_stops_clock"),
            section=section("break_stops_clock"),
        )
    )
    if any(book.minutes(players, options) for players in book.tables):
        again = words("a_begun_game_is_repeated") if book.redeals_after_time else words("no_game_is_repeated")
        facts.append(
            Fact(
                key="redeals_after_time",
                label=words("once_the_time_is_up"),
                value=again,
                section=section("redeals_after_time") or section("minutes"),
            )
        )
    bock = [book.bock_games(_hearts(book, options, players), players) for players in book.tables]
    if any(bock):
        text = [
            (words("games_at_4", games=games), words("games_at_5", games=games))[n - 4]
            for n, games in zip(book.tables, bock, strict=True)
        ]
        facts.append(
            Fact(
                key="bockrunde",
                label=words("games_of_a_bockrunde_after"),
                value=join(text),
                section=section("bockrunde"),
            )
        )
    return facts


def _at(book: RuleBook, players: int) -> Text:
    """At which table, where a book has several."""
    return "" if len(book.tables) == 1 else (words("at_4"), words("at_5"))[players - 4]


def _deck(book: RuleBook) -> Text:
    suits = list(dict.fromkeys(card[0] for card in book.deck))
    ranks = " ".join(RANK_SIGNS[rank] for rank in dict.fromkeys(card[1] for card in book.deck))
    copies = len(book.deck) // len(set(book.deck))
    names = join([suit_text(book, suit) for suit in suits], " ")
    each = (words("one_of_each"), words("two_of_each"))[copies - 1]
    return words("cards_with", number=len(book.deck), suits=names, ranks=ranks, each=each)


def _augen(book: RuleBook) -> Text:
    values: dict[int, list[str]] = {}
    for rank in dict.fromkeys(card[1] for card in book.deck):
        values.setdefault(AUGEN[rank], []).append(RANK_SIGNS[rank])
    text = ", ".join(f"{' '.join(ranks)} = {number}" for number, ranks in values.items())
    total = probe.whole(book)
    return words("in_all", text=text, total=total)


def _tables(book: RuleBook) -> Text:
    if book.tables == (4,):
        return str(4)
    fives: Text = words("5_the_dealer_sits_out")
    if book.seating.fives_section:
        fives = words("as_an_exception", fives=fives)
    return join((str(4), fives), words("or"))


def _or_open(number: int | None, open_: Text) -> Text:
    return str(number) if number else open_


def _seat(seat: int) -> Text:
    return words("seat", seat=seat)


def _same_dealer(book: RuleBook, options: Options) -> Text:
    """The cases in which the book says that the same player deals again."""
    kind = probe.alone(book)
    cases: list[tuple[Text, bool]] = []
    if kind is not None and book.duties(options):
        own = probe.declared(probe.fresh(book, options), kind, 3, duty=True)
        led = probe.declared(probe.fresh(book, options, led_up=3), kind, 3, duty=True)
        cases.append((words("after_a_pflichtsolo"), book.same_dealer(probe.finished(own))))
        cases.append((words("after_one_vorgefuehrt"), book.same_dealer(probe.finished(led))))
    for players in book.tables:
        if kind is None:
            break
        free = probe.declared(probe.fresh(book, options, players=players), kind, 3)
        again = book.same_dealer(probe.finished(free))
        after: Text = words("after_a_solo")
        if len(book.tables) > 1:
            after = (words("only_at_4", after=after), words("only_at_5", after=after))[players - 4]
        cases.append((after, again))
    cases.append((words("after_every_game"), book.same_dealer(probe.finished(probe.fresh(book, options)))))
    for thrown in (kind for kind in book.kinds if kind.ends_deal):
        name = game_text(book, thrown.game)
        cases.append((words("after", name=name), book.thrown_in_same_dealer(options)))
    cases.append((words("after_a_void_deal"), True))
    return join([text for text, again in cases if again])


def _hearts(book: RuleBook, options: Options, players: int) -> Game:
    game = probe.fresh(book, options, players=players)
    if "HA" not in book.deck:
        return game
    return probe.after(game, (probe.trick("HA HK HK HA", 1, 30),))


def games(book: RuleBook, options: Options) -> list[Fact]:
    """List trumps and plain suits of every game, and which of two equal cards wins, as facts."""
    section = Sections(book)
    facts = []
    for (name, suit), row in [((book.normal.game, None), book.normal), *book.contracts.items()]:
        if (
            name == "normal"
            and any(contract.trumps == row.trumps for _, contract in book.contracts.items())
            and book.classes
        ):
            continue  # a book with bidding has no game that nobody names
        contract = book.contract_by(row, options)
        trumps, plains = trumps_text(book, contract), plain_text(book, contract)
        number = sum(card in contract.trumps for card in book.deck)
        second = [card_text(book, card) for card in book.second_wins(contract, options)]
        text: Text = words("trumps", number=number, trumps=trumps) if number else words("no_trumps")
        text = join((text, words("plain", plains=plains)), " – ")
        if second:
            text = join(
                (text, words("the_second_beats_the_first", second=second[0])),
                "; ",
            )
        tail = f"_{suit.lower()}" if suit else ""
        facts.append(
            Fact(
                key=f"{name}{tail}",
                label=game_text(book, name, suit),
                value=text,
                section=section(f"game_{name}"),
            )
        )
    if len(book.deck) > len(set(book.deck)):
        facts.append(
            Fact(
                key="equal_cards",
                label=words("of_two_equal_cards_the"),
                value=_first_of_two(book),
                section=section("equal_cards"),
            )
        )
    return facts


def _first_of_two(book: RuleBook) -> Text:
    """By which order two equal cards are first and second where one was laid out of turn."""
    cards: Sequence[Laid] = (Laid(1, 1, "CK"), Laid(2, 3, "CA"), Laid(3, 2, "CA"), Laid(4, 4, "CT"))
    ordered = book.equal_order(tuple(cards))
    first = next(laid for laid in ordered if laid.card == "CA")
    if first.seat == 3:
        return words("the_one_laid_first")
    return words("the_one_of_the_seat")
