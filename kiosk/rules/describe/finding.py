"""Describe the asking, the Hochzeit, the first lead and what may be laid."""

from collections.abc import Sequence

from kiosk.language.cards import RANK_SIGNS
from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import NEVER, NONE, Fact, Sections, calls_text, card_text, game_text, option_text, words
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.rules.engine.values import Bid, Declaration
from kiosk.rules.options.option import Options
from kiosk.rules.options.words import Text, join


def finding(book: RuleBook, options: Options) -> list[Fact]:
    """List the asking, the games with their conditions, bidding, leave and the Klärungsstich as facts."""
    section = Sections(book)
    facts = [
        Fact(
            key="answers",
            label=words("the_answers"),
            value=calls_text(book.answers),
            section=section("answers"),
        ),
        Fact(
            key="rank",
            label=words("rank_highest_first"),
            value=_rank(book, options),
            section=section("rank"),
        ),
    ]
    for kind in book.kinds:
        facts.append(
            Fact(
                key=f"named_{kind.game}",
                label=game_text(book, kind.game),
                value=_kind(book, options, kind),
                section=kind.section,
            )
        )
    if book.normal.each_alone:
        facts.append(
            Fact(
                key="nobody_plays",
                label=words("nobody_wants_to_play"),
                value=words("each_alone", game=game_text(book, book.normal.game)),
                section="",
            )
        )
    if book.classes:
        facts.append(
            Fact(
                key="least",
                label=words("the_least_to_bid"),
                value=_least(book, options),
                section=section("least"),
            )
        )
    if book.needs_leave is not None:
        facts.append(
            Fact(
                key="leave",
                label=words("the_directions_leave"),
                value=_leave(book, options),
                section=section("lost_alleinspiele"),
            )
        )
    if ("hochzeit", None) in book.contracts and not book.classes:
        facts += _klaerung(book, options)
    return facts


def _rank(book: RuleBook, options: Options) -> Text:
    ranks: dict[int, list[Text]] = {}
    for kind in sorted(book.kinds, key=lambda kind: kind.rank):
        ranks.setdefault(kind.rank, []).append(game_text(book, kind.game))
    parts: list[Text] = [join(names, " / ") for names in ranks.values()]
    if book.duties(options):
        parts.insert(0, words("pflichtsolo"))
    return join(parts, words("before"))


def _kind(book: RuleBook, options: Options, kind: Kind) -> Text:
    """What entitles to a game and what is said with it."""
    parts = [_entitled(book, options, kind)]
    if kind.suits:
        parts.append(words("with_its_suit"))
    if kind.conditions:
        parts.append(_conditions(kind))
    if kind.raises:
        calls = calls_text(kind.raises)
        parts.append(words("raised_by", calls=calls))
    if kind.exchange:
        parts.append(words("exchanges"))
    if kind.untaken_ends:
        parts.append(words("untaken_ends"))
    if kind.ends_deal:
        parts.append(words("dealt_anew"))
    if not kind.played:
        parts.append(words("not_played_out"))
    return join(parts, "; ")


_CONDITIONS: dict[str, Text] = {
    "first": words("the_first_trick_of_another"),
    "plain": words("the_first_plain_trick_of"),
    "trump": words("the_first_trump_trick_of"),
}


def _conditions(kind: Kind) -> Text:
    named = join([_CONDITIONS[one] for one in kind.conditions[1:]], words("or"))
    usual = _CONDITIONS[kind.conditions[0]]
    return words("or_if_so_named", usual=usual, named=named)


