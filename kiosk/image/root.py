"""Make a Debian root by mmdebstrap: what all machines of an architecture have, and on top of it each one's own.

The kernel, its firmware and the initrd are a machine's own; all else is made once, however many machines it is for.
That matters where another processor's programs are emulated: dpkg's scripts take a quarter of an hour then.
"""

import io
import os
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from kiosk.image.mirror import Mirror
from kiosk.image.targets import MODULES, Target
from kiosk.image.tools import run
from kiosk.release.make import fetch_wheels_for

HERE = Path(__file__).parents[2]
RECIPE = HERE / "systemd" / "image"
#: What this machine's environment says (certificates, Python, locale) holds for its own paths, not for the root's.
_CLEAN = "env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8"
#: In the root that is made.
CUSTOMIZE = "/usr/src/stichwart/systemd/image/customize.sh"
#: Debian's release. Its successor needs names in ``packages.txt`` looked at again, and its Python is another.
SUITE, PYTHON = "trixie", "3.13"
#: Debian's name of a processor → the kernel's.
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The program that goes into the image.

    :param moment: seconds since 1970 of its last commit: the time of everything in the image.
    """

    version: str
    moment: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What roots are made of.

    :param role: ``table`` or ``director``. :param cache: a folder for what was downloaded.
    """

    role: str
    program: Source
    mirror: Mirror
    cache: Path


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


def common_packages(architecture: str) -> list[str]:
    """Return the Debian packages of all machines of an architecture."""
    lines = (RECIPE / "packages.txt").read_text(encoding="utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()] + [*MODULES[architecture]]


def own_packages(target: Target) -> list[str]:
    """Return the Debian packages of a kind of machine besides those, as apt takes them."""
    return [f"{name}/{SUITE}-backports" if name in target.newer else name for name in target.packages]


def make_common(architecture: str, recipe: Recipe, work: Path) -> Path:
    """Make the root of all machines of an architecture, with the program in it by its own installer; return a tar.

    :param work: an empty folder.
    """
    program = recipe.program
    tree = RECIPE / "root"
    files = {str(path.relative_to(tree)): path for path in tree.rglob("*") if not path.is_dir() or path.is_symlink()}
    settings = tarred(files, program.moment, work / "settings.tar")
    code = tarred(_program(architecture, recipe, work), program.moment, work / "program.tar")
    customize = f'{_CLEAN} SOURCE_DATE_EPOCH={program.moment} chroot "$1" {CUSTOMIZE}'
    hooks = [
        ("essential", f"tar-in {settings} /"),
        _keep_packages(recipe),
        ("customize", f"tar-in {code} /"),
        ("customize", f"{customize} {recipe.role}"),
    ]
    made = work / "common.tar"
    own = ["--include=" + ",".join(common_packages(architecture)), "--variant=apt"]
    _mmdebstrap(architecture, recipe, [*own, "--skip=output/dev"], hooks, made)
    return made


def finish(common: Path, name: str, target: Target, recipe: Recipe, work: Path) -> Path:
    """Make a machine's root out of the common one; return a tar, what the loader needs lies in ``work/boot``.

    :param work: an empty folder.
    """
    moment, script = recipe.program.moment, "/tmp/boot.sh"
    install = (
        'APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get --yes -o Dir::Bin::dpkg=env -o DPkg::Options::=--unset=TMPDIR '
        '-o DPkg::Options::=dpkg -o DPkg::Chroot-Directory="$1" install ' + " ".join(own_packages(target))
    )
    boot = f'{_CLEAN} SOURCE_DATE_EPOCH={moment} chroot "$1" sh {script} stichwart-{name} {recipe.program.version}'
    hooks = [
        ("setup", f"tar-in {common} /"),
        ("customize", install),
        _keep_packages(recipe),
        ("customize", f"upload {RECIPE / 'boot.sh'} {script}"),
        ("customize", boot),
        ("customize", f"tar-out /boot {work}/boot.tar"),
        ("customize", 'rm -rf "$1"/boot/*; mkdir "$1"/boot/firmware'),
    ]
    made = work / "root.tar"
    _mmdebstrap(target.architecture, recipe, ["--variant=custom"], hooks, made)
    with tarfile.open(work / "boot.tar") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # before Python 3.11.4, Debian 12's, is none
        archive.extractall(work)
    return made


def _program(architecture: str, recipe: Recipe, work: Path) -> dict[str, Path]:
    """The program's files by their places in the root, with the wheels that its installer would fetch in there."""
    theirs = {f"usr/src/stichwart/{file}": HERE / file for file in recipe.program.files if (HERE / file).exists()}
    build_text = work / "build.txt"
    build_text.write_text(recipe.program.version.partition("+")[2] + "\n", encoding="utf-8")
    theirs["usr/src/stichwart/build.txt"] = build_text
    return theirs | {f"usr/src/stichwart/wheels/{file.name}": file for file in wheels_of(architecture, recipe.cache)}


def wheels_of(architecture: str, cache: Path) -> list[Path]:
    """Return the lock's wheels for an architecture, fetched and made thin once for each lock.

    :param cache: the folder that keeps them; made if it is not there.
    """
    lock, machine = HERE / "requirements.lock", _MACHINES[architecture]
    kept = cache / "wheels" / f"{machine}-{sha256(lock.read_bytes()).hexdigest()[:16]}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Made beside its place, for a rename does not leave a filesystem.
        with tempfile.TemporaryDirectory(prefix=".new-", dir=kept.parent) as folder:
            fetch_wheels_for(lock, Path(folder) / "wheels", machine, PYTHON)
            (Path(folder) / "wheels").rename(kept)
    return sorted(kept.iterdir())


def _keep_packages(recipe: Recipe) -> tuple[str, str]:
    """What was downloaded goes out of the root before that is cleaned, and into the next one before anything is."""
    return "customize", f"sync-out /var/cache/apt/archives {recipe.cache / 'debs'}"


def _mmdebstrap(
    architecture: str, recipe: Recipe, own: Sequence[str], hooks: Sequence[tuple[str, str]], out: Path
) -> None:
    (recipe.cache / "debs").mkdir(parents=True, exist_ok=True)
    kept = [
        ("setup", 'mkdir -p "$1"/var/cache/apt/archives'),
        ("setup", f"sync-in {recipe.cache / 'debs'} /var/cache/apt/archives"),
    ]
    run(
        *("mmdebstrap", "--architectures", architecture, "--format=tar", *own),
        # What nobody reads on a card; licences stay.
        *("--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*"),
        *(
            "--dpkgopt=path-include=/usr/share/doc/*/copyright",
            "--dpkgopt=path-exclude=/usr/share/locale/*/LC_MESSAGES/*",
        ),
        # A root that is cut off is made anew: nothing in it has to be on the disk before the next file.
        "--dpkgopt=force-unsafe-io",
        '--aptopt=Apt::Install-Recommends "false"',
        # debconf would look through all packages for questions: nobody answers, and emulated it takes minutes.
        "--aptopt=#clear DPkg::Pre-Install-Pkgs",
        *("--skip=download/empty", "--skip=essential/unlink"),
        *(f"--{when}-hook={what}" for when, what in (*kept, *hooks)),
        *(SUITE, str(out), *recipe.mirror.sources(SUITE)),
        # The kernel's own hook would make an initrd for nothing: boot.sh makes it when everything is there.
        env={**os.environ, "SOURCE_DATE_EPOCH": str(recipe.program.moment), "INITRD": "No", "LC_ALL": "C.UTF-8"},
    )
