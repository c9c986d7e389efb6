"""Weigh a reading of the camera in nats: the negative log-likelihood of each card after it.

Calibrated on 1,615 simulated looks at cards lying singly and overlapping, of six decks, blurred by up to 4 px and dim;
66 put a wrong card first. The lead of the first card's evidence over the next one's, as a share of the
greater, says most, the margin a little more; by both the first is right with a chance of
1 / (1 + exp(-(0.4 + 15 lead + 1.5 margin))). Of the 66, 62 were the second choice, and one was not named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log

from kiosk.rules.engine.cards import Card
from kiosk.table.events.values import CardSeen


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingWeights:
    """Weights of a reading in nats where nothing else is stated; by the calibration above."""

    lead: float = 15.0  # for a lead of the whole evidence
    margin: float = 1.5  # for a margin of 1
    first: float = 0.4  # for being put first
    # What a clear reading is better than the single look of the calibration: the card lay whole, was read more than
    # once, and the camera would have reported a doubt. 0 … 5; more asks about fewer contradictions.
    clear: float = 3.0
    # Most that a reading in doubt may count for one of its cards against another: never enough to settle it alone. Of
    # 45 doubts all 8 were wrong whose first card had 10 % less evidence than another; of 18 with 6 % more 17 were
    # right.
    doubtful_limit: float = 3.5
    unnamed_share: float = 0.04  # of wrong readings, in which the right card was not named at all
    rival_share: float = 0.6  # evidence of the best rival where the log does not name it, of the card's own
    person: float = 20.0  # against a card that a person has named being another one


WEIGHTS = ReadingWeights()


@lru_cache(maxsize=512)  # each card of a game is weighed anew with each card after it
def weigh(
    card: Card, choices: tuple[tuple[Card, float], ...], margin: float, clear: bool, kinds: tuple[Card, ...]
) -> Mapping[Card, float]:
    """Weigh a reading: nats against each of ``kinds``, the cards of the deck without their copies.

    :param card: what it was read as.
    :param choices: (card, evidence) of those that were considered, ``card`` first; () if only ``card`` is known.
    :param margin: of the reading, 0 … 1.
    :param clear: whether the camera was sure.
    """
    named = dict(choices) or {card: 1.0}
    top = max(max(named.values()), 1e-9)
    worth = {one: WEIGHTS.lead * max(score, 0.0) / top for one, score in named.items()}
    worth[card] += WEIGHTS.first + WEIGHTS.margin * margin + (WEIGHTS.clear if clear else 0.0)
    if not clear:
        least = max(worth.values()) - WEIGHTS.doubtful_limit
        worth = {one: max(value, least) for one, value in worth.items()}
    rest = sum(exp(value) for one, value in worth.items() if one != card) or exp(WEIGHTS.lead * WEIGHTS.rival_share)
    right = 1.0 / (1.0 + rest * exp(-worth[card]))
    missed = WEIGHTS.unnamed_share if len(named) > 1 else 1.0
    strange = [kind for kind in kinds if kind not in named]
    chance = {kind: (1 - right) * missed / len(strange) for kind in strange}
    chance |= {one: (1 - right) * (1 - missed) * exp(value) / rest for one, value in worth.items() if one != card}
    chance[card] = right
    return {kind: -log(max(chance[kind], 1e-30)) for kind in kinds}


def nats_against(event: CardSeen, kinds: tuple[Card, ...]) -> float:
    """Weigh how unlikely a card read clearly is to be any other one; infinite where nothing else was considered.

    A finger or a scanner, and a file without the camera's evidence, name a card as clearly as can be.
    """
    if not event.rivals or len(event.scores) <= len(event.rivals):
        return inf
    margin = 1.0 if event.margin is None else event.margin
    choices = tuple(zip((event.card, *event.rivals), event.scores, strict=False))
    against = weigh(event.card, choices, margin, True, kinds)
    return min(nats for card, nats in against.items() if card != event.card)


def certain(card: Card, kinds: Sequence[Card]) -> dict[Card, float]:
    """Weigh a card named by a person: nats against each kind."""
    return {kind: 0.0 if kind == card else WEIGHTS.person for kind in kinds}


def anything(kinds: Sequence[Card]) -> dict[Card, float]:
    """Weigh a card that nobody has seen: nats against each kind."""
    return dict.fromkeys(kinds, 0.0)


def likeliest_first(against: Mapping[Card, float]) -> list[Card]:
    """List the possible cards, likeliest first."""
    return sorted((card for card, nats in against.items() if nats < inf), key=against.__getitem__)
