"""Explain an offence in a sentence or two: the facts and their proof."""

from collections.abc import Callable, Sequence
from functools import partial

from kiosk.language import Language, say
from kiosk.language.cards import card_word
from kiosk.language.table import word
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.cards import Card
from kiosk.table.view.table_view import OffenceView, TableView


def explain(offence: OffenceView, names: Sequence[str], language: Language = "de") -> str:
    """Write the facts and their proof so that a player can check them; empty if there is no more to report.

    :param names: the players, seat 1 first.
    """
    name = names[offence.seat - 1]
    cards = partial(card_word, language=language, bavarian=plays_bavarian(offence.section.split(" ")[0]))
    if offence.code == "missed_duty" and offence.trick is not None and offence.shown is not None:
        return say("proofs", "duty", language, name=name, trick=offence.trick, shown=cards(offence.shown))
    proved = False
    if offence.call is not None:
        text = _said(offence, name, language)
        proved = True
    elif offence.card is not None:
        key, more = _laid(offence, names, cards)
        text = say("proofs", key, language, trick=offence.trick, name=name, card=cards(offence.card), **more)
        proved = key in ("card", "card_down") and offence.code == "not_entitled"
    else:
        return ""
    if proved and offence.shown is not None:
        text += say("proofs", "proved_by", language, shown=cards(offence.shown))
    return text


def explain_withdrawn(view: TableView, names: Sequence[str], language: Language = "de") -> str:
    """Write what is held against nobody any more, and which cards are doubted; empty if nothing was withdrawn."""
    if not view.withdrawn:
        return ""
    last = view.withdrawn[-1]
    cards = partial(card_word, language=language, bavarian=plays_bavarian(view.rules))
    whose: dict[str, list[str]] = {}
    for one in view.doubted:
        whose.setdefault(cards(one.card), []).append(names[one.seat - 1])
    doubted = "; ".join(f"{card} ({', '.join(dict.fromkeys(by))})" for card, by in whose.items())
    key = "withdrawn" if doubted else "withdrawn_scan"
    what = word(last.code, language)
    return say("proofs", key, language, name=names[last.seat - 1], what=what, doubted=doubted)


def _said(offence: OffenceView, name: str, language: Language) -> str:
    """The word that was out of order, and how late it was."""
    if offence.cards_left is None:
        key = "said"
    elif offence.laid is None:
        key = "call_one" if offence.cards_left == 1 else "call"
    else:
        key = "call_table_one" if offence.laid == 1 else "call_table"
    said = word(str(offence.call), language)
    return say("proofs", key, language, name=name, call=said, cards=offence.cards_left, laid=offence.laid)


def _laid(offence: OffenceView, names: Sequence[str], cards: Callable[[Card], str]) -> tuple[str, dict[str, object]]:
    """The sentence for a card laid against a rule, and what fills it besides that card."""
    if offence.called is not None:
        key = "called_discarded" if offence.card == offence.called else "revoke_called"
        return key, {"called": cards(offence.called)}
    if offence.code == "revoke" and offence.led is not None:
        led = {"led": cards(offence.led)}
        return (
            ("revoke_count", {**led})
            if offence.shown is None
            else ("revoke_card", {**led, "shown": cards(offence.shown)})
        )
    if offence.code == "out_of_turn" and offence.due is not None:
        return "out_of_turn", {"due": names[offence.due - 1]}
    return ("card_down" if offence.down else "card"), {}


def plays_bavarian(rules: str) -> bool:
    """Report whether the cards of a book are Bavarian."""
    book = BOOKS.cited(rules)
    return book is not None and "EO" in book.deck
