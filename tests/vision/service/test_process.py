"""The process of its own: in step, awake, and back after a crash. Pixels go in; only reports come out."""

import itertools
import multiprocessing
import os
import queue
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.waiting import until as waiting_for
from vision.deck.deck import Deck
from vision.errors import CameraError, DeckError
from vision.mat.layout import MatLayout
from vision.mat.printed_sheet import draw
from vision.messages import (
    Act,
    Acted,
    AskRecording,
    AskSnapshot,
    Blind,
    CardLaid,
    HandInTheWay,
    Recording,
    SimSettings,
    Snapshot,
    Tick,
    TrickTaken,
    VisionMessage,
    VisionSettings,
)
from vision.service.stepped import SteppedVision
from vision.service.worker import Worker

pytestmark = pytest.mark.slow

#: Of simulated frames, px: large enough for a few faces to be told.
SIZE = (960, 540)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a deck of a few of the simulated cards: what a process does with its time is not in the others."""
    from vision.simulation.art import load_art

    art = load_art("stichwart")
    folder = tmp_path_factory.mktemp("decks")
    faces = {
        label: np.ascontiguousarray(np.where(face[..., 3:] > 0, face[..., :3], 255).astype(np.uint8))
        for label, face in art.faces.items()
        if label in ("HT", "CA", "SA", "DQ")
    }
    Deck.learn("club", faces, art.size_mm, copies=2).save(folder)
    return folder


def settings(folder: Path, **more: object) -> VisionSettings:
    return VisionSettings(deck="club", deck_folder=folder, **{"size": SIZE, **more})  # type: ignore[arg-type]


def round_of(vision: SteppedVision) -> Iterator[VisionMessage]:
    """Two cards and their taking, in two grants."""
    vision.act("wait", 0.5)
    vision.act("lay", "HT", 1)
    vision.act("lay", "CA", 2)
    vision.advance(4.0)
    yield from vision.until(4.0)
    vision.act("collect", 2)
    vision.advance(8.0)
    yield from vision.until(8.0)
    vision.send(AskRecording(name="to be seen again"))
    vision.send(AskRecording(name="the mat", latest=True))
    vision.advance(8.1)
    yield from vision.until(8.1)


def test_a_simulated_table_in_step(folder: Path) -> None:
    rounds = []
    for apart in (0.0, 0.5):
        with SteppedVision(settings(folder, sim=SimSettings(seed=3, ticks=apart), recent=4.0)) as vision:
            rounds.append(list(round_of(vision)))
    messages, quieter = rounds
    ticks = [m.at for m in messages if isinstance(m, Tick)]
    assert ticks == pytest.approx([n / 15 for n in range(122)])
    # The same seed and acts give the same reports, each after the tick of the frame before.
    assert [m for m in messages if not isinstance(m, Tick) or m in quieter] == quieter
    assert len(quieter) < len(messages) - 60
    assert sum(not isinstance(m, Tick) for m in quieter) == sum(not isinstance(m, Tick) for m in messages)
    for before, after in itertools.pairwise(quieter):
        if isinstance(before, Tick) and isinstance(after, CardLaid):
            assert after.at - before.at == pytest.approx(1 / 15)
    laid = [m for m in messages if isinstance(m, CardLaid)]
    assert [m.label for m in laid] == ["HT", "CA"]
    acts = [m for m in messages if isinstance(m, Acted) and m.name == "lay"]
    for act, card in zip(acts, laid, strict=True):
        assert 0 <= card.at - act.at_rest <= 0.5
    assert [m.cards for m in messages if isinstance(m, TrickTaken)] == [(1, 2)]
    assert any(isinstance(m, HandInTheWay) and m.gone for m in messages)
    assert not any(isinstance(m, Blind) for m in messages)
    film, mat = (m for m in messages if isinstance(m, Recording))
    assert (film.name, mat.name) == ("to be seen again", "the mat")
    assert mat.pictures == film.pictures[-1:]
    assert film.at - 4.0 <= film.pictures[0][0] < film.pictures[-1][0] <= film.at
    assert len(film.pictures) > 15  # the taking of the trick


def test_a_simulated_table_that_was_silent_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may give its process no time at all for a while; begun anew it would have lost the table."""
    monkeypatch.setattr("vision.service.stepped.SILENT_S", 2.0)
    with SteppedVision(settings(folder, sim=SimSettings(seed=3))) as vision:
        vision.act("lay", "HT", 1)
        vision.advance(1.0)
        before = list(vision.until(1.0))
        assert vision.pid is not None
        os.kill(vision.pid, signal.SIGSTOP)
        vision.advance(4.0)
        waiting_for(lambda: "waiting for it" in vision.trouble)
        os.kill(vision.pid, signal.SIGCONT)
        after = list(vision.until(4.0))
    assert [m.label for m in (*before, *after) if isinstance(m, CardLaid)] == ["HT"]
    assert [m.why for m in after if isinstance(m, Blind)] == ["camera", ""]
    assert len(vision.silences) == 1 and vision.silences[0] >= 2.0 and vision.restarts == 0


