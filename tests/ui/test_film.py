"""A film with a question: seen, stopped, gone through, and back to the question."""

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.table.recordings import Recordings
from kiosk.table.view.table_view import FilmView

_spec = importlib.util.spec_from_file_location("ui_views", Path(__file__).with_name("views.py"))
assert _spec is not None and _spec.loader is not None
views: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(views)


def pictures(first: int, number: int = 4) -> list[tuple[float, bytes]]:
    """Grey pictures, one a fifth of a second, each with a tone of its own."""
    return [
        (n / 5, cv2.imencode(".jpg", np.full((40, 60, 3), first + 10 * n, np.uint8))[1].tobytes())
        for n in range(number)
    ]


@pytest.fixture
def filmed(tmp_path: Path) -> Callable[..., Any]:
    """The doubtful table with films of these events."""
    recordings = Recordings(tmp_path)

    def view(*events: int) -> Any:
        paths = [recordings.keep("t", 1, 1, event, pictures(event)) for event in events]
        films = tuple(FilmView(event=event, path=path) for event, path in zip(events, paths, strict=True))
        return replace(views.doubtful(), films=films)

    return view


def test_a_question_without_a_film_offers_none(hand: Any) -> None:
    hand.show(views.doubtful())
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    assert hand.app.sheets.current.ids.film.disabled


def test_the_film_of_a_question_is_gone_through_and_leads_back_to_it(hand: Any, filmed: Callable[..., Any]) -> None:
    hand.show(filmed(41))
    hand.stage.touch(hand.app.screen("play").ids.messages.plate("doubt"))
    hand.touch("Film ansehen")
    film = hand.app.sheets.current
    assert film.playing and film.texture is not None
    hand.touch("Anhalten")
    assert not film.playing
    hand.touch("Ein Bild zurück")
    assert film.place.endswith("von 4")
    shown = {film.place}
    for _ in range(3):
        hand.touch("Ein Bild weiter")
        shown.add(film.place)
    assert len(shown) == 4
    film.close()
    hand.stage.step(2)
    assert hand.app.sheets.current.of == 41, "the question again"
    assert hand.sent == []


def test_the_referee_sees_all_films_the_newest_first(hand: Any, filmed: Callable[..., Any]) -> None:
    hand.show(filmed(12, 41))
    hand.app.sheets.open("direction")
    hand.stage.step(2)
    hand.touch("Aufnahmen")
    film = hand.app.sheets.current
    assert film.shown_film.event == 41
    hand.touch("Die davor")
    assert film.shown_film.event == 12
    hand.app.sheets.close()
    assert not film.playing, "what was put away plays no more"


def test_a_film_that_is_gone_says_so(hand: Any, filmed: Callable[..., Any]) -> None:
    view = filmed(41)
    view.films[0].path.unlink()
    hand.show(view)
    hand.app.sheets.open("film", of=41)
    hand.stage.step(2)
    assert hand.app.sheets.current.place == "Diese Aufnahme ist nicht mehr da"
