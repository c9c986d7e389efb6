"""Play the film of the last seconds before a doubt or a call, also step by step."""

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from kiosk.table.recordings import RecordingError, film
from kiosk.table.view.table_view import FilmView, TableView
from kiosk.ui.parts.look import Sheet, kv
from kiosk.ui.parts.pictures import texture_of

#: Seconds that the last picture stands before the film begins again.
PAUSE_S = 1.2


def film_of(view: TableView | None, event: int) -> FilmView | None:
    """Find the film of an event, if one was kept."""
    return next((one for one in view.films if one.event == event), None) if view is not None else None


class FilmSheet(Sheet):
    """One film; the others of the round are a touch away where no question led here.

    :param of: the event that it is about; None: the newest film.
    """

    texture = ObjectProperty(None, allownone=True)
    playing = BooleanProperty(True)
    place = StringProperty("")
    alone = BooleanProperty(False)

    def __init__(self, app: Any, of: int | None = None, **kwargs: Any) -> None:
        self._question = of
        self.alone = of is not None
        self.shown_film: FilmView | None = None
        self._pictures: list[tuple[float, bytes]] = []
        self._number = 0
        self._next: Any = None
        super().__init__(app, **kwargs)
        films = app.view.films
        first = film_of(app.view, of) if of is not None else (films[-1] if films else None)
        if first is not None:
            self._open(first)

    def _open(self, one: FilmView) -> None:
        self.shown_film = one
        self.title = self.app.words["film_title"]
        try:
            self._pictures = film(one.path)
        except RecordingError:
            self._pictures = []
            self.texture, self.place = None, self.app.words["film_gone"]
            return
        self.playing = True
        self._show(0)

    def _show(self, number: int) -> None:
        """Show one picture, and the next one when its time comes."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if not self._pictures:
            return
        self._number = number % len(self._pictures)
        at, jpeg = self._pictures[self._number]
        end = self._pictures[-1][0]
        self.texture = texture_of(jpeg)
        self.place = self.app.words["film_place"].format(at=at - end, n=self._number + 1, of=len(self._pictures))
        if self.playing:
            after = self._pictures[self._number + 1][0] - at if self._number + 1 < len(self._pictures) else PAUSE_S
            self._next = Clock.schedule_once(lambda _: self._show(self._number + 1), after)

    def play(self) -> None:
        """Go on playing, or pause."""
        self.playing = not self.playing
        self._show(self._number)

    def step(self, by: int) -> None:
        """Show the picture before or after this one, paused."""
        self.playing = False
        self._show(self._number + by)

    def other(self, by: int) -> None:
        """Open another film of the round."""
        films = self.app.view.films
        if self.shown_film is not None:
            at = next((number for number, one in enumerate(films) if one.event == self.shown_film.event), 0)
            self._open(films[(at + by) % len(films)])

    def close(self) -> None:
        """Go back to the question that the film belongs to."""
        super().close()
        self.stop()
        if self._question is not None and any(one.event == self._question for one in self.app.view.doubts):
            self.app.sheets.ask_about(self._question)

    def stop(self) -> None:
        """Stop showing pictures."""
        self.playing = False
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def on_parent(self, _: object, parent: Any) -> None:
        """Stop when something else closes the sheet."""
        if parent is None:
            self.stop()


kv(__file__)
