"""Find people whose names are written almost alike: another spelling, the names the other way round, one letter off."""

import re
import unicodedata
from collections.abc import Iterable

#: Names of fewer letters than this are alike only if they are the same: Jan and Jana are two.
_LEAST_LETTERS = 8

_SPELLED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ł": "l", "đ": "d", "ø": "o", "ı": "i"}
_TITLES = {"dr", "prof", "dipl", "ing", "med"}


def folded_name(name: str) -> str:
    """Return the letters of a name as they would be without umlauts and accents, words in the order of the alphabet."""
    text = "".join(_SPELLED.get(sign, sign) for sign in unicodedata.normalize("NFC", name).casefold())
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return "".join(sorted(word for word in re.findall(r"[^\W_]+", bare) if word not in _TITLES))


class Alike:
    """Names to compare with; two of which one has one letter more, less or another one are alike."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_key: dict[str, str] = {}
        for name in names:
            for key in _keys(name):
                self._by_key.setdefault(key, name)

    def find(self, name: str) -> str | None:
        """Find a name that is written almost like this one."""
        return next((found for key in _keys(name) if (found := self._by_key.get(key)) is not None), None)


def _keys(name: str) -> list[str]:
    """The folded name, and it with each letter left out: two that differ in one letter share one of these."""
    folded = folded_name(name)
    if len(folded) < _LEAST_LETTERS:
        return [folded]
    return [folded, *(folded[:place] + folded[place + 1 :] for place in range(len(folded)))]
