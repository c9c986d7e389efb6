"""Play games of random cards for the proof of breaches: what truly lay, what was read of it, and who truly revoked."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import exp
from typing import Any, TypeAlias

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.announcements import KONTRA, LEVEL, RE
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.contract import TRUMP, Contract, raising
from kiosk.rules.engine.schweinchen import UNTIL, card_of, has_it, raising_calls
from kiosk.rules.engine.tricks import Laid, best
from kiosk.rules.options.option import Options
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round

#: A breach as ``replay`` names it: code, seat, event.
Named: TypeAlias = tuple[str, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How often something goes wrong, of all cards if not said otherwise; 0 … 1."""

    revokes: float = 0.08  # of cards that have to follow
    misread: float = 0.0  # read clearly as another card
    evidence: bool = False  # with what the camera says of a reading: it is less sure of what it misreads
    doubt: float = 0.0  # read in doubt, with up to two other choices
    unseen: float = 0.0  # not seen
    retracted: float = 0.0  # laid, taken back, and laid again, or another one
    calls: float = 0.0  # before a card, somebody announces something: in time or not, and never for the other side
    scans: float = 0.0  # of hands
    wrong_scans: float = 0.0  # of those, with one wrong card


@dataclass(slots=True)
class Played:
    """A game as an event file has it, with the truth."""

    book: str
    events: list[dict[str, Any]]
    hands: Mapping[int, tuple[str, ...]]  # as dealt
    revoked: set[int] = field(default_factory=set)  # events of the cards that did not follow and had to
    true: dict[int, str] = field(default_factory=dict)  # the card of each card event
    shown: list[int] = field(default_factory=list)  # events of cards that were taken back


def play(book: str, seed: int, noise: Noise, *, declared: Mapping[str, Any] | None = None) -> Played:
    """Play one game to its end, each card at random among the lawful ones, or now and then among all.

    :param declared: what seat 1 declares, whatever its hand is: keys of the event.
    """
    rng = random.Random(f"{book} {seed}")
    rules = BOOKS[book]
    hands = _dealt(rng, rules, declared)
    opened: dict[str, Any] = {"event": "open", "format": 1, "rules": book, "players": ["A", "B", "C", "D"]}
    opened |= {"table": 1, "round": 1, **({"book": dict(rules.own.content)} if rules.own else {})}
    game = Played(book, [opened, {"event": "deal", "dealer": 4}], {seat: tuple(hand) for seat, hand in hands.items()})
    contract, options = rules.normal, rules.settle({})
    if declared is not None:
        contract = rules.contracts[declared["game"], declared.get("suit")]
        game.events.append({"event": "declare", "seat": 1, **declared})
    for seat, hand in game.hands.items():
        if rng.random() < noise.scans:
            game.events.append({"event": "hand", "seat": seat, "cards": _scan(rng, rules.deck, hand, noise)})
    leader = 1
    for left in range(rules.hand_size, 0, -1):
        trick: list[tuple[int, str]] = []
        for turn in range(4):
            seat = (leader - 1 + turn) % 4 + 1
            led = contract.classes[trick[0][1]] if trick else None
            if noise.calls and rules.calls.words and rng.random() < noise.calls:
                game.events.append(_call(rng, rules, game.hands))
            contract = _raised(rng, game, contract, options, left < rules.hand_size or bool(turn))
            for again in (left > 1, False):
                card, revoked = _chosen(rng, contract.classes, hands[seat], led, noise)
                number = len(game.events)
                game.events.append(_seen(rng, sorted(set(rules.deck)), seat, card, noise))
                game.true[number] = card
                if revoked:  # also one that is taken back: while it lies it is a breach
                    game.revoked.add(number)
                if again and rng.random() < noise.retracted:
                    game.events.append({"event": "retract", "seat": seat, "card": game.events[number]["card"]})
                    game.shown.append(number)
                    continue
                hands[seat].remove(card)
                trick.append((seat, card))
                break
        leader = _winner(rules, contract, trick)
    return game


def _dealt(rng: random.Random, rules: RuleBook, declared: Mapping[str, Any] | None) -> dict[int, list[str]]:
    """Hands at random; that of seat 1 with as many trumps as it says came back, or one more or fewer."""
    cards = list(rules.deck)
    rng.shuffle(cards)
    if declared is not None and "trumps" in declared:
        number = max(0, declared["trumps"] + rng.choice([-1, 0, 0, 1]))
        trumps = [card for card in cards if rules.normal.classes[card] == TRUMP][:number]
        plain = [card for card in cards if rules.normal.classes[card] != TRUMP][: rules.hand_size - number]
        for card in (*trumps, *plain):
            cards.remove(card)
        cards = [*trumps, *plain, *cards]
    return {seat: cards[(seat - 1) * rules.hand_size : seat * rules.hand_size] for seat in (1, 2, 3, 4)}


