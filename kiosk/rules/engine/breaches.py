"""Find the breaches that are certain although cards are in doubt, were not seen, were misread or scanned wrongly.

Only what holds in every world that the readings leave open is one (``readings``). A clear card that may well be another
one proves nothing alone: the breach has to hold as well without it, until together the cards that would have to be
misread are unlikely enough. Where nothing is in doubt ``kiosk.rules.steps`` comes to the
same with what it counts along.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from kiosk.rules.engine.announcements import KONTRA, LEVEL, RE, Said
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.evolve import evolve, remembered
from kiosk.rules.engine.open_knowledge import open_knowledge
from kiosk.rules.engine.open_tricks import may_be_lawful, may_have_won
from kiosk.rules.engine.proof import Knowledge, Move, revokes
from kiosk.rules.engine.readings import Readings
from kiosk.rules.engine.schweinchen import UNTIL, may_hold_both
from kiosk.rules.engine.tricks import Laid, Trick

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game

#: Nats by which the cards read clearly must be more likely so than otherwise, for a breach to be shown: 400 to 1.
CONFIDENT = 6.0

#: Joint readings tried for a card of which more depends than its own hand; with more of them it proves nothing.
MOST_READINGS = 24


class Breach(NamedTuple):
    """A breach, by its code, its event and its seat."""

    code: str
    event: int
    seat: int


def proved(game: "Game", shown: Collection[Breach] = ()) -> list[tuple[Breach, str]]:
    """List what is certain in every world left open, each with its section.

    :param shown: what was certain before: a card that lies since then could have been any, so it is weighed no more,
        unless the deck or a hand contradicts what it may have rested on.
    """
    first = readings_of(game)
    if not first.consistent:
        return []
    found = list(_in(game, first))
    weak = [laid for laid in _seen(game) if not laid.doubt and laid.against < CONFIDENT]
    if not weak:
        return found
    misread = _Misread(game)
    weighed = () if _contradicted(game, first) else shown
    return [one for one in found if one[0] in weighed or _holds_without(game, one[0], weak, misread)]


def _contradicted(game: "Game", readings: Readings) -> bool:
    """Whether more worlds are open than before: too many cards of a kind lie, or a scanned hand is used no more."""
    return bool(readings.over or readings.aside) or any(one.code == "card_not_held" for one in game.faults)


def readings_of(game: "Game") -> Readings:
    """Return what the cards of a game leave open, made once for each state of them."""
    of = game.tricks, game.open_trick, game.hands, game.taken_back, game.claim, game.contract
    return remembered(game, "kept_readings", of, lambda: Readings(game))


class _Misread:
    """What a game's cards leave open if some clear ones were misread, made once for all breaches."""

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._made: dict[frozenset[int], Readings] = {}

    def readings(self, freed: frozenset[int]) -> Readings:
        """:param freed: events of the cards that may be any."""
        if freed not in self._made:
            self._made[freed] = Readings(self._game, freed)
        return self._made[freed]


def _holds_without(game: "Game", breach: Breach, weak: list[Laid], misread: _Misread) -> bool:
    """Whether a breach is certain as well if one clear card, or two together, were misread that may well have been."""
    near, alone = _hangs_on(game, breach)
    weak = [laid for laid in weak if laid.event in near or not alone]
    weak.sort(key=lambda laid: (laid.event not in near, laid.seat != breach.seat))  # these refute it most often
    pairs = [frozenset((a.event, b.event)) for a, b in combinations(weak, 2) if a.against + b.against < CONFIDENT]
    # Two may be any: then one of them may, unless the other makes too many of a kind, or a scanned hand wrong.
    paired = frozenset().union(*pairs) if not (game.hands or readings_of(game).over) else frozenset()
    freed = [frozenset((laid.event,)) for laid in weak if laid.event not in paired] + pairs
    refuted: dict[Breach, frozenset[int]] = remembered(game, "kept_refuted", (), dict)
    last = refuted.get(breach)
    if last in freed:  # what has refuted it before mostly does so still
        freed.remove(last)
        freed.insert(0, last)
    for events in freed:
        if not _certain(game, misread.readings(events), breach):
            refuted[breach] = events
            return False
    return True


def _hangs_on(game: "Game", breach: Breach) -> tuple[set[int], bool]:
    """The cards that a breach hangs on first, and whether it hangs on these alone, whatever the others are."""
    if breach.code == "out_of_turn":
        before = next(before for lead, before in _leads(game) if lead.event == breach.event)
        return {laid.event for laid in before.cards}, all(_sure(game, laid, weak=True) for laid in before.cards)
    trick = trick_of(game, breach.event)
    cards = game.tricks[trick].cards if trick < len(game.tricks) else game.open_trick
    near = {laid.event for laid in cards}
    if breach.code != "revoke" or not _sure(game, cards[0], weak=True):
        return near, False
    asked = game.contract.members[game.contract.classes[cards[0].card]]
    later = [laid for one in game.tricks[trick + 1 :] for laid in one.cards] + list(game.open_trick)
    own = (laid for laid in later if laid.seat == breach.seat and laid.card in asked)
    return near, any(_sure(game, laid, weak=False) for laid in own)


