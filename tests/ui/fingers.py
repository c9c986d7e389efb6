"""Find what a finger touches: keys of a panel, cards, choices that are unfolded, the digits of a code."""

from typing import Any


def card_face(hand: Any, card: str) -> Any:
    from kiosk.ui.parts.cards import CardFace

    return hand.stage.find(CardFace, card=card)


def pick(hand: Any, card: str) -> None:
    from kiosk.ui.parts.cards import CardKey

    hand.stage.touch(hand.stage.find(CardKey, card=card))


def panel_key(hand: Any, seat: int, words: str) -> Any:
    """A key in one seat's panel."""
    panel = hand.app.screen("play").panels[seat]
    found = [key for key in panel.ids.key_box.children if words in key.text]
    assert len(found) == 1, [key.text for key in panel.ids.key_box.children]
    return found[0]


def choice(hand: Any, seat: int, meaning: tuple[Any, ...]) -> Any:
    """A choice that is unfolded in one seat's area, after turning to its page."""
    unfolded = hand.app.screen("play")._unfolded[seat].content
    for _ in range(8):
        keys = unfolded.ids.choices.children
        found = [key for key in keys if key.meaning == meaning]
        if found:
            return found[0]
        hand.stage.touch(next(key for key in keys if key.meaning == ("page",)))
    raise LookupError(meaning)


def type_code(hand: Any, code: str) -> None:
    """Touch a code's digits and OK."""
    keys = hand.app.sheets.current.ids.digits.children
    for sign in (*code, "OK"):
        hand.stage.touch(next(key for key in keys if key.text == sign))
