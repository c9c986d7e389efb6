"""Keep what somebody claims beside the events, over a restart: nothing of it is an event until it is settled."""

import json
import logging
from dataclasses import dataclass
from typing import Any

from kiosk.rules.engine.cards import Card
from kiosk.table.events.log import Log
from kiosk.table.round.fold import Round
from kiosk.table.writer import EventWriter

log = logging.getLogger(__name__)

#: Under this key a log keeps the claim that stands.
_CLAIM = "claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingClaim:
    """A rest that is claimed and not settled.

    :ivar game: number of the game and rows of the list.
    :ivar order: in which the cards come, as far as it is said.
    :ivar hand: all that he shows; (): it is not known whole.
    :ivar agreed: seats that have held their keys for it; who shows his cards comes first.
    """

    seat: int
    game: tuple[int, int]
    order: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    agreed: frozenset[int] = frozenset()

    def is_of(self, other: "StandingClaim | None") -> bool:
        """Whether another one is the same seat's in the same game, whatever else was said of it."""
        return other is not None and (self.seat, self.game) == (other.seat, other.game)


def kept_claim(events: Log, round: Round) -> StandingClaim | None:
    """Return the claim that stood in the game in play when the program ended; None: there was none."""
    kept, game = events.kept(_CLAIM), round.game
    if not kept or game is None or game.phase != "playing":
        return None
    try:
        data = json.loads(kept)
        claim, dealt = _told(data), int(data["dealt"])
    except (ValueError, TypeError, KeyError) as error:
        log.error("the claim that stood cannot be read, and is to be said again: %s", error)
        return None
    return claim if dealt == game.dealt and claim.seat in game.seats else None


def keep_claim(writer: EventWriter, claim: StandingClaim | None, round: Round) -> None:
    """Keep it for the game in play; where the disk is full it counts all the same, until the program ends."""
    dealt = round.game.dealt if round.game is not None else 0  # a deal that was void is dealt again with its number
    writer.keep(_CLAIM, json.dumps({"dealt": dealt, **_data(claim)}) if claim is not None else "")


def _data(claim: StandingClaim) -> dict[str, Any]:
    lists = {"game": [*claim.game], "order": [*claim.order], "hand": [*claim.hand], "agreed": sorted(claim.agreed)}
    return {"seat": claim.seat, **lists}


def _told(data: dict[str, Any]) -> StandingClaim:
    """:raises ValueError: it is no claim."""
    number, rows = map(int, data["game"])
    order, hand = (tuple(map(str, data[key])) for key in ("order", "hand"))
    agreed = frozenset(map(int, data["agreed"]))
    return StandingClaim(seat=int(data["seat"]), game=(number, rows), order=order, hand=hand, agreed=agreed)