def test_nothing_runs_ahead_of_the_grant(folder: Path) -> None:
    with SteppedVision(settings(folder, sim=SimSettings())) as vision:
        vision.advance(0.5)
        assert [m.at for m in vision.until(0.5)][-1] == pytest.approx(0.5, abs=0.07)
        with pytest.raises(queue.Empty):
            vision.messages.get(timeout=0.5)


def test_with_a_speed_it_paces_itself(folder: Path) -> None:
    with SteppedVision(settings(folder, sim=SimSettings(), speed=4.0)) as vision:
        assert next(m.at for m in vision.until(1.0) if isinstance(m, Tick)) == 0.0


def test_another_deck_is_taken_at_once(folder: Path) -> None:
    """The same pictures under other names: what is laid is read by the new deck."""
    club = Deck.load("club", folder)
    other = {"CA": "SA", "SA": "CA"}
    faces = {other.get(label, label): face for label, face in club.faces.items()}
    Deck("swapped", club.size_mm, faces, 2, None).save(folder)
    with SteppedVision(settings(folder, sim=SimSettings(seed=3))) as vision:
        with pytest.raises(DeckError, match="no deck 'none'"):
            vision.take_deck("none")
        vision.advance(0.2)
        list(vision.until(0.2))
        vision.take_deck("swapped")
        end = time.monotonic() + 60
        while vision.messages.empty():
            assert time.monotonic() < end
            vision.advance(0.2)  # lost until the child is there
            time.sleep(0.05)
        vision.act("lay", "CA", 1)
        vision.advance(3.0)
        laid = [m.label for m in vision.until(3.0) if isinstance(m, CardLaid)]
        assert laid == ["SA"] and not vision.trouble and not vision.restarts


def test_snapshot(folder: Path) -> None:
    with SteppedVision(settings(folder, sim=SimSettings())) as vision:
        vision.advance(0.2)
        list(vision.until(0.2))
        vision.send(AskSnapshot(width=480))
        vision.advance(0.4)
        shot = next(m for m in vision.until(0.4) if isinstance(m, Snapshot))
    assert cv2.imdecode(np.frombuffer(shot.picture, np.uint8), cv2.IMREAD_COLOR).shape == (270, 480, 3)
    assert any("marks seen" in fact for fact in shot.facts)


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [("lay", ("XX", 1), "no card 'XX'"), ("dance", (), "is no act"), ("collect", (1,), "no trick")],
    ids=["unknown card", "unknown act", "nothing to collect"],
)
def test_an_act_that_cannot_be_done(folder: Path, name: str, arguments: tuple[object, ...], says: str) -> None:
    words, there = multiprocessing.Pipe(duplex=False)
    orders, here = multiprocessing.Pipe(duplex=False)
    with words, there, orders, here:
        worker = Worker(settings(folder, sim=SimSettings()), there, orders, MatLayout())
        here.send(Act(name=name, arguments=arguments))
        with pytest.raises(CameraError, match=says):
            worker.run()