def _raised(rng: random.Random, game: Played, contract: Contract, options: Options, begun: bool) -> Contract:
    """The contract after somebody may have said that both of a card are above all trumps; often he has both.

    :param begun: a card lies, or has been taken in.
    """
    calls = raising_calls(options)[len(contract.raised) :]
    late = begun and bool(calls) and options[UNTIL] == "first_card"
    if not calls or late or not has_it(contract, calls[0], options) or rng.random() > (0.1 if begun else 0.7):
        return contract
    card = card_of(calls[0], options)
    laid = {event["seat"] for event in game.events if event["event"] == "card" and event["card"] == card}
    seats = [seat for seat in game.hands if seat not in laid]
    if not seats:
        return contract
    both = [seat for seat in seats if game.hands[seat].count(card) == 2]
    game.events.append({"event": "announce", "seat": rng.choice(both or seats), "call": calls[0]})
    return raising(contract, card)


def _winner(rules: RuleBook, contract: Contract, trick: list[tuple[int, str]]) -> int:
    laid = tuple(Laid(n, seat, card) for n, (seat, card) in enumerate(trick))
    second = rules.second_wins(contract, rules.settle({}))
    return best(contract, rules.equal_order(laid), second).seat


def _chosen(
    rng: random.Random, classes: Mapping[str, str], hand: list[str], led: str | None, noise: Noise
) -> tuple[str, bool]:
    """A card of the hand, and whether it revokes."""
    lawful = [card for card in hand if classes[card] == led]
    if lawful and len(lawful) < len(hand) and rng.random() < noise.revokes:
        return rng.choice([card for card in hand if card not in lawful]), True
    return rng.choice(lawful or hand), False


def _call(rng: random.Random, rules: RuleBook, hands: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
    """What somebody announces: of Re and Kontra what his hand makes him."""
    seat, call = rng.randint(1, 4), rng.choice(rules.calls.words)
    if LEVEL.get(call) == 1:
        call = RE if "CQ" in hands[seat] else KONTRA
    return {"event": "announce", "seat": seat, "call": call}


def _seen(rng: random.Random, kinds: list[str], seat: int, card: str, noise: Noise) -> dict[str, Any]:
    """The event of a card as it was read."""
    event: dict[str, Any] = {"event": "card", "seat": seat, "card": card}
    chance = rng.random()
    if chance < noise.unseen:
        return event | {"card": rng.choice(kinds), "doubt": kinds, "unseen": True}
    if chance < noise.unseen + noise.doubt:
        others = rng.sample([kind for kind in kinds if kind != card], rng.choice([1, 1, 2]))
        choices = [card, *others]
        rng.shuffle(choices)
        return event | {"card": choices[0], "doubt": choices}
    wrong = rng.random() < noise.misread
    if wrong:
        event["card"] = rng.choice([kind for kind in kinds if kind != card])
    return event | _evidence(rng, kinds, event["card"], card, wrong) if noise.evidence else event


def _evidence(rng: random.Random, kinds: list[str], read: str, card: str, wrong: bool) -> dict[str, Any]:
    """What the camera says of a clear reading: its lead over the next card, as the calibration of readings has it.

    A wrong reading has the lead of all, times the chance that a reading with this lead is wrong.
    """
    lead = rng.uniform(0.0, 0.8)
    while wrong and rng.random() > exp(-16.5 * lead):
        lead = rng.uniform(0.0, 0.8)
    rival = card if wrong else rng.choice([kind for kind in kinds if kind != read])
    return {"margin": round(lead, 3), "rivals": [rival], "scores": [0.8, round(0.8 * (1 - lead), 3)]}


def _scan(rng: random.Random, deck: tuple[str, ...], hand: tuple[str, ...], noise: Noise) -> list[str]:
    read = list(hand)
    if rng.random() < noise.wrong_scans:
        place = rng.randrange(len(read))
        read[place] = rng.choice([kind for kind in sorted(set(deck)) if kind != read[place]])
    return read


def folded(events: list[dict[str, Any]]) -> Iterator[tuple[int, Round]]:
    """Fold an event file; the round after each event."""
    round: Round | None = None
    for number, event in enumerate(events):
        round = open_round(decode(event)) if round is None else round.apply(decode(event))
        yield number, round
