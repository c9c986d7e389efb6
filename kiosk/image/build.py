"""Build a card image: a Debian root by mmdebstrap, the program in it by its own installer, a disk around it."""

import io
import os
import subprocess
import tarfile
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from kiosk.image.disk import assemble, fat, identity
from kiosk.image.mirror import Mirror
from kiosk.image.targets import TARGETS, Target
from kiosk.image.tools import ImageError, need_programs, run

HERE = Path(__file__).parents[2]
RECIPE = HERE / "systemd" / "image"
#: What this machine's environment says (certificates, Python, locale) holds for its own paths, not for the root's.
_CLEAN = "env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8"
#: In the root that is made.
CUSTOMIZE = "/usr/src/stichwart/systemd/image/customize.sh"
#: Debian's release. Its successor needs names in ``packages.txt`` looked at again.
SUITE = "trixie"
FIRMWARE_PARTITION = 256 << 20

#: The kernel's words of every machine. The root is read-only below an overlay in memory; a machine that cannot start
#: tries again, and asks nobody for a password; nothing is drawn but the program's screen.
COMMAND_LINE = (
    "root=PARTUUID={root} rootfstype=squashfs ro systemd.volatile=overlay systemd.gpt_auto=0 fsck.repair=yes "
    "panic=10 rd.shell=0 rd.emergency=reboot consoleblank=0 vt.global_cursor_default=0 quiet loglevel=3 "
    "rd.systemd.show_status=no systemd.show_status=no {more}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The program that goes into the image.

    :param moment: seconds since 1970 of its last commit: the time of everything in the image.
    """

    version: str
    moment: int
    files: tuple[str, ...]


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


def tarred(entries: dict[str, Path], moment: int, out: Path) -> Path:
    """Write files as root's, with these names, into an archive that depends on nothing but them."""
    with tarfile.open(out, "w") as archive:
        for name, file in sorted(entries.items()):
            info = tarfile.TarInfo(name)
            info.mtime = moment
            if file.is_symlink():
                info.type, info.linkname = tarfile.SYMTYPE, os.readlink(file)
                archive.addfile(info)
                continue
            content = file.read_bytes()
            info.size, info.mode = len(content), 0o755 if os.access(file, os.X_OK) else 0o644
            archive.addfile(info, io.BytesIO(content))
    return out


def packages(target: Target) -> list[str]:
    """Return the Debian packages of a kind of machine, as apt takes them."""
    lines = (RECIPE / "packages.txt").read_text(encoding="utf-8").splitlines()
    common = [word for line in lines if not line.startswith("#") for word in line.split()]
    own = [f"{name}/{SUITE}-backports" if name in target.newer else name for name in target.packages]
    return common + own


def build(name: str, role: str, out: Path, mirror: Mirror, cache: Path | None) -> None:
    """Make an image and, beside it, the list of its packages.

    :param name: of :data:`kiosk.image.targets.TARGETS`. :param role: ``table`` or ``director``.
    :param cache: a folder that keeps what was downloaded, for the next image.
    :raises ImageError: a program is missing or failed.
    """
    need_programs()
    target, program = TARGETS[name], source()
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".image-", dir=out.parent) as folder:
        work = Path(folder)
        _root(name, role, program, mirror, cache, work)
        seed = f"{name}/{role}/{program.version}/{out_of(work, 'archive.txt')}"
        command_line = COMMAND_LINE.format(root=identity(seed, "root"), more=target.command_line)
        fat(work / "boot.fat", target.lay_out(work / "boot", command_line), FIRMWARE_PARTITION, program.moment)
        _squash(work / "root.tar", work / "root.squashfs", program.moment)
        assemble(out, work / "boot.fat", work / "root.squashfs", target.architecture, seed)
        listed = out_of(work, "archive.txt") + out_of(work, "packages.txt")
        out.with_name(out.name + ".packages").write_text(listed, encoding="utf-8")


