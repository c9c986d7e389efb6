"""How much a reading of the camera says, in nats: the negative logarithm of how likely each card is after it.

Calibrated on 1,615 simulated looks at cards lying singly and overlapping, of six decks, blurred by up to 4 px and dim;
66 put a wrong card first. The lead of the first card's evidence over the next one's, as a share of the
greater, says most, the margin a little more; by both the first is right with a chance of
1 / (1 + exp(-(0.4 + 15 lead + 1.5 margin))). Of the 66, 62 were the second choice, and one was not named.
"""

from collections.abc import Mapping, Sequence
from math import exp, inf, log

from kiosk.rules.cards import Card

#: Nats for a lead of the whole evidence, for a margin of 1, and for being put first.
LEAD, MARGIN, FIRST = 15.0, 1.5, 0.4

#: Nats that a clear reading is better than the single look of the calibration: the card lay whole, was looked at more
#: than once, and the camera would have said if it were in doubt. 0 … 5; more asks about fewer contradictions.
CLEAR = 3.0

#: Most that a reading in doubt may say for one of its cards against another: never enough to settle it alone. Of 45
#: doubts all 8 were wrong whose first card had 10 % less evidence than another, of 18 with 6 % more 17 were right.
MOST = 3.5

#: Share of wrong readings in which the right card was not named at all.
UNNAMED = 0.04

#: Evidence of the best rival where the log does not name it, as a share of the card's own.
RIVAL = 0.6

#: Nats against a card that a person has named being another one.
PERSON = 20.0


def weigh(
    card: Card, choices: Sequence[tuple[Card, float]], margin: float, clear: bool, kinds: Sequence[Card]
) -> dict[Card, float]:
    """Nats against each of ``kinds``, the cards of the deck without their copies.

    :param card: what it was read as.
    :param choices: (card, evidence) of those that were considered, ``card`` first; () if only ``card`` is known.
    :param margin: of the reading, 0 … 1.
    :param clear: whether the camera was sure.
    """
    named = dict(choices) or {card: 1.0}
    top = max(max(named.values()), 1e-9)
    worth = {one: LEAD * max(score, 0.0) / top for one, score in named.items()}
    worth[card] += FIRST + MARGIN * margin + (CLEAR if clear else 0.0)
    if not clear:
        least = max(worth.values()) - MOST
        worth = {one: max(value, least) for one, value in worth.items()}
    rest = sum(exp(value) for one, value in worth.items() if one != card) or exp(LEAD * RIVAL)
    right = 1.0 / (1.0 + rest * exp(-worth[card]))
    missed = UNNAMED if len(named) > 1 else 1.0
    strange = [kind for kind in kinds if kind not in named]
    chance = {kind: (1 - right) * missed / len(strange) for kind in strange}
    chance |= {one: (1 - right) * (1 - missed) * exp(value) / rest for one, value in worth.items() if one != card}
    chance[card] = right
    return {kind: -log(max(chance[kind], 1e-30)) for kind in kinds}


def certain(card: Card, kinds: Sequence[Card]) -> dict[Card, float]:
    """Nats against each kind where a person has named the card."""
    return {kind: 0.0 if kind == card else PERSON for kind in kinds}


def anything(kinds: Sequence[Card]) -> dict[Card, float]:
    """Nats against each kind where nobody has seen the card."""
    return dict.fromkeys(kinds, 0.0)


def likeliest_first(against: Mapping[Card, float]) -> list[Card]:
    """The cards that are possible at all, likeliest first."""
    return sorted((card for card, nats in against.items() if nats < inf), key=against.__getitem__)