def test_an_act_that_cannot_be_done_is_told_to_the_parent(folder: Path) -> None:
    with SteppedVision(settings(folder, sim=SimSettings())) as vision:
        vision.act("lay", "XX", 1)
        vision.advance(1.0)
        with pytest.raises(CameraError, match="no card 'XX'"):
            list(vision.until(1.0))
        assert vision.ended


def test_a_deck_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="club"):
        SteppedVision(settings(tmp_path)).start()


def test_a_camera_that_is_missing_is_told_and_waited_for(folder: Path) -> None:
    with SteppedVision(settings(folder, source="v4l2:/dev/video97")) as vision:
        blind = vision.messages.get(timeout=30)
        assert isinstance(blind, Blind)
        assert blind.why == "camera"
        assert "there is no /dev/video97" in vision.trouble
        assert not vision.ended


def test_a_film_ends(folder: Path, tmp_path: Path) -> None:
    for n in range(4):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((720, 1280, 3), 120, np.uint8))
    with SteppedVision(settings(folder, source=f"folder:{tmp_path}")) as vision:
        with pytest.raises(CameraError, match="come to its end"):
            list(vision.until(10.0))
        assert vision.ended


def test_a_camera_with_nothing_to_say_ticks_five_times_a_second(folder: Path, tmp_path: Path) -> None:
    for n in range(16):
        cv2.imwrite(str(tmp_path / f"{n:02}.png"), np.full((72, 128, 3), 120, np.uint8))
    ticks = []
    film = settings(folder, source=f"folder:{tmp_path}", speed=100.0)
    with SteppedVision(film) as vision, pytest.raises(CameraError, match="come to its end"):
        for message in vision.until(10.0):
            ticks += [message.at] if isinstance(message, Tick) else []
    quiet = [tick for tick in ticks if tick > 0.6]  # the missing mat has been told
    assert 2 <= len(quiet) <= 4  # of six frames; a sign of life is told with a tick, the film's end too
    assert ticks[-1] == pytest.approx(15 / 15, abs=0.01)


def test_killed_it_comes_back_and_remembers_what_lies_there(folder: Path, tmp_path: Path) -> None:
    layout, k = MatLayout(), 2.25
    sheet = draw(layout, k)
    picture = np.full((720, 1280, 3), (60, 90, 120), np.uint8)
    y, x = (720 - sheet.shape[0]) // 2, (1280 - sheet.shape[1]) // 2
    picture[y : y + sheet.shape[0], x : x + sheet.shape[1]] = sheet
    cv2.imwrite(str(tmp_path / "0.png"), picture)
    for n in range(1, 300):
        os.link(tmp_path / "0.png", tmp_path / f"{n}.png")
    with SteppedVision(settings(folder, source=f"folder:{tmp_path}", speed=2.0)) as vision:
        next(m for m in vision.until(0.0) if isinstance(m, Tick))
        first = vision._child.pid
        vision._note(CardLaid(at=0.0, card=7, label="HT", margin=0.5, choices=(("HT", 0.9),), x=0.0, y=0.0, angle=0.0))
        os.kill(first, signal.SIGKILL)
        end = time.monotonic() + 60
        seen: list[VisionMessage] = []
        while time.monotonic() < end and not any(isinstance(m, Blind) for m in seen):
            seen.append(vision.messages.get(timeout=30))
        assert isinstance(seen[-1], Blind)
        assert seen[-1].why == "camera"
        assert "exit code -9" in vision.trouble
        while time.monotonic() < end and not (isinstance(seen[-1], Tick) and vision.restarts):
            seen.append(vision.messages.get(timeout=30))
        assert vision._child.pid != first
        assert vision._next_card == 8
        assert [m.why for m in seen if isinstance(m, Blind)] == ["camera", ""] and not vision.trouble


def test_stopping_leaves_no_process_behind(folder: Path) -> None:
    vision = SteppedVision(settings(folder, sim=SimSettings())).start()
    child = vision._child
    vision.stop()
    vision.stop()
    assert not child.is_alive()
