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
    join,
    option_text,
    plain,
    plain_text,
    suit_text,
    trumps_text,
)
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.cards import AUGEN
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.options.option import Options, Text


def frame(book: RuleBook, options: Options) -> list[Fact]:
    """List deck, hands, tables, games, time, dealers and Pflichtsoli as facts."""
    section = Sections(book)
    facts = [
        Fact(key="deck", label=("Blatt", "Deck"), value=_deck(book), section=section("deck")),
        Fact(key="augen", label=("Augen", "Augen"), value=_augen(book), section=section("augen")),
        Fact(
            key="hand",
            label=("Karten auf der Hand", "Cards in hand"),
            value=plain(book.hand_size),
            section=section("dealing"),
        ),
        Fact(
            key="packets",
            label=("gegeben zu", "dealt by"),
            value=plain(" + ".join(map(str, book.packets(options)))),
            section=section("dealing"),
        ),
        Fact(
            key="tables",
            label=("Spieler am Tisch", "Players at a table"),
            value=_tables(book),
            section=section("tables"),
        ),
        Fact(
            key="rounds",
            label=("Runden", "Rounds"),
            value=_or_open(
                book.rounds(options), ("so viele die Turnierleitung ansetzt", "as many as the direction sets")
            ),
            section=section("rounds"),
        ),
    ]
    open_: Text = ("offen", "open")
    for players in book.tables:
        at = ("", "") if len(book.tables) == 1 else (f" zu {('viert', 'fünft')[players - 4]}", f" at {players}")
        many, time = book.games(players, options), book.minutes(players, options)
        tail = "_5" if players > 4 else ""
        facts += [
            Fact(
                key=f"games{tail}",
                label=(f"Spiele einer Runde{at[0]}", f"Games a round{at[1]}"),
                value=_or_open(many, open_),
                section=section(f"games{tail}"),
            ),
            Fact(
                key=f"minutes{tail}",
                label=(f"Spielzeit{at[0]}", f"Playing time{at[1]}"),
                value=(f"{time} Minuten", f"{time} minutes") if time else NONE,
                section=section(f"minutes{tail}"),
            ),
            Fact(
                key=f"scorer{tail}",
                label=(f"führt die Liste{at[0]}", f"keeps the list{at[1]}"),
                value=_seat(book.scorer(players, options)),
                section=section(f"scorer{tail}"),
            ),
        ]
    facts += [
        Fact(
            key="first_dealer",
            label=("gibt zuerst", "deals first"),
            value=_seat(book.first_dealer(options)),
            section=section("first_dealer"),
        ),
        Fact(
            key="same_dealer",
            label=("derselbe gibt noch einmal", "the same dealer again"),
            value=_same_dealer(book, options),
            section=section("same_dealer"),
        ),
        Fact(
            key="duties",
            label=("Pflichtsoli jedes Spielers", "Pflichtsoli of each player"),
            value=plain(book.duties(options)) if book.duties(options) else NONE,
            section=section("pflichtsoli"),
        ),
    ]
    facts.append(
        Fact(
            key="break_stops_clock",
            label=("die Uhr steht in einer Pause des Tisches", "the clock stops in a break of the table"),
            value=option_text(book, options, "break_stops_clock"),
            section=section("break_stops_clock"),
        )
    )
    bock = [book.bock_games(_hearts(book, options, players), players) for players in book.tables]
    if any(bock):
        text = [
            (f"zu {('viert', 'fünft')[n - 4]} {games}", f"{games} at {n}")
            for n, games in zip(book.tables, bock, strict=True)
        ]
        facts.append(
            Fact(
                key="bockrunde",
                label=("Spiele einer Bockrunde nach einem Herz-Stich", "Games of a Bockrunde after a Herz trick"),
                value=join(text),
                section=section("bockrunde"),
            )
        )
    return facts


