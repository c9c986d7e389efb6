"""Build card images: a Debian root, the program in it by its own installer, a disk around it."""

import os
import subprocess
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from kiosk.image.disk import assemble, fat, identity
from kiosk.image.mirror import Mirror
from kiosk.image.root import HERE, Recipe, Source, finish, make_common
from kiosk.image.targets import TARGETS
from kiosk.image.tools import ImageError, need_programs

FIRMWARE_PARTITION = 256 << 20

#: The kernel's words of every machine. The root is read-only below an overlay in memory; a machine that cannot start
#: tries again, and asks nobody for a password; nothing is drawn but the program's screen.
COMMAND_LINE = (
    "root=PARTUUID={root} rootfstype=squashfs ro systemd.volatile=overlay systemd.gpt_auto=0 fsck.repair=yes "
    "panic=10 rd.shell=0 rd.emergency=reboot consoleblank=0 vt.global_cursor_default=0 quiet loglevel=3 "
    "rd.systemd.show_status=no systemd.show_status=no {more}"
)


def source() -> Source:
    """Return what git knows of this checkout.

    :raises ImageError: this is none.
    """

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", HERE, *words], capture_output=True, text=True)
        if done.returncode:
            raise ImageError(f"an image is made from a clone of the project, and {HERE} is none: {done.stderr.strip()}")
        return done.stdout.strip()

    number = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    dirty = ".changed" if git("status", "--porcelain", "--untracked-files=no") else ""
    return Source(
        version=f"{number}+{git('rev-parse', '--short', 'HEAD')}{dirty}",
        moment=int(git("log", "-1", "--format=%ct")),
        files=tuple(git("ls-files").splitlines()),
    )


def build(names: Sequence[str], role: str, out: Path, mirror: Mirror, cache: Path | None) -> None:
    """Make images and, beside each, the list of its packages.

    :param names: of :data:`kiosk.image.targets.TARGETS`. :param role: ``table`` or ``director``.
    :param out: the image; of several each has its name before the dot.
    :param cache: a folder that keeps what was downloaded, for the next image.
    :raises ImageError: a program is missing or failed.
    """
    need_programs({TARGETS[name].architecture for name in names})
    program, out = source(), out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".image-", dir=out.parent) as folder:
        recipe = Recipe(
            role=role, program=program, mirror=mirror, cache=cache.absolute() if cache else Path(folder) / "cache"
        )
        commons: dict[str, Path] = {}
        for name in dict.fromkeys(names):
            architecture = TARGETS[name].architecture
            if architecture not in commons:
                commons[architecture] = make_common(architecture, recipe, _made(Path(folder) / architecture))
            one = out.with_stem(f"{out.stem}-{name}") if len(names) > 1 else out
            with tempfile.TemporaryDirectory(dir=folder) as work:
                make_image(commons[architecture], name, recipe, Path(work), one)


def make_image(common: Path, name: str, recipe: Recipe, work: Path, out: Path) -> None:
    """Make one image out of the root that all machines of its architecture have.

    :param work: an empty folder.
    """
    target, moment = TARGETS[name], recipe.program.moment
    root = finish(common, name, target, recipe, work)
    seed = f"{name}/{recipe.role}/{recipe.program.version}/{_told(work, 'archive.txt')}"
    command_line = COMMAND_LINE.format(root=identity(seed, "root"), more=target.command_line)
    fat(work / "boot.fat", target.lay_out(work / "boot", command_line), FIRMWARE_PARTITION, moment)
    _squash(root, work / "root.squashfs", moment)
    assemble(out, work / "boot.fat", work / "root.squashfs", target.architecture, seed)
    listed = _told(work, "archive.txt") + _told(work, "packages.txt")
    out.with_name(out.name + ".packages").write_text(listed, encoding="utf-8")


def _told(work: Path, name: str) -> str:
    """What the recipe wrote down about the image."""
    return (work / "boot" / name).read_text(encoding="utf-8")


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _squash(root: Path, out: Path, moment: int) -> None:
    """Compress the root: well enough, for the best takes ten times as long for a fifteenth less."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
    with open(root, "rb") as archive:
        words = ("mksquashfs", "-", out, "-tar", "-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "9")
        done = subprocess.run(words, stdin=archive, env=environment)
    if done.returncode:
        raise ImageError(f"mksquashfs ended with status {done.returncode}")
