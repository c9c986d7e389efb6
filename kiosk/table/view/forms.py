"""List the ways in which a kind of game is named: with its suits, called cards or conditions."""

from collections.abc import Sequence
from typing import Any

from kiosk.rules.engine.book import Kind


def forms(kind: Kind, duty: bool, partners: Sequence[int] = ()) -> list[dict[str, Any]]:
    """List all ways in which a kind of game is named, as keys of ``declare``.

    :param partners: who may take cards that are given away.
    """
    base: dict[str, Any] = {"game": kind.game}
    if duty:
        base["duty"] = True
    if kind.suits:
        return [{**base, "suit": suit} for suit in kind.suits]
    if kind.cards:
        aces = [{**base, "card": card, "renonce": True} for card in kind.cards if card[1] == "A"]
        return [{**base, "card": card} for card in kind.cards] + (aces if len(kind.cards) > len(aces) else [])
    if kind.conditions:
        return [base, *({**base, "condition": condition} for condition in kind.conditions[1:])]
    if kind.exchange:
        back: Sequence[dict[str, int]] = [{"trumps": number} for number in kind.told_back] or [{}]
        taken = [{**base, "partner": seat, **told} for seat in partners for told in back]
        return [*taken, *([base] if kind.untaken_ends else [])]
    return [base]