def _sure(game: "Game", laid: Laid, weak: bool) -> bool:
    """Whether a card is neither in doubt nor one of too many; ``weak``: it may be read weakly."""
    return laid.event not in readings_of(game).kinds and (weak or laid.against >= CONFIDENT)


def _certain(game: "Game", readings: Readings, breach: Breach) -> bool:
    """Whether a breach that is certain otherwise is so with these readings."""
    if breach.code == "revoke":
        trick = trick_of(game, breach.event)
        cards = game.tricks[trick].cards if trick < len(game.tricks) else game.open_trick
        own = next(laid for laid in cards if laid.event == breach.event)
        if not may_be_lawful(readings, trick, cards[0], own):
            return True
        return bool(_beyond_suit(game, readings, {breach.event: breach.seat}))
    if breach.code == "out_of_turn":
        before = next(before for lead, before in _leads(game) if lead.event == breach.event)
        return not may_have_won(readings, before.cards, breach.seat)
    return any(one == breach for one, _ in (*_not_entitled(game, readings), *_misnamed(game, readings)))


def rests_on_cards(game: "Game", breach: Breach) -> bool:
    """Report whether a breach is one that :func:`proved` decides: others are certain by themselves."""
    if breach.code in ("revoke", "wrong_side"):
        return True
    if breach.code == "not_entitled":
        by_hand = {move.event for move in game.covered} | {one.event for one in game.doubtful}
        by_hand |= {one.event for one in game.raised}
        return breach.event in by_hand
    return breach.code == "out_of_turn" and any(lead.event == breach.event for lead, _ in _leads(game))


def all_moves(game: "Game", reading: dict[int, Card] | None = None) -> tuple[Move, ...]:
    """List the cards that did not follow, with the slots as they count or as ``reading`` has them."""
    classes, read = game.contract.classes, reading or {}
    found = []
    laid_before: dict[tuple[int, str], int] = {}
    for cards in (*(trick.cards for trick in game.tricks), game.open_trick):
        kinds = [classes[read.get(laid.event, laid.card) if read else laid.card] for laid in cards]
        for laid, kind in zip(cards, kinds, strict=True):
            if kind != kinds[0]:
                before = laid_before.get((laid.seat, kinds[0]), 0)
                found.append(Move(event=laid.event, seat=laid.seat, led=kinds[0], laid_before=before))
            # Of the suit led each seat lays one card a trick, so that it may be counted along.
            laid_before[laid.seat, kind] = laid_before.get((laid.seat, kind), 0) + 1
    return tuple(found)


def _seen(game: "Game") -> list[Laid]:
    """List the cards that lie, and those that were taken back."""
    lying = [laid for trick in game.tricks for laid in trick.cards] + list(game.open_trick)
    return lying + [laid for _, laid in game.taken_back]


def _in(game: "Game", readings: Readings) -> Iterator[tuple[Breach, str]]:
    book = game.book
    for event, seat in _revoked(game, readings).items():
        yield Breach("revoke", event, seat), book.revoke_section
    yield from _not_entitled(game, readings)
    for lead, before in _leads(game):
        open_trick = any(laid.event in readings.kinds for laid in before.cards)
        if (open_trick or lead.seat != before.winner) and not may_have_won(readings, before.cards, lead.seat):
            yield Breach("out_of_turn", lead.event, lead.seat), book.turn_sections["lead"]
    yield from _misnamed(game, readings)


def _misnamed(game: "Game", readings: Readings) -> Iterator[tuple[Breach, str]]:
    """Calls that name a side on which their seat certainly is not."""
    for said in named_sides(game):
        if _on_other_side(game, readings, said):
            yield Breach("wrong_side", said.event, said.seat), game.book.calls.sections["wrong_side"]


def _not_entitled(game: "Game", readings: Readings) -> Iterator[tuple[Breach, str]]:
    """Cards laid face down by who held one that forbids it, and games to which no hand left open entitles."""
    book, contract = game.book, game.contract
    forbid = frozenset(card for card in contract.classes if book.covering_needs_none(game, card))
    for move in game.covered:
        if not readings.possible({}, move.seat, forbid, trick_of(game, move.event)):
            yield Breach("not_entitled", move.event, move.seat), book.covering_section
    for declaration in game.doubtful:
        kind = next(kind for kind in book.kinds if kind.game == declaration.game)
        if not kind.allowed(game, open_knowledge(readings), declaration):
            yield Breach("not_entitled", declaration.event, declaration.seat), kind.section
    for one in game.raised:
        if not may_hold_both(open_knowledge(readings), one):
            yield Breach("not_entitled", one.event, one.seat), book.option(UNTIL).section


