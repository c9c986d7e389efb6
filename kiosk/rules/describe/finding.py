"""Describe the asking, the Hochzeit, the first lead and what may be laid."""

from collections.abc import Sequence

from kiosk.rules.describe import probe
from kiosk.rules.describe.fact import (
    NEVER,
    NONE,
    Fact,
    Sections,
    calls_text,
    card_text,
    game_text,
    join,
    option_text,
)
from kiosk.rules.engine.book import Kind, RuleBook
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.tricks import Laid, Trick
from kiosk.rules.engine.values import Bid, Declaration
from kiosk.rules.options.option import Options, Text


def finding(book: RuleBook, options: Options) -> list[Fact]:
    """List the asking, the games with their conditions, bidding, leave and the Klärungsstich as facts."""
    section = Sections(book)
    facts = [
        Fact(
            key="answers",
            label=("gefragt wird nach", "the answers"),
            value=calls_text(book.answers),
            section=section("answers"),
        ),
        Fact(
            key="rank",
            label=("es geht vor", "rank, highest first"),
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
    if book.classes:
        facts.append(
            Fact(
                key="least",
                label=("mindestens zu bieten", "the least to bid"),
                value=_least(book, options),
                section=section("least"),
            )
        )
    if book.needs_leave is not None:
        facts.append(
            Fact(
                key="leave",
                label=("Erlaubnis der Turnierleitung", "the direction's leave"),
                value=_leave(book, options),
                section=section("lost_alleinspiele"),
            )
        )
    if ("hochzeit", None) in book.contracts:
        facts += _klaerung(book, options)
    return facts


def _rank(book: RuleBook, options: Options) -> Text:
    ranks: dict[int, list[Text]] = {}
    for kind in sorted(book.kinds, key=lambda kind: kind.rank):
        ranks.setdefault(kind.rank, []).append(game_text(book, kind.game))
    parts = [join(names, (" / ", " / ")) for names in ranks.values()]
    if book.duties(options):
        parts.insert(0, ("Pflichtsolo", "Pflichtsolo"))
    return join(parts, (" vor ", " before "))


def _kind(book: RuleBook, options: Options, kind: Kind) -> Text:
    """What entitles to a game and what is said with it."""
    parts = [_entitled(book, options, kind)]
    if kind.suits:
        parts.append(("mit der Farbe", "with its suit"))
    if kind.conditions:
        parts.append(_conditions(kind))
    if kind.raises:
        calls = calls_text(kind.raises)
        parts.append((f"steigern mit {calls[0]}", f"raised by {calls[1]}"))
    if kind.ends_deal:
        parts.append(("es wird neu gegeben", "dealt anew"))
    if not kind.played:
        parts.append(("wird nicht ausgespielt", "not played out"))
    return join(parts, ("; ", "; "))


_CONDITIONS: dict[str, Text] = {
    "first": ("der erste fremde Stich", "the first trick of another"),
    "plain": ("der erste fremde Fehlstich", "the first plain trick of another"),
    "trump": ("der erste fremde Trumpfstich", "the first trump trick of another"),
}


def _conditions(kind: Kind) -> Text:
    named = join([_CONDITIONS[one] for one in kind.conditions[1:]], (" oder ", " or "))
    usual = _CONDITIONS[kind.conditions[0]]
    return f"{usual[0]}, auf Wunsch {named[0]}", f"{usual[1]}, or if so named {named[1]}"


def _entitled(book: RuleBook, options: Options, kind: Kind) -> Text:
    """What a hand must have, found by trying hands."""
    game = probe.fresh(book, options)
    size = book.hand_size
    if kind.cards:
        return _entitled_to_call(game, kind)
    if "EO" in book.deck:
        top = [card for card in book.normal.trumps if card[1] in "OU"]
        low = [card for card in book.deck if card not in top]
        if probe.allowed(game, kind, low[:size]):
            return "jedes Blatt", "any hand"
        least = next(n for n in range(size + 1) if probe.allowed(game, kind, [*top[:n], *low[: size - n]]))
        return f"{least} Ober und Unter", f"{least} Ober and Unter"
    trumps = [card for card in book.normal.trumps if card not in ("DA", "CQ") for _ in "12"]
    plains = [card for card in book.deck if book.normal.classes[card] != TRUMP and card[1] != "9"]
    nines = [card for card in book.deck if card[1] == "9"]

    def hand(first: Sequence[Card], number: int, rest: Sequence[Card]) -> list[Card]:
        return [*first[:number], *rest[: size - number]]

    if probe.allowed(game, kind, hand(trumps, size, ())):
        return "jedes Blatt", "any hand"
    parts: list[Text] = []
    queens = next((n for n in (1, 2) if probe.allowed(game, kind, hand(["CQ", "CQ"], n, trumps))), None)
    if queens:
        name = card_text(book, "CQ")
        parts.append((f"{queens} mal {name[0]}", f"{queens} times {name[1]}"))
    few = [n for n in range(size) if probe.allowed(game, kind, hand(trumps, n, plains))]
    if few:
        foxes = probe.allowed(game, kind, ["DA", "DA", *hand(trumps, max(few), plains)[: size - 2]])
        text = (f"höchstens {max(few)} Trümpfe", f"at most {max(few)} trumps")
        name = card_text(book, "DA")
        parts.append(
            join((text, (f"({name[0]} nicht mitgezählt)", f"(not counting {name[1]})")), (" ", " ")) if foxes else text
        )
    many = [n for n in range(len(nines) + 1) if probe.allowed(game, kind, hand(nines, n, trumps))]
    if many:
        parts.append((f"mindestens {min(many)} Neunen", f"at least {min(many)} nines"))
    return join(parts, (" oder ", " or ")) if parts else ("kein Blatt", "no hand")


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
        parts.append((f"wer {name[0]} hat", f"who holds {name[1]}"))
    for called in ranks.values():
        card = called[0]
        held = [one for rank, cards in ranks.items() if "ATK".index(rank) < "ATK".index(card[1]) for one in cards]
        name = join([card_text(book, one) for one in called], (" / ", " / "))
        rest = [own or high[1], *held, *(one for one in high[1:] if one != own)]
        with_suit = [*rest[: book.hand_size - 1], card[0] + "7"]
        if probe.allowed(game, kind, with_suit, card) and not held:
            without = probe.allowed(game, kind, rest[: book.hand_size], card, renonce=True)
            parts.append((f"ruft {name[0]}, hat es nicht, aber die Farbe", f"calls {name[1]}, has it not but its suit"))
            if without:
                parts.append(("ohne die Farbe mit Renonce", "without the suit with Renonce"))
        elif probe.allowed(game, kind, with_suit, card):
            needed = join([card_text(book, one) for one in held], (" ", " "))
            parts.append((f"mit {needed[0]}: {name[0]}", f"with {needed[1]}: {name[1]}"))
    return join(parts, ("; ", "; "))


def _least(book: RuleBook, options: Options) -> Text:
    """The least class that the first, second … who wants to play must name."""
    parts = []
    for place in probe.SEATS:
        game = probe.wanting(probe.fresh(book, options), place)
        least = next(c for c in book.classes if book.bid_fault(game, Bid(9, place, c))[0] != "not_entitled")
        name = game_text(book, least)
        parts.append((f"der {place}. {name[0]}", f"{place}: {name[1]}"))
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
    return join((text, (f"nach {later} verlorenen jedes Alleinspiel", f"after {later} lost ones every Alleinspiel")))


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
    found = (
        ("der erste Stich, den ein anderer macht", "the first trick that another wins")
        if by_plain and by_trump
        else ("der erste Fehlstich, den ein anderer macht", "the first plain trick that another wins")
    )
    last = next((n for n in range(1, book.hand_size + 1) if left_alone(*[own_trump] * n)), None)
    own_plain = left_alone(probe.trick("CA CK CK CT", 1))
    trumped = left_alone(probe.trick("CA CK CT DK", 1, leader=2))
    alone = []
    if own_plain:
        alone.append(("sobald er den ersten Fehlstich macht", "as soon as he wins the first plain trick"))
    elif trumped:
        alone.append(("sobald er einen Fehlstich mit Trumpf macht", "as soon as he wins a plain trick with a trump"))
    if last is not None and last < book.hand_size:
        alone.append((f"nach {last} eigenen Stichen", f"after {last} tricks of his own"))
    else:
        alone.append(("wenn bis zum Ende keiner kommt", "if none comes until the end"))
    return [
        Fact(key="klaerung", label=("Klärungsstich", "Klärungsstich"), value=found, section=section("klaerung")),
        Fact(
            key="hochzeit_alone",
            label=("der Hochzeiter spielt allein", "the Hochzeiter plays alone"),
            value=join(alone, (" oder ", " or ")),
            section=section("klaerung_tricks") or section("klaerung"),
        ),
    ]


def play(book: RuleBook, options: Options) -> list[Fact]:
    """List leader, taking back, laying face down, the called card and shortening as facts."""
    section = Sections(book)
    game, kind = probe.fresh(book, options), probe.alone(book)
    solo = probe.declared(game, kind, 3)
    neighbour: Text = ("der linke Nachbar des Gebers", "the dealer's left neighbour")
    leads = ("der Solospieler", "the soloist") if book.leader(solo) == 3 else neighbour
    facts = [
        Fact(
            key="leads",
            label=("spielt zuerst auf", "leads first"),
            value=neighbour,
            section=book.turn_sections["first_lead"],
        ),
        Fact(key="leads_solo", label=("im Solo", "in a solo"), value=leads, section=section("leader_in_solo")),
        Fact(
            key="follow",
            label=("nicht bedient", "a revoke"),
            value=(
                "wer die Farbe (alle Trümpfe sind eine) hat und nicht zugibt",
                "holding the suit led (all trumps are one) and not following",
            ),
            section=book.revoke_section,
        ),
        Fact(
            key="take_back",
            label=("ohne Verstoß zurückzunehmen", "taken back without a breach"),
            value=_taken_back(game),
            section=book.sections["take_back"],
        ),
        Fact(
            key="face_down",
            label=("verdeckt legen", "laying face down"),
            value=_face_down(book, options),
            section=book.covering_section,
        ),
        Fact(
            key="shorten",
            label=("abkürzen", "shortening"),
            value=_shorten(book, solo, game),
            section=book.sections["shorten"],
        ),
        Fact(
            key="words_back",
            label=("Gesagtes nimmt man zurück", "what was said is taken back"),
            value=option_text(book, options, "words_back"),
            section=section("words_back"),
        ),
        *_told(book, options),
    ]
    if any(kind.cards for kind in book.kinds):
        facts += _called(book, options)
    return facts


def _told(book: RuleBook, options: Options) -> list[Fact]:
    """What the table's screen tells while a game runs beyond what lies on a real table."""
    labels: dict[str, Text] = {
        "tell_augen": ("der Bildschirm nennt Augen", "the screen tells Augen"),
        "tell_tricks": ("er zeigt, wie viele Stiche jeder hat", "it shows the tricks of each"),
        "tell_sides": ("er zeigt erwiesene Parteien", "it shows proved sides"),
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
        return "nur die letzte Karte, bevor es weitergeht", "only the last card, before play goes on"
    if may == [2, 3]:
        return (
            "jede Karte des offenen Stiches außer der aufgespielten, auf der schon andere liegen",
            "any card of the open trick but the led one on which others lie",
        )
    return NEVER if not may else ("jede Karte des offenen Stiches", "any card of the open trick")


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
    return (
        f"der Hochzeiter mit lauter Trümpfen vor dem Klärungsstich einen Trumpf auf einen Fehlstich, nicht {but[0]}",
        f"the Hochzeiter with nothing but trumps, before the Klärungsstich, a trump on a plain trick, not {but[1]}",
    )


def _shorten(book: RuleBook, solo: Game, normal: Game) -> Text:
    """Who may lay down or give away the rest."""

    def may(kind: str, game: Game, seat: int) -> bool:
        return book.may_claim(game, kind, (), seat)

    claims: list[tuple[str, Text]] = [
        ("rest", ("den Rest beanspruchen", "claim the rest")),
        ("concede", ("den Rest abgeben", "give the rest away")),
    ]
    anyone = [text for kind, text in claims if may(kind, normal, 2)]
    soloist = [text for kind, text in claims if may(kind, solo, 3) and text not in anyone]
    parts = []
    if anyone:
        text = join(anyone, (" oder ", " or "))
        parts.append((f"jeder darf {text[0]}", f"anybody may {text[1]}"))
    if soloist:
        text = join(soloist, (" oder ", " or "))
        parts.append((f"der Solospieler darf {text[0]}", f"the soloist may {text[1]}"))
    return join(parts, ("; ", "; ")) if parts else NEVER


def _called(book: RuleBook, options: Options) -> list[Fact]:
    """With how many cards of its suit the holder of the called card may run away from it."""
    section, facts = Sections(book), []
    names = {"A": "davonlaufen_ace", "T": "davonlaufen_ten", "K": "davonlaufen_king"}
    kind = next(kind for kind in reversed(book.kinds) if kind.cards)
    for rank, name in names.items():
        card = next(card for card in kind.cards if card[1] == rank)
        game = probe.declared(probe.fresh(book, options), kind, 1, card=card)
        (found,) = book.beyond_suit(game, Laid(20, 2, card[0] + "7"))
        text = card_text(book, card)
        label = (f"davonlaufen mit {text[0].split()[-1]}", f"running away with {text[1].split()[-1]}")
        value = (f"ab {found.enough} Karten der Ruffarbe", f"from {found.enough} cards of the suit on")
        facts.append(Fact(key=name, label=label, value=value, section=section(name)))
    facts.append(
        Fact(
            key="after_davonlaufen",
            label=("danach gilt für die gerufene Karte:", "after it the called card:"),
            value=option_text(book, options, "after_davonlaufen"),
            section=section("after_davonlaufen"),
        )
    )
    facts.append(
        Fact(
            key="unlawful_davonlaufen_frees",
            label=("auch nach unerlaubtem Davonlaufen", "also after unlawful running away"),
            value=option_text(book, options, "unlawful_davonlaufen_frees"),
            section=section("unlawful_davonlaufen_frees"),
        )
    )
    return facts
