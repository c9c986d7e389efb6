"""Tell what is wrong with a book to who sees its fields in words: no key, no name as a file has it."""

from kiosk.language import has, say
from kiosk.language.cards import card_word
from kiosk.language.rules import book_name
from kiosk.rules.composed.file import BadBook
from kiosk.rules.describe.told import refusal_told, tell
from kiosk.rules.options.option import BadOption
from kiosk.rules.options.words import Filling, Joined, Text, Words

#: What is filled in by names as a file has them, several with commas between.
_NAMES = ("names", "games", "always", "name", "call", "point")

#: Sentences that say what to write into a file, and those of the form, which say what to choose.
_OF_FORM = {
    "bids_by_place": "bids_by_place_form",
    "bock_doubles": "bock_doubles_form",
    "duty_needs_calls": "duty_needs_calls_form",
    "no_solo": "no_solo_form",
    "order_lacks": "order_lacks_form",
    "order_of_others": "order_of_others_form",
    "read_by_point": "read_by_point_form",
    "sums_of_0": "sums_of_0_form",
}

#: Where names have their words.
_SUBJECTS = ("games", "values", "own_book", "calls")


def error_words(error: BadBook, language: str) -> str:
    """Tell what is wrong with a book, as its form names everything."""
    if isinstance(error.why, BadOption):
        return refusal_told(error.why, language)
    return tell(_worded(error.why, language), language)


def _worded(text: Text, language: str) -> Text:
    """A text with the form's sentence, where it has one of its own, and names as the form has them."""
    if isinstance(text, Joined):
        return Joined(tuple(_worded(part, language) for part in text.parts), text.between)
    if not isinstance(text, Words) or text.subject != "book_errors":
        return text
    code = _OF_FORM.get(text.code, text.code)
    return Words(text.subject, code, tuple((name, _filled(name, value, language)) for name, value in text.fill))


def _filled(name: str, value: Filling, language: str) -> Filling:
    if not isinstance(value, str):
        return value
    if name == "base":
        return book_name(value, language)
    if name == "card":
        return card_word(value, language)
    return ", ".join(_word(one, language) for one in value.split(", ")) if name in _NAMES else value


def _word(name: str, language: str) -> str:
    return next((say(subject, name, language) for subject in _SUBJECTS if has(subject, name)), name)