def out_of(work: Path, name: str) -> str:
    """Read what the recipe wrote down about the image."""
    return (work / "boot" / name).read_text(encoding="utf-8")


def _root(name: str, role: str, program: Source, mirror: Mirror, cache: Path | None, work: Path) -> None:
    target = TARGETS[name]
    tree = RECIPE / "root"
    files = {str(path.relative_to(tree)): path for path in tree.rglob("*") if not path.is_dir() or path.is_symlink()}
    settings = tarred(files, program.moment, work / "settings.tar")
    theirs = {f"usr/src/stichwart/{file}": HERE / file for file in program.files if (HERE / file).exists()}
    build_text = work / "build.txt"
    build_text.write_text(program.version.partition("+")[2] + "\n", encoding="utf-8")
    theirs["usr/src/stichwart/build.txt"] = build_text
    code = tarred(theirs, program.moment, work / "program.tar")
    kept = cache.absolute() if cache else work / "cache"
    for part in ("debs", "wheels"):
        (kept / part).mkdir(parents=True, exist_ok=True)
    customize = f'{_CLEAN} SOURCE_DATE_EPOCH={program.moment} chroot "$1" {CUSTOMIZE}'
    hooks = [
        # What was downloaded once: into the root before anything is, out of it before it is cleaned.
        ("setup", 'mkdir -p "$1"/var/cache/apt/archives "$1"/root/.cache'),
        ("setup", f"sync-in {kept}/debs /var/cache/apt/archives"),
        ("essential", f"tar-in {settings} /"),
        ("customize", f"sync-out /var/cache/apt/archives {kept}/debs"),
        ("customize", f"tar-in {code} /"),
        ("customize", f"sync-in {kept}/wheels /root/.cache"),
        *certificates(),
        ("customize", f"{customize} {role} stichwart-{name} {program.version}"),
        ("customize", f"sync-out /root/.cache {kept}/wheels"),
        ("customize", f"tar-out /boot {work}/boot.tar"),
        ("customize", 'rm -rf "$1"/root/.cache "$1"/boot/*; mkdir "$1"/boot/firmware'),
    ]
    run(
        *("mmdebstrap", "--architectures", target.architecture, "--variant=apt", "--format=tar"),
        "--include=" + ",".join(packages(target)),
        # What nobody reads on a card; licences stay.
        *("--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*"),
        *(
            "--dpkgopt=path-include=/usr/share/doc/*/copyright",
            "--dpkgopt=path-exclude=/usr/share/locale/*/LC_MESSAGES/*",
        ),
        '--aptopt=Apt::Install-Recommends "false"',
        *("--skip=download/empty", "--skip=essential/unlink"),
        *(f"--{when}-hook={what}" for when, what in hooks),
        *(SUITE, str(work / "root.tar"), *mirror.sources(SUITE, backports=bool(target.newer))),
        # The kernel's own hook would make an initrd for nothing: customize.sh makes it when everything is there.
        env={**os.environ, "SOURCE_DATE_EPOCH": str(program.moment), "INITRD": "No", "LC_ALL": "C.UTF-8"},
    )
    with tarfile.open(work / "boot.tar") as archive:
        archive.extractall(work, filter="data")


def certificates() -> list[tuple[str, str]]:
    """Let pip in the root trust whom it trusts here, where a network has an authority of its own."""
    own = os.environ.get("PIP_CERT")
    return [("customize", f'cp {own} "$1"/tmp/pip-authorities.pem')] if own else []


def _squash(root: Path, out: Path, moment: int) -> None:
    """Compress the root: well enough, for the best takes ten times as long for a fifteenth less."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
    with open(root, "rb") as archive:
        words = ("mksquashfs", "-", out, "-tar", "-quiet", "-no-progress", "-comp", "zstd", "-Xcompression-level", "9")
        done = subprocess.run(words, stdin=archive, env=environment)
    if done.returncode:
        raise ImageError(f"mksquashfs ended with status {done.returncode}")
