"""Bundles that the services' user lays down: taken by root, or refused in words, and the folder is empty after that."""

import json
import os
import shutil
import signal
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from kiosk.release import incoming
from kiosk.release.bundle import BadBundle
from kiosk.release.incoming import Answer, answered, lay_down, take_incoming
from tests.release import tiny
from tests.release.test_take import Place
from tests.systemd.supervisor import Watched

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.layout.incoming.mkdir(parents=True)
    return made


def lie(place: Place, name: str = "x.bundle", works: str = "print('works')", **told: object) -> None:
    lay_down(place.bundle(works, **told), place.layout, name)


def serve(place: Place) -> Answer:
    take_incoming(place.layout, ["table"])
    assert not list(place.layout.incoming.iterdir())
    return answered(place.layout)


@pytest.mark.usefixtures("environment")
def test_a_bundle_is_laid_beside_what_runs_and_root_says_so(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, float]] = []
    monkeypatch.setattr(incoming, "_TELL_S", 0.0)
    tell = incoming._Teller.tell
    monkeypatch.setattr(
        incoming._Teller, "tell", lambda self, answer: (said.append((answer.state, answer.share)), tell(self, answer))
    )
    lie(place)
    answer = serve(place)
    assert (answer.state, answer.release, answer.file) == ("ready", "0.2", "x.bundle")
    assert place.layout.is_ready("0.2") and place.layout.current == "0.1" and place.layout.wanted == ""
    assert list(dict.fromkeys(state for state, _ in said)) == ["check", "unpack", "install", "try", "ready"]
    assert [share for state, share in said if state == "unpack"] == sorted(
        share for state, share in said if state == "unpack"
    )
    assert place.layout.answer.stat().st_mode & 0o004, "the services' user reads it"


@pytest.mark.parametrize(
    ("told", "code"),
    [
        pytest.param({"machine": "riscv64"}, "bundle_machine", id="another machine"),
        pytest.param({"made": 999}, "bundle_older", id="older"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_values(place: Place, told: dict[str, object], code: str) -> None:
    lie(place, **told)  # type: ignore[arg-type]
    answer = serve(place)
    assert (answer.state, answer.code) == ("refused", code)
    assert answer.text and answer.values["version"] == "0.2" and place.unchanged()


def test_a_foreign_one_and_a_missing_key_are_told(place: Place) -> None:
    strange = place.folder / "strange"
    strange.mkdir()
    private, _ = tiny.maker(strange)
    ours, place.private = place.private, private
    lie(place)
    assert serve(place).code == "bundle_foreign"
    place.private = ours
    place.layout.keys.unlink()
    lie(place)
    assert serve(place).code == "bundle_key" and place.unchanged()


def test_only_bundles_are_read_whatever_else_the_user_lays_there(place: Place, tmp_path: Path) -> None:
    """Links into root's files are not followed, and nothing keeps the folder full: systemd would start it for ever."""
    folder = place.layout.incoming
    secret = tmp_path / "shadow"
    secret.write_text("root")
    (folder / "a.bundle").symlink_to(secret)
    (folder / "b.bundle").mkdir()
    os.mkfifo(folder / "c.bundle")
    (folder / "half.part").write_text("half")
    lie(place, made=999)
    assert (serve(place).file, answered(place.layout).code) == ("x.bundle", "bundle_older")
    assert secret.read_text() == "root"


@pytest.mark.parametrize("which", ["updates", "incoming"])
def test_a_folder_that_is_a_link_is_not_entered(place: Place, tmp_path: Path, which: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "incoming").mkdir(parents=True)
    kept = elsewhere / "incoming" / "kept.txt" if which == "updates" else elsewhere / "kept.txt"
    kept.write_text("root's")
    path = place.layout.state if which == "updates" else place.layout.incoming
    path.rename(tmp_path / "away")
    path.symlink_to(elsewhere)
    with pytest.raises(OSError):
        take_incoming(place.layout, ["table"])
    assert kept.exists()


def test_a_link_of_the_user_is_not_written_through(place: Place, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("root's")
    (place.layout.state / "switch.new").symlink_to(victim)
    with pytest.raises(OSError):
        place.layout.want("0.2")
    assert victim.read_text() == "root's"


def test_a_machine_without_the_folder_takes_none(place: Place) -> None:
    place.layout.incoming.rmdir()
    with pytest.raises(BadBundle) as refused:
        lie(place)
    assert refused.value.code == "bundle_nobody"


def test_an_answer_that_cannot_be_read_is_none(place: Place) -> None:
    assert answered(place.layout) == Answer(file="")
    for text in ("", "[]", "{", json.dumps({"file": "x", "more": 1})):
        place.layout.answer.write_text(text)
        assert answered(place.layout) == Answer(file="")


#: The user's number and group of the services, where the test may give them files.
USER = 64_991

#: Root as the unit has it: without any capability, in the services' group.
RIGHTS = ["setpriv", f"--regid={USER}", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


def as_on_a_machine(place: Place) -> list[str]:
    """Give the state to the services' user, as tmpfiles.conf says; return the words that take root's rights away."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        return []
    for folder, mode in ((place.layout.state, 0o750), (place.layout.incoming, 0o770)):
        folder.chmod(mode)
        for path in (folder, *folder.iterdir()):
            os.chown(path, USER, USER)
    return RIGHTS


def watched(place: Place, environment: Path) -> tuple[Watched, dict[str, str]]:
    program = f"{sys.executable} -m tests.release.environments {environment}"
    replaced = {
        "/opt/stichwart/current/stichwart update": f"{program} update"
        f" --program {place.layout.program} --state {place.layout.state.parent}",
        "/var/lib/stichwart/updates": str(place.layout.state),
    }
    return Watched(replaced, as_on_a_machine(place)), {"PYTHONPATH": str(ROOT)}


def test_the_unit_takes_what_lies_there_and_goes_on_after_a_power_loss(place: Place, environment: Path) -> None:
    """The service is killed while it tries the release: the bundle is still there, and the next start takes it."""
    mark = place.folder / "killed"
    lie(place, works=f"import os, pathlib, signal\nmark = pathlib.Path({str(mark)!r})\nif not mark.exists():\n"
        "    mark.touch()\n    os.kill(os.getppid(), signal.SIGKILL)\n")  # fmt: skip
    service, variables = watched(place, environment)
    process = service.begin(variables)
    assert process is not None and process.wait() == -signal.SIGKILL
    assert answered(place.layout).state == "try" and not place.layout.is_ready("0.2")
    assert service.run(variables) == 1
    assert answered(place.layout).state == "ready" and place.layout.is_ready("0.2")


def test_a_bundle_that_ends_its_service_again_and_again_is_left(place: Place) -> None:
    lie(place)
    begun = Answer(file="x.bundle", state="try", tries=3)
    place.layout.answer.write_text(json.dumps(asdict(begun)))
    assert serve(place).code == "bundle_died" and place.unchanged()
    lie(place, made=999)
    assert serve(place).code == "bundle_older", "another one of that name begins anew"
