"""Turn a keyboard scanner's keys into codes: what is typed up to Enter is a line."""

from hw.key_layouts import ENTER, LAYOUTS, SHIFT, sign_of
from hw.scanned import Badge, Lines, Scanned, classify

#: A scanner needs less for a sign than this, seconds; no fingers do.
SCANNER_SIGN_S = 0.05
#: A code that is taught has so many signs at least.
LEAST_SIGNS = 3


class Typist:
    """Reader of one scanner's keys."""

    def __init__(self, layout: str) -> None:
        self.layout = layout
        self._shift: set[int] = set()
        self._lines = Lines()

    def key(self, key: int, value: int, at: float) -> list[Scanned]:
        """Take a key and return the codes that it completes."""
        if key in SHIFT:
            (self._shift.add if value else self._shift.discard)(key)
            return []
        if not value:
            return []
        text = "\n" if key in ENTER else sign_of(key, shift=bool(self._shift), layout=self.layout)
        return self._lines.feed(text.encode(), at)

    def give_up(self) -> list[Scanned]:
        """Give up an unfinished code: nothing, or one ``Unreadable``."""
        self._shift.clear()
        return self._lines.give_up()


class Pupil:
    """Recogniser of a scanner among keyboards: it types as fast as no fingers do, and ends with Enter.

    From a badge it tells the scanner's keyboard layout as well.
    """

    def __init__(self) -> None:
        self._pressed: list[tuple[int, bool]] = []
        self._shift: set[int] = set()
        self._began = 0.0

    def key(self, key: int, value: int, at: float, layout: str) -> tuple[str, str] | None:
        """Take a key; once it was a scanner's code, return its text and the layout."""
        if key in SHIFT:
            (self._shift.add if value else self._shift.discard)(key)
            return None
        if not value:
            return None
        if key not in ENTER:
            self._began = self._began if self._pressed else at
            self._pressed.append((key, bool(self._shift)))
            return None
        pressed, self._pressed = self._pressed, []
        if len(pressed) < LEAST_SIGNS or at - self._began > SCANNER_SIGN_S * len(pressed):
            return None
        for one in (layout, *LAYOUTS):
            if isinstance(classify(_text(pressed, one), at), Badge):
                return _text(pressed, one), one
        return _text(pressed, layout), layout


def _text(pressed: list[tuple[int, bool]], layout: str) -> str:
    return "".join(sign_of(key, shift=shift, layout=layout) for key, shift in pressed)
