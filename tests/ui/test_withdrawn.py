"""A breach that was shown and holds no more is withdrawn where everybody sees it."""

from typing import Any

from kiosk.table.events.codec import decode
from kiosk.table.round.fold import fold
from kiosk.table.view.show import view

PLAYERS = ["Anna", "Bernd", "Cem", "Dora"]
CARDS = "2CA 3S9 4C9 1CT 2HA 3CK 4H9 1HK 2SA 3SK 4S9 1ST 2CK"


def shown(cards: str) -> Any:
    events: list[dict[str, Any]] = [
        {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 2, "players": PLAYERS},
        {"event": "release"},
        {"event": "deal", "dealer": 1},
        *({"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)),
        *({"event": "card", "seat": int(word[0]), "card": word[1:]} for word in cards.split()),
    ]
    return view(fold(map(decode, events)))


def test_the_cards_in_doubt_are_named(hand: Any) -> None:
    from kiosk.ui.play.messages_text import messages

    hand.show(shown(CARDS))
    assert "withdrawn" not in {one.key for one in messages(hand.app, shown(CARDS))}
    third = shown(CARDS + " 3CK")
    hand.show(third)
    said = {one.key: one for one in messages(hand.app, third)}
    assert said["withdrawn"].text == "Zurückgezogen: Nicht bedient (Cem). Zu oft gelesen: Kreuz König (Cem, Bernd)"
    assert said["withdrawn"].act == ("ask_about", third.doubts[0].event)