def trick_of(game: "Game", event: int) -> int:
    """Find the trick, from 0, in which a card lies; the open one is the last."""
    return next(
        (n for n, trick in enumerate(game.tricks) if any(laid.event == event for laid in trick.cards)),
        len(game.tricks),
    )


def _leads(game: "Game") -> list[tuple[Laid, Trick]]:
    """The cards that led after the first trick, with the trick before each."""
    leads = [*(trick.cards[0] for trick in game.tricks), *game.open_trick[:1]]
    return list(zip(leads[1:], game.tricks, strict=False))


# Suits that were not followed


def _revoked(game: "Game", readings: Readings) -> dict[int, int]:
    """The cards that certainly broke the duty to follow, or the rules of the called card, with their seats."""
    reading = readings.reading or {}
    known = next(readings.known_by(reading))  # what this one way allows is not certain
    broken = {move.event: move.seat for move in revokes(known, game.contract, all_moves(game, reading))}
    tricks = (*(trick.cards for trick in game.tricks), game.open_trick)
    for n, cards in enumerate(tricks):
        for laid in cards[1:]:
            if laid.event in broken and may_be_lawful(readings, n, cards[0], laid):
                del broken[laid.event]
    broken.update(_beyond_suit(game, readings))
    return broken


def _beyond_suit(game: "Game", readings: Readings, among: dict[int, int] | None = None) -> dict[int, int]:
    """The cards, ``among`` some, that in every joint reading broke a called card's rules, or did not follow suit."""
    if game.declaration is None or game.declaration.card is None:
        return {}
    first = readings.reading or {}
    found = _suspected(game, next(readings.known_by(first)), first, among)
    tried = readings.all(MOST_READINGS) if found else []
    for reading in tried or ():
        for known in readings.known_by(reading):
            found = _suspected(game, known, reading, found)
            if not found:
                return {}
    return {} if tried is None else found


def _suspected(
    game: "Game", known: Knowledge, reading: dict[int, Card], among: dict[int, int] | None
) -> dict[int, int]:
    """The cards, ``among`` some, that certainly broke a called card's rules, or revoked, if the slots are so."""
    # in one reading it breaks these rules, in another it does not follow suit
    broken = revokes(known, game.contract, all_moves(game, reading))
    found = {move.event: move.seat for move in broken if among is None or move.event in among}
    re_card = game.contract.re_card
    queens: tuple[tuple[int, int], ...] = ()
    done: tuple[Trick, ...] = ()
    for cards in (*(trick.cards for trick in game.tricks), game.open_trick):
        read = tuple([_as(laid, reading) for laid in cards])
        for place, laid in enumerate(read):
            if (among is None or laid.event in among) and laid.event not in found:
                then = evolve(game, tricks=done, open_trick=read[:place], queens=queens)
                if any(one.certain(known) for one in game.book.beyond_suit(then, laid)):
                    found[laid.event] = laid.seat
            if laid.card == re_card:
                queens += ((laid.event, laid.seat),)
        if len(done) < len(game.tricks):
            done += (replace(game.tricks[len(done)], cards=read),)
    return found


def _as(laid: Laid, reading: dict[int, Card]) -> Laid:
    return replace(laid, card=reading[laid.event]) if laid.event in reading else laid


# Sides


def named_sides(game: "Game") -> tuple[Said, ...]:
    """List the calls that name a side, once the game is found: before, a solo may still make any seat Re."""
    if not game.said or not game.found:
        return ()
    return tuple(said for said in game.said if said.side or LEVEL.get(said.call) == 1)


def _on_other_side(game: "Game", readings: Readings, said: Said) -> bool:
    """Whether a call named the side on which its seat certainly is not."""
    side, seat = said.side or said.call, said.seat
    declared = game.declaration
    if declared is not None:
        ruled = game.ruled
        if ruled is not None and not game.contract.solo and _klaerung_open(game, readings):
            ruled = None
        if ruled is not None:
            return (seat in ruled) != (side == RE)
        return seat == declared.seat and side == KONTRA
    card = game.contract.re_card
    if card is None:
        return False
    knowledge = open_knowledge(readings)
    return not (knowledge.fits(seat, (card,), ()) if side == RE else knowledge.fits(seat, (), (card,)))


def _klaerung_open(game: "Game", readings: Readings) -> bool:
    """Whether a card that may be another one lies in a trick by which the Hochzeit was settled."""
    klaerung = game.klaerung
    last = len(game.tricks) if klaerung is None else klaerung.trick + 1
    return any(laid.event in readings.kinds for trick in game.tricks[:last] for laid in trick.cards)