def _entitled(book: RuleBook, options: Options, kind: Kind) -> Text:
    """What a hand must have, found by trying hands."""
    game = probe.fresh(book, options)
    size = book.hand_size
    if kind.cards:
        return _entitled_to_call(game, kind)
    if kind.exchange and book.classes:
        return words("one_trump")
    if "EO" in book.deck:
        top = [card for card in book.normal.trumps if card[1] in "OU"]
        low = [card for card in book.deck if card not in top]
        if probe.allowed(game, kind, low[:size]):
            return words("any_hand")
        least = next(n for n in range(size + 1) if probe.allowed(game, kind, [*top[:n], *low[: size - n]]))
        return words("ober_and_unter", least=least)
    trumps = [card for card in book.normal.trumps if card not in ("DA", "CQ") for _ in "12"]
    plains = [card for card in book.deck if book.normal.classes[card] != TRUMP and card[1] != "9"]
    nines = [card for card in book.deck if card[1] == "9"]

    def hand(first: Sequence[Card], number: int, rest: Sequence[Card]) -> list[Card]:
        return [*first[:number], *rest[: size - number]]

    if probe.allowed(game, kind, hand(trumps, size, ())):
        return words("any_hand")
    parts: list[Text] = []
    queens = next((n for n in (1, 2) if probe.allowed(game, kind, hand(["CQ", "CQ"], n, trumps))), None)
    if queens:
        name = card_text(book, "CQ")
        parts.append(words("so_many_queens", queens=queens, name=name))
    few = [n for n in range(size) if probe.allowed(game, kind, hand(trumps, n, plains))]
    if few:
        foxes = probe.allowed(game, kind, ["DA", "DA", *hand(trumps, max(few), plains)[: size - 2]])
        text = words("at_most_trumps", number=max(few))
        name = card_text(book, "DA")
        parts.append(join((text, words("not_counting", name=name)), " ") if foxes else text)
    many = [n for n in range(len(nines) + 1) if probe.allowed(game, kind, hand(nines, n, trumps))]
    if many:
        parts.append(words("at_least_nines", number=min(many)))
    return join(parts, words("or")) if parts else words("no_hand")


def _entitled_to_call(game: Game, kind: Kind) -> Text:
    """Which card may be called with what in hand."""
    book = game.book
    ranks: dict[str, list[Card]] = {}
    for card in kind.cards:
        ranks.setdefault(card[1], []).append(card)
    high = [card for card in book.normal.trumps if card[1] in "OU"]
    parts: list[Text] = []
    own = "EO" if not probe.allowed(game, kind, [kind.cards[0][0] + "7", *high[1:]]) else ""
    if own:
        name = card_text(book, own)
        parts.append(words("who_holds", name=name))
    for called in ranks.values():
        card = called[0]
        held = [one for rank, cards in ranks.items() if "ATK".index(rank) < "ATK".index(card[1]) for one in cards]
        name = join([card_text(book, one) for one in called], " / ")
        rest = [own or high[1], *held, *(one for one in high[1:] if one != own)]
        with_suit = [*rest[: book.hand_size - 1], card[0] + "7"]
        if probe.allowed(game, kind, with_suit, card) and not held:
            without = probe.allowed(game, kind, rest[: book.hand_size], card, renonce=True)
            parts.append(words("calls_has_it_not_but", name=name))
            if without:
                parts.append(words("without_the_suit_with_renonce"))
        elif probe.allowed(game, kind, with_suit, card):
            needed = join([card_text(book, one) for one in held], " ")
            parts.append(words("called_with", needed=needed, name=name))
    return join(parts, "; ")


def _least(book: RuleBook, options: Options) -> Text:
    """The least class that the first, second … who wants to play must name."""
    parts = []
    for place in probe.SEATS:
        game = probe.wanting(probe.fresh(book, options), place)
        least = next(c for c in book.classes if book.bid_fault(game, Bid(9, place, c))[0] != "not_entitled")
        name = game_text(book, least)
        parts.append(words("bids_in_place", place=place, name=name))
    return join(parts)


def _leave(book: RuleBook, options: Options) -> Text:
    """Which games need it, and after how many lost ones every Alleinspiel does."""
    needs = book.needs_leave
    if needs is None:
        return NONE
    always, later = [], None
    for kind in book.kinds:
        if needs(probe.declared(probe.fresh(book, options), kind), _named(book, options, kind)):
            always.append(game_text(book, kind.game))
        else:
            game = probe.fresh(book, options, lost=100)
            if later is None and needs(game, _named(book, options, kind)):
                later = next(
                    n for n in range(101) if needs(probe.fresh(book, options, lost=n), _named(book, options, kind))
                )
    text = join(always)
    if later is None:
        return text
    return join((text, words("after_lost_ones_every_alleinspiel", later=later)))


