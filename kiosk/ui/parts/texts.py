"""Look up the screen's words by language for its layouts."""

from kiosk.language import next_language, say, words


def screen_words(language: str) -> dict[str, str]:
    """List the words of all layouts by code; ``language`` is the name of the one that its key brings."""
    return {
        **words("screen", "setup", "evening", language=language),
        "language": say("language", "name", next_language(language)),
    }
