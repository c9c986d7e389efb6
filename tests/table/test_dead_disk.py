"""A disk that takes nothing, for real: a small file system in memory that is full, or mounted read-only."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.table.events import emergency
from kiosk.table.events.emergency import go_back, open_anyway
from kiosk.table.events.log import LogError, LogFull, LogHeld
from kiosk.table.events.log_file import LogFile

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
CARDS = [{"event": "card", "seat": n % 4 + 1, "card": "CA"} for n in range(40)]


def mount(*args: object) -> None:
    done = subprocess.run(["mount", *map(str, args)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
    with monkeypatch.context() as memory:
        memory.setattr(emergency, "_MEMORY", tmp_path)
        yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    with (disk / "rubbish").open("wb", buffering=0) as rubbish:
        for size in (65536, 4096, 512, 1):
            try:
                while rubbish.write(b"x" * size):
                    pass
            except OSError:
                continue


def played(path: Path, settled: bool = True) -> None:
    """A file with a round; not settled: power failed while it was played, and all lies in the write-ahead log."""
    with LogFile(path) as file:
        file.log("cup", 7, 1).add([OPEN, *CARDS])
        if not settled:
            kept = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    if not settled:
        for name, content in kept.items():
            path.with_name(name).write_bytes(content)


@pytest.mark.parametrize("settled", [True, False], ids=["settled", "in the write-ahead log"])
def test_a_read_only_disk_gives_the_table_in_memory(disk: Path, settled: bool) -> None:
    path = disk / "table.sqlite"
    played(path, settled)
    mount("-o", "remount,ro", disk)
    before = {one.name: one.read_bytes() for one in disk.iterdir()}
    file, found = open_anyway(path)
    with file:
        assert found == "in_memory" and file.path != path
        log = file.log("cup", 7, 1)
        assert [event for _, event in log.read()] == [OPEN, *CARDS]
        assert log.append({"event": "release"}) == 41
    assert {one.name: one.read_bytes() for one in disk.iterdir()} == before
    again, found = open_anyway(path)  # the program has ended, and the machine has not
    with again:
        assert found == "in_memory" and len(again.log("cup", 7, 1).read()) == 42
    mount("-o", "remount,rw", disk)
    back, found = open_anyway(path)
    with back:
        assert found == "" and back.path == path
        assert [event for _, event in back.log("cup", 7, 1).read()] == [OPEN, *CARDS, {"event": "release"}]
    assert not again.path.parent.exists()


def test_a_read_only_disk_without_a_file_gives_one_in_memory(disk: Path) -> None:
    mount("-o", "remount,ro", disk)
    file, found = open_anyway(disk / "table.sqlite")
    with file:
        assert found == "in_memory"
        assert file.log("cup", 7, 1).append(OPEN) == 0


def test_a_folder_that_lies_in_memory_itself_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / emergency.IN_MEMORY).touch()
    path = tmp_path / "table.sqlite"
    played(path)
    file, found = open_anyway(path)
    with file:
        assert found == "in_memory" and file.path == path
        assert [event for _, event in file.log("cup", 7, 1).read()] == [OPEN, *CARDS]


def test_a_full_disk_without_a_file_gives_one_in_memory(disk: Path) -> None:
    fill(disk)
    file, found = open_anyway(disk / "table.sqlite")
    with file:
        assert found == "in_memory"
        assert file.log("cup", 7, 1).append(OPEN) == 0


def test_a_disk_that_takes_again_is_written_while_people_play_on(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = disk / "table.sqlite"
    played(path)
    mount("-o", "remount,ro", disk)
    file, found = open_anyway(path)
    with file:
        log, another = file.log("cup", 7, 1), file.log("cup", 7, 2)
        log.add([{"event": "release"}], {"clock": "5"})
        log.keep_picture(3, b"picture")
        another.add([OPEN], {"clock": "1"})
        with pytest.raises(LogError):
            go_back(file, path)
        assert found == "in_memory" and file.path != path and len(log.read()) == 42
        mount("-o", "remount,rw", disk)
        moves = LogFile.move_to

        def noted_meanwhile(self: LogFile, other: LogFile, bring: Callable[[], object]) -> None:
            log.add(CARDS[:2], {"clock": "6"})
            moves(self, other, bring)

        monkeypatch.setattr(LogFile, "move_to", noted_meanwhile)
        memory = file.path.parent
        go_back(file, path)
        assert file.path == path and not memory.exists()
        assert log.append(CARDS[2]) == 44 and another.append(CARDS[0]) == 1
    with LogFile(path) as kept:
        log, another = kept.log("cup", 7, 1), kept.log("cup", 7, 2)
        assert [event for _, event in log.read()] == [OPEN, *CARDS, {"event": "release"}, *CARDS[:3]]
        assert (log.kept("clock"), log.picture(3)) == ("6", b"picture")
        assert [event for _, event in another.read()] == [OPEN, CARDS[0]] and another.kept("clock") == "1"


#: What a disk has that could not be read at the start; what is said of it.
OTHERS = {
    "another list": ([{**OPEN, "table": 8}], "is another one"),
    "more of the list": ([OPEN, CARDS[0], CARDS[1]], "has more"),
}


@pytest.mark.parametrize(("there", "said"), OTHERS.values(), ids=OTHERS)
def test_a_disk_that_has_something_else_is_left_as_it_is(disk: Path, there: list[dict[str, Any]], said: str) -> None:
    path = disk / "table.sqlite"
    mount("-o", "remount,ro", disk)
    file, _ = open_anyway(path)
    with file:
        log = file.log("cup", 7, 1)
        log.add([OPEN, CARDS[0]])
        mount("-o", "remount,rw", disk)
        with LogFile(path) as other:
            other.log("cup", 7, 1).add(there)
        with pytest.raises(LogError, match=said):
            go_back(file, path)
        assert file.path != path and log.append(CARDS[1]) == 2
    with LogFile(path) as other:
        assert [event for _, event in other.log("cup", 7, 1).read()] == there


@pytest.mark.parametrize("settled", [True, False], ids=["settled", "in the write-ahead log"])
def test_a_full_disk_opens_and_what_comes_waits_for_room(disk: Path, settled: bool) -> None:
    path = disk / "table.sqlite"
    played(path, settled)
    fill(disk)
    file, found = open_anyway(path)
    with file:
        assert found == "" and file.path == path
        log, another = file.log("cup", 7, 1), file.log("cup", 7, 2)
        assert len(log.read()) == 41 and another.read() == []
        for one in (log, another):
            with pytest.raises(LogFull):
                for _ in range(1000):  # a file that was not settled has some room of its own
                    one.append({**OPEN, "pad": "x" * 5000})
        (disk / "rubbish").unlink()
        assert log.append({"event": "release"}) >= 41
    assert LogFile(path).log("cup", 7, 1).read()[:41] == list(enumerate([OPEN, *CARDS]))


def test_a_file_that_another_process_holds_is_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with LogFile(path) as file:
        file.log("cup", 7, 1).append(OPEN)
        with pytest.raises(LogHeld):
            open_anyway(path)


def test_a_newer_file_is_not_played_from_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with LogFile(path) as file:
        file.connection.execute("PRAGMA user_version=99")
        file.connection.execute("UPDATE seal SET digest = '99' WHERE log = 0")
    with pytest.raises(LogError, match="newer Stichwart"):
        open_anyway(path)
