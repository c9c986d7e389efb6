"""Draw the rows of a list that are in view, so that a long list costs no more than a screenful."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from kiosk.ui.parts.touchable import Touchable


class Rows(Touchable, Widget):
    """The content of a list that scrolls: as high as all rows are, with widgets for those in view alone.

    A row that leaves the view is drawn again as the one that comes into it. All of it is one thing to be touched: rows
    are too low for fingers, and who hits the one beside has another game shown and goes on from there.

    :param make: makes a row's widget.
    :param draw: has a row's widget show what the row at that place of the list holds.
    :param touched: called with the place of the row that was touched.
    """

    scroll_y = NumericProperty(1.0)  # as Kivy's ScrollView counts: 0 the end of the list, 1 its beginning

    def __init__(
        self, make: Callable[[], Any], draw: Callable[[Any, int], None], touched: Callable[[int], None], **kwargs: Any
    ) -> None:
        self._make, self._draw, self._touched = make, draw, touched
        self._tops: list[float] = [0.0]  # where each row begins, from the top, px; at last where the last one ends
        self._room = 0.0
        self._spare: list[Any] = []
        self._most_new: int | None = None
        self.seen: dict[int, Any] = {}  # the widgets of the rows in view, by their place in the list
        super().__init__(size_hint_y=None, **kwargs)
        for name in ("scroll_y", "width"):
            self.fbind(name, self._look)

    def lay(self, heights: Sequence[float], below: float, room: float, most_new: int | None = None) -> None:
        """Show rows that are so high, px.

        :param below: px that are left empty below the last.
        :param room: px of them that can be seen at once.
        :param most_new: of so many rows in view at most widgets are made, the others' when this is called again;
            None: of all.
        """
        self._tops, self._most_new = [0.0, *accumulate(heights)], most_new
        self.height = self._tops[-1] + below
        self._room = room
        self._look()

    @property
    def complete(self) -> bool:
        """Whether every row in view has its widget."""
        return all(place in self.seen for place in self._in_view())

    def forget(self) -> None:
        """Drop all widgets: rows of another kind come."""
        self.clear_widgets()
        self.seen, self._spare, self._tops = {}, [], [0.0]

    def on_release(self) -> None:
        """Tell which row was touched."""
        down = self.top - self.last_touch.y
        place = next((n for n, below in enumerate(self._tops[1:]) if down < below), None)
        if down >= 0 and place is not None:
            self._touched(place)

    def _in_view(self) -> range:
        """The places of the rows of which something is in view."""
        begin = max(0.0, self.height - self._room) * (1 - self.scroll_y)
        end = begin + self._room
        first = sum(below <= begin for below in self._tops[1:])
        return range(first, max(first, sum(top < end for top in self._tops[:-1])))

    def _look(self, *_: object) -> None:
        """Give widgets to the rows in view, and take them from the others."""
        wanted = self._in_view()
        for place in [place for place in self.seen if place not in wanted]:
            self._spare.append(self.seen.pop(place))
            self.remove_widget(self._spare[-1])
        for place in wanted:
            if place not in self.seen:
                if not self._has_spare():
                    break
                self.seen[place] = self._spare.pop()
                self.add_widget(self.seen[place])
            row = self.seen[place]
            self._draw(row, place)
            row.width, row.x, row.y = self.width, self.x, self.height - self._tops[place + 1]

    def _has_spare(self) -> bool:
        """Report whether there is a widget for one more row, made now or left over."""
        if not self._spare and self._most_new != 0:
            if self._most_new is not None:
                self._most_new -= 1
            self._spare.append(self._make())
        return bool(self._spare)
