"""Words for a table's codes: games, calls, phases, refusals, notices, values."""

from typing import Final

from kiosk.language import has, say

#: What a code may belong to, in this order.
_SUBJECTS: Final = ("games", "calls", "phases", "reasons", "notices", "values")


def word(code: str, language: str = "de") -> str:
    """Look up the word for a code: a game, call, phase, reason, notice or value; an unknown code is shown as it is."""
    subject = next((subject for subject in _SUBJECTS if has(subject, code)), "")
    return say(subject, code, language) if subject else code
