"""Gather the notices of everything that is not ours: from the installed packages' metadata, and of code kept here."""

import re
from dataclasses import dataclass
from email.message import Message
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import cast

ROOT = Path(__file__).parents[2]

#: Names of files that say under which licence something is, or who wrote it.
_TEXTS = re.compile(r"(licen[sc]e|copying|notice|authors|patents)", re.IGNORECASE)

#: Code of others that stands among ours: name → folder with its licence.
_KEPT = {"lit-html": ROOT / "kiosk" / "director" / "page" / "lit"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A package, and whole what it says of its licence."""

    name: str
    version: str
    licence: str  # as the package names it, in a line
    text: str


def notices() -> tuple[Notice, ...]:
    """Gather all notices: ours first, then the others by name."""
    found: dict[str, Distribution] = {}
    for one in distributions():
        if one.metadata["Name"]:
            found.setdefault(_plain(one.metadata["Name"]), one)
    others = [_of_package(one) for one in found.values()] + [_of_kept(name, folder) for name, folder in _KEPT.items()]
    own = Notice(name="Stichwart", version="", licence="MIT", text=_read(ROOT / "LICENSE"))
    return (own, *sorted(others, key=lambda one: one.name.lower()))


def _plain(name: str) -> str:
    """A package's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _of_package(package: Distribution) -> Notice:
    about = cast(Message, package.metadata)  # what importlib reads it as; its protocol lacks get
    licence = about.get("License-Expression") or about.get("License") or _classified(about.get_all("Classifier") or [])
    licence = licence.strip().splitlines()[0] if licence.strip() else "?"
    texts = [text for path in _files(package) if (text := _read(path).strip())]
    if not texts:  # the package brings none: what it says of itself
        told = (about.get("Summary"), about.get("Author"), about.get("License"), about.get("Home-page"))
        texts = ["\n".join(one for one in told if one)]
    return Notice(name=about["Name"], version=package.version, licence=licence[:60], text="\n\n\n".join(texts))


def _classified(classifiers: list[str]) -> str:
    return ", ".join(one.rpartition(" :: ")[2] for one in classifiers if one.startswith("License ::"))


def _files(package: Distribution) -> list[Path]:
    """Files with notices: those that the metadata names, and others of such a name beside them."""
    named = set(package.metadata.get_all("License-File") or [])
    found = {}
    for file in package.files or []:
        if not file.parts[0].endswith((".dist-info", ".egg-info")):
            continue
        inside = "/".join(file.parts[1:]).removeprefix("licenses/")
        if inside in named or _TEXTS.search(file.name):
            found[inside] = Path(str(file.locate()))
    return [found[name] for name in sorted(found, key=lambda name: (name.count("/"), name))]


def _of_kept(name: str, folder: Path) -> Notice:
    text = _read(folder / "LICENSE")
    return Notice(name=name, version="", licence=text.partition("\n")[0].strip()[:60], text=text)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
