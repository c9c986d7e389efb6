"""Format a state of the lesson and the check of a deck as lines of a terminal."""

from kiosk.language import decimal_text, say
from kiosk.language.cards import card_words
from vision.messages import ConfusablePair, LessonState


def state_words(state: LessonState, bavarian: bool, language: str = "de") -> str:
    """Format a state of the lesson as one line."""
    rival = card_words(state.rival, bavarian, language) if state.rival else ""
    words = say("verdicts", state.verdict, language, rival=rival, detail=state.detail)
    asked = say("lesson", "show", language, card=card_words(state.asked, bavarian, language)) if state.asked else ""
    return f"[{len(state.learned)}/{state.total}] {asked}{': ' if asked else ''}{words}"


def rival_words(
    name: str, found: list[ConfusablePair], told: tuple[ConfusablePair, ...], bavarian: bool, language: str
) -> list[str]:
    """Format the check of a deck: one line per pair that is alike, or that there is none."""

    def line(key: str, pair: ConfusablePair) -> str:
        one, other = (card_words(label, bavarian, language) for label in (pair.one, pair.other))
        both = say("lesson", "and", language, one=one, other=other)
        margin, half = (decimal_text(value, language) for value in (pair.margin, pair.half))
        return say("lesson", key, language, name=name, one=one, other=other, pair=both, margin=margin, half=half)

    if told:
        return [line("alike", pair) for pair in told]
    return [line("fit", found[0])] if found else [say("lesson", "nothing_alike", language, name=name)]
