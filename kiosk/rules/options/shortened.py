"""Name a bad value in a message: whole if it is short, never longer than a line of a screen holds."""

#: Letters of a value that a message has at most.
LONGEST = 60


def shorten(value: object) -> str:
    """Return how a value is written in Python, cut where it is long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deep, a number of too many digits
        return f"this {type(value).__name__}"
    return text if len(text) < LONGEST else text[: LONGEST - 3] + "..."
