"""List the ways in which a kind of game is named: with its suits, called cards or conditions."""

from typing import Any

from kiosk.rules.engine.book import Kind


def forms(kind: Kind, duty: bool) -> list[dict[str, Any]]:
    """List all ways in which a kind of game is named, as keys of ``declare``."""
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
    return [base]