def _named(book: RuleBook, options: Options, kind: Kind) -> Declaration:
    named = probe.declared(probe.fresh(book, options), kind).declaration
    assert named is not None
    return named


def _klaerung(book: RuleBook, options: Options) -> list[Fact]:
    """What settles a Hochzeit, found by playing tricks."""
    section = Sections(book)
    kind = probe.kind_named(book, "hochzeit")
    assert kind is not None
    game = probe.declared(probe.fresh(book, options), kind)
    own_trump = probe.trick("HT DK DK DT", 1)

    def settled(*tricks: Trick) -> bool:
        found = book.klaerung(probe.after(game, tricks))
        return found is not None and found.partner is not None

    def left_alone(*tricks: Trick) -> bool:
        found = book.klaerung(probe.after(game, tricks))
        return found is not None and found.partner is None

    by_plain = settled(probe.trick("CK CA CT CK", 2))
    by_trump = settled(probe.trick("DK HT DK DT", 2))
    found = words("the_first_trick_that_another") if by_plain and by_trump else words("the_first_plain_trick_that")
    last = next((n for n in range(1, book.hand_size + 1) if left_alone(*[own_trump] * n)), None)
    own_plain = left_alone(probe.trick("CA CK CK CT", 1))
    trumped = left_alone(probe.trick("CA CK CT DK", 1, leader=2))
    alone = []
    if own_plain:
        alone.append(words("as_soon_as_he_wins"))
    elif trumped:
        alone.append(words("as_soon_as_he_wins_a"))
    if last is not None and last < book.hand_size:
        alone.append(words("after_tricks_of_his_own", last=last))
    else:
        alone.append(words("if_none_comes_until_the"))
    return [
        Fact(key="klaerung", label=words("klaerungsstich"), value=found, section=section("klaerung")),
        Fact(
            key="hochzeit_alone",
            label=words("the_hochzeiter_plays_alone"),
            value=join(alone, words("or")),
            section=section("klaerung_tricks") or section("klaerung"),
        ),
    ]


def play(book: RuleBook, options: Options) -> list[Fact]:
    """List leader, taking back, laying face down, the called card and shortening as facts."""
    section = Sections(book)
    game, kind = probe.fresh(book, options), probe.alone(book)
    solo = probe.declared(game, kind, 3) if kind else game
    facts = [
        Fact(
            key="leads",
            label=words("leads_first"),
            value=_leads(book, game),
            section=book.turn_sections["first_lead"],
        ),
    ]
    if kind and book.duties(options):
        duty = probe.declared(game, kind, 3, duty=True)
        where = section("leader_in_pflichtsolo") or section("leader_in_solo")
        facts.append(
            Fact(key="leads_pflichtsolo", label=words("in_a_pflichtsolo"), value=_leads(book, duty), section=where)
        )
    if kind:
        where = section("leader_in_solo")
        facts.append(Fact(key="leads_solo", label=words("in_a_solo"), value=_leads(book, solo), section=where))
    facts += [
        Fact(
            key="follow",
            label=words("a_revoke"),
            value=words("holding_the_suit_led_all"),
            section=book.revoke_section,
        ),
        Fact(
            key="take_back",
            label=words("taken_back_without_a_breach"),
            value=_taken_back(game),
            section=book.sections["take_back"],
        ),
        Fact(
            key="face_down",
            label=words("laying_face_down"),
            value=_face_down(book, options),
            section=book.covering_section,
        ),
        Fact(
            key="shorten",
            label=words("shortening"),
            value=_shorten(book, solo, game),
            section=book.sections["shorten"],
        ),
        Fact(
            key="words_back",
            label=words("what_was_said_is_taken"),
            value=option_text(book, options, "words_back"),
            section=section("words_back"),
        ),
        *_told(book, options),
    ]
    if any(kind.cards for kind in book.kinds):
        facts += _called(book, options)
    return facts


def _leads(book: RuleBook, game: Game) -> Text:
    """Who leads the first trick of a game, forehand or who has named it."""
    leader = book.leader(game)
    return words("the_dealers_left_neighbour") if leader == game.seats[0] else words("the_soloist")


