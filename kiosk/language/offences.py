"""Sentences that describe an offence and its proof, so that a player can check them."""

from typing import Final

from kiosk.language import Words

PROOFS: Final[Words] = {
    "revoke_card": (
        "Stich {trick}: {name} legt {card} auf {led}. Später legt {name} {shown} – damit wäre zu bedienen gewesen.",
        "Trick {trick}: {name} lays {card} on {led}. Later {name} lays {shown}, which should have followed.",
    ),
    "revoke_count": (
        "Stich {trick}: {name} legt {card} auf {led}. Nach allen Karten, die man inzwischen kennt, hatte {name} noch "
        "eine Karte zum Bedienen.",
        "Trick {trick}: {name} lays {card} on {led}. By all the cards known since then {name} still held one to "
        "follow with.",
    ),
    "revoke_called": (
        "Stich {trick}: {name} legt {card} und hat dabei die gerufene Karte {called} auf der Hand.",
        "Trick {trick}: {name} lays {card} while holding the called card {called}.",
    ),
    "called_discarded": (
        "Stich {trick}: {name} wirft die gerufene Karte {card} ab.",
        "Trick {trick}: {name} throws the called card {card} away.",
    ),
    "out_of_turn": (
        "Stich {trick}: {name} legt {card}, an der Reihe war {due}.",
        "Trick {trick}: {name} lays {card}; it was the turn of {due}.",
    ),
    "card": ("Stich {trick}: {name} legt {card}.", "Trick {trick}: {name} lays {card}."),
    "call": (
        "{name} sagt {call} mit {cards} Karten in der Hand.",
        "{name} says {call} with {cards} cards in hand.",
    ),
    "call_one": ("{name} sagt {call} mit 1 Karte in der Hand.", "{name} says {call} with 1 card in hand."),
    "call_table_one": (
        "{name} sagt {call}, als schon eine Karte lag.",
        "{name} says {call} when one card lay already.",
    ),
    "call_table": (
        "{name} sagt {call}, als schon {laid} Karten gelegt waren.",
        "{name} says {call} when {laid} cards had been laid.",
    ),
    "duty": (
        "Stich {trick} gehört {name}. Bis {shown} lag, fehlte die Ansage.",
        "Trick {trick} goes to {name}. When {shown} lay, the announcement was missing.",
    ),
    "card_down": ("Stich {trick}: {name} legt eine Karte verdeckt.", "Trick {trick}: {name} lays a card face down."),
    "said": ("{name} sagt {call}.", "{name} says {call}."),
    "proved_by": (" Das zeigt sich mit {shown}.", " This shows with {shown}."),
}
