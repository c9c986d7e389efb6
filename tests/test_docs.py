"""The documents name only files, modules and pictures that exist, and lead nowhere that is not there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cv2
import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
TOPS = ("kiosk", "vision", "hw", "tests", "systemd", "docs", ".ci")

#: ``kiosk/table/decide.py``, ``decide.py``, ``page/main.js``: how files of the program are written.
FILE = re.compile(r"(?<![\w./<{-])(?:[\w.{},-]+/)*[\w{},-]+\.(?:py|kv|js|css)\b")
#: ``vision.reports``, ``kiosk.table.table.Table``: modules and what is in them.
DOTTED = re.compile(r"(?<![\w./-])(?:kiosk|vision|hw)(?:\.\w+)+(?![\w/])")
#: ``kiosk/rules``: folders.
FOLDER = re.compile(r"`((?:kiosk|vision|hw|tests|docs|systemd)(?:/[\w]+)*)/?`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@cache
def program_files() -> list[str]:
    return [
        path.relative_to(ROOT).as_posix()
        for top in TOPS
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]


def spelled_out(name: str) -> Iterator[str]:
    """``a/{b,c}.py`` is two names."""
    braces = re.search(r"\{([^{}]*)\}", name)
    if braces is None:
        yield name
        return
    for one in braces[1].split(","):
        yield from spelled_out(name[: braces.start()] + one + name[braces.end() :])


def named_files(text: str) -> set[str]:
    """Without names that stand for any: ``NAME.py``, ``test_NAME.py``."""
    return {one for found in FILE.findall(text) for one in spelled_out(found) if "NAME" not in one}


def fault_of_file(name: str) -> str | None:
    """Why a reader does not find this file; None where he does: its path ends so, and that of no other."""
    files = program_files()
    fitting = [path for path in files if path == name] or [path for path in files if path.endswith("/" + name)]
    if len(fitting) == 1:
        return None
    return f"{name}: {'no such file' if not fitting else 'one of ' + ', '.join(fitting)}"


def top_level(path: Path) -> set[str]:
    """Names that a module defines or imports."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {one.asname or one.name for one in names}
            case ast.Assign(targets=targets):
                found |= {name.id for one in targets for name in ast.walk(one) if isinstance(name, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


def fault_of_module(dotted: str) -> str | None:
    """What of ``kiosk.table.table.Table`` is not there; None if all of it is."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        base = ROOT.joinpath(*parts[:length])
        module = base.with_suffix(".py") if base.with_suffix(".py").is_file() else base / "__init__.py"
        if module.is_file():
            rest = parts[length:]
            return None if not rest or rest[0] in top_level(module) else f"{dotted}: no {rest[0]} in {module.name}"
    return f"{dotted}: no such module"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found = [fault_of_file(name) for name in sorted(named_files(text))]
    found += [fault_of_module(name) for name in sorted(set(DOTTED.findall(text)))]
    found += [f"{name}: no such folder" for name in sorted(set(FOLDER.findall(text))) if not (ROOT / name).exists()]
    found += [f"{link}: no such page" for link in LINK.findall(text) if not (page.parent / link).exists()]
    faults = [fault for fault in found if fault is not None]
    assert not faults


def test_what_is_not_there_is_found() -> None:
    assert fault_of_file("kiosk/table/decide.py") is None and fault_of_file("decide.py") is None
    assert fault_of_file("decided.py") and fault_of_file("__init__.py")
    assert fault_of_module("kiosk.table.table.Table") is None and fault_of_module("vision.messages") is None
    assert fault_of_module("kiosk.table.table.Chair") and fault_of_module("vision.told")
    assert named_files("`vision/mat/{layout,calibration}.py`, `page/main.js`") == {
        "vision/mat/layout.py",
        "vision/mat/calibration.py",
        "page/main.js",
    }


@pytest.mark.slow
def test_the_opening_animation_loads_in_a_moment() -> None:
    film = ROOT / "docs" / "demo.webp"
    assert f"](docs/{film.name})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert film.stat().st_size <= 3_000_000
    read, animation = cv2.imreadanimation(str(film))
    assert read and len(animation.frames) >= 60