def _told(book: RuleBook, options: Options) -> list[Fact]:
    """What the table's screen tells while a game runs beyond what lies on a real table, and of the games before."""
    labels: dict[str, Text] = {
        "tell_augen": words("the_screen_tells_augen"),
        "tell_tricks": words("it_shows_the_tricks_of"),
        "tell_sides": words("it_shows_proved_sides"),
        "look_back": words("earlier_games_may_be_seen"),
    }
    section = Sections(book)
    return [
        Fact(key=name, label=label, value=option_text(book, options, name), section=section(name))
        for name, label in labels.items()
    ]


def _taken_back(game: Game) -> Text:
    laid = tuple(Laid(20 + seat, seat, card) for seat, card in zip((1, 2, 3), _three(game), strict=True))
    open_ = evolve(game, open_trick=laid)
    may = [one.seat for one in laid if game.book.retractable(open_, one.seat, one.card)]
    if may == [3]:
        return words("only_the_last_card_before")
    if may == [2, 3]:
        return words("any_card_of_the_open")
    return NEVER if not may else words("any_card_of_the_open_trick")


def _three(game: Game) -> Sequence[Card]:
    return [card for card in dict.fromkeys(game.book.deck) if game.contract.classes[card] != TRUMP][:3]


def _face_down(book: RuleBook, options: Options) -> Text:
    kind = probe.kind_named(book, "hochzeit")
    if kind is None:
        return NEVER
    game = evolve(probe.declared(probe.fresh(book, options), kind), open_trick=(Laid(20, 4, "CA"),))
    trumps = game.contract.trumps
    may = [card for card in trumps if not book.face_down(game, Laid(21, 1, card, down=True))]
    if not may:
        return NEVER
    but = join([card_text(book, card) for card in trumps if card not in may])
    return words("the_hochzeiter_with_nothing_but", but=but)


def _shorten(book: RuleBook, solo: Game, normal: Game) -> Text:
    """Who may lay down or give away the rest."""

    def may(kind: str, game: Game, seat: int) -> bool:
        return book.may_claim(game, kind, (), seat)

    claims: list[tuple[str, Text]] = [
        ("rest", words("claim_the_rest")),
        ("concede", words("give_the_rest_away")),
    ]
    anyone = [text for kind, text in claims if may(kind, normal, 2)]
    soloist = [text for kind, text in claims if may(kind, solo, 3) and text not in anyone]
    parts = []
    if anyone:
        text = join(anyone, words("or"))
        parts.append(words("anybody_may", text=text))
    if soloist:
        text = join(soloist, words("or"))
        parts.append(words("the_soloist_may", text=text))
    return join(parts, "; ") if parts else NEVER


def _called(book: RuleBook, options: Options) -> list[Fact]:
    """With how many cards of its suit the holder of the called card may run away from it."""
    section, facts = Sections(book), []
    names = {"A": "davonlaufen_ace", "T": "davonlaufen_ten", "K": "davonlaufen_king"}
    kind = next(kind for kind in reversed(book.kinds) if kind.cards)
    for rank, name in names.items():
        card = next((card for card in kind.cards if card[1] == rank), None)
        if card is None:
            continue
        game = probe.declared(probe.fresh(book, options), kind, 1, card=card)
        (found,) = book.beyond_suit(game, Laid(20, 2, card[0] + "7"))
        sign = RANK_SIGNS[rank]
        label = words("running_away_with", sign=sign)
        value = words("from_cards_of_the_suit", enough=str(found.enough))
        facts.append(Fact(key=name, label=label, value=value, section=section(name)))
    facts.append(
        Fact(
            key="after_davonlaufen",
            label=words("after_it_the_called_card"),
            value=option_text(book, options, "after_davonlaufen"),
            section=section("after_davonlaufen"),
        )
    )
    facts.append(
        Fact(
            key="unlawful_davonlaufen_frees",
            label=words("also_after_unlawful_running_away"),
            value=option_text(book, options, "unlawful_davonlaufen_frees"),
            section=section("unlawful_davonlaufen_frees"),
        )
    )
    return facts