def _deck(book: RuleBook) -> Text:
    suits = list(dict.fromkeys(card[0] for card in book.deck))
    ranks = " ".join(RANK_SIGNS[rank] for rank in dict.fromkeys(card[1] for card in book.deck))
    copies = len(book.deck) // len(set(book.deck))
    names = join([suit_text(book, suit) for suit in suits], (" ", " "))
    each = (("jede einmal", "one of each"), ("jede zweimal", "two of each"))[copies - 1]
    return (
        f"{len(book.deck)} Karten: {names[0]} mit {ranks}, {each[0]}",
        f"{len(book.deck)} cards: {names[1]} with {ranks}, {each[1]}",
    )


def _augen(book: RuleBook) -> Text:
    values: dict[int, list[str]] = {}
    for rank in dict.fromkeys(card[1] for card in book.deck):
        values.setdefault(AUGEN[rank], []).append(RANK_SIGNS[rank])
    text = ", ".join(f"{' '.join(ranks)} = {number}" for number, ranks in values.items())
    total = probe.whole(book)
    return f"{text}; zusammen {total}", f"{text}; {total} in all"


def _tables(book: RuleBook) -> Text:
    if book.tables == (4,):
        return plain(4)
    fives: Text = ("5, der Geber setzt aus", "5, the dealer sits out")
    if book.seating.fives_section:
        fives = (f"{fives[0]} (als Ausnahme)", f"{fives[1]} (as an exception)")
    return join((plain(4), fives), (" oder ", " or "))


def _or_open(number: int | None, open_: Text) -> Text:
    return plain(number) if number else open_


def _seat(seat: int) -> Text:
    return f"Platz {seat}", f"seat {seat}"


def _same_dealer(book: RuleBook, options: Options) -> Text:
    """The cases in which the book says that the same player deals again."""
    kind = probe.alone(book)
    cases: list[tuple[Text, bool]] = []
    if book.duties(options):
        own = probe.declared(probe.fresh(book, options), kind, 3, duty=True)
        led = probe.declared(probe.fresh(book, options, led_up=3), kind, 3, duty=True)
        cases.append((("nach einem Pflichtsolo", "after a Pflichtsolo"), book.same_dealer(probe.finished(own))))
        cases.append((("nach einem vorgeführten", "after one vorgeführt"), book.same_dealer(probe.finished(led))))
    for players in book.tables:
        free = probe.declared(probe.fresh(book, options, players=players), kind, 3)
        where = ("", "") if len(book.tables) == 1 else (f" (zu {('viert', 'fünft')[players - 4]})", f" (at {players})")
        again = book.same_dealer(probe.finished(free))
        cases.append(((f"nach einem Solo{where[0]}", f"after a solo{where[1]}"), again))
    cases.append(
        (("nach jedem Spiel", "after every game"), book.same_dealer(probe.finished(probe.fresh(book, options))))
    )
    for thrown in (kind for kind in book.kinds if kind.ends_deal):
        name = game_text(book, thrown.game)
        cases.append(((f"nach {name[0]}", f"after {name[1]}"), book.thrown_in_same_dealer(options)))
    cases.append((("nach einem ungültigen Spiel", "after a void deal"), True))
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
    for (name, suit), row in [(("normal", None), book.normal), *book.contracts.items()]:
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
        text = (
            (f"Trumpf ({number}): {trumps[0]}", f"trumps ({number}): {trumps[1]}")
            if number
            else ("kein Trumpf", "no trumps")
        )
        text = join((text, (f"Fehl: {plains[0]}", f"plain: {plains[1]}")), (" – ", " – "))
        if second:
            text = join(
                (text, (f"die zweite {second[0][0]} sticht die erste", f"the second {second[0][1]} beats the first")),
                ("; ", "; "),
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
                label=("von zwei gleichen Karten ist die erste", "of two equal cards the first is"),
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
        return "die zuerst gelegte", "the one laid first"
    return "die des weiter vorn Sitzenden", "the one of the seat further forward"
