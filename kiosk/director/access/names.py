"""Check names that somebody types or a machine sends: short, one line, no signs that turn or hide others."""

import unicodedata

#: Letters of the longest name that is taken.
LONGEST = 60

#: Categories of Unicode that no name has: control, format (which holds the signs that turn the direction of writing),
#: surrogates, private use, line and paragraph separators.
_REFUSED = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def is_plain(text: object, longest: int = LONGEST) -> bool:
    """Report whether this is one line of at most ``longest`` letters, without control or direction characters."""
    if not isinstance(text, str) or len(text) > longest:
        return False
    # what can be printed has none of them; what cannot, a no-break space for one, is looked at sign by sign
    return text.isprintable() or not any(unicodedata.category(sign) in _REFUSED for sign in text)
