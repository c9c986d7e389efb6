"""What ``-m fast`` promises: no room of the program is left out."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent
ROOT = TESTS.parent
#: Rooms are the folders below these, and the modules beside them; those that no table needs may wait.
TOPS = ("kiosk", "vision", "hw")
MAY_WAIT = {"vision.training", "kiosk.bench.championship", "kiosk.bench.faults", "kiosk.bench.vm"}
ALL_SLOW = re.compile(r"^pytestmark = (\[|.*, )?pytest\.mark\.slow\b", re.MULTILINE)
BROWSER = 'importorskip("playwright'


def rooms() -> list[str]:
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in TOPS
        for path in (ROOT / top).rglob("*.py")
        if path.name != "__init__.py"
    }
    return sorted(found - {"kiosk", "vision"} - MAY_WAIT)


def has_a_fast_test(tree: ast.Module) -> bool:
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return any(not any("mark.slow" in ast.unparse(mark) for mark in test.decorator_list) for test in tests)


def imported(tree: ast.Module) -> set[str]:
    """Modules named in imports, wherever they stand."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


@cache
def imported_by(file: Path) -> frozenset[str]:
    """Modules that a file imports."""
    return frozenset(imported(ast.parse(file.read_text(encoding="utf-8"))))


def fast_imports() -> set[str]:
    """What fast tests import, and what that imports in its turn: the app its screens, the table its observer."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if ALL_SLOW.search(text) or BROWSER in text:
            continue
        tree = ast.parse(text)
        if has_a_fast_test(tree):
            found |= imported(tree)
            conftest = path.with_name("conftest.py")
            if conftest.exists():
                found |= imported_by(conftest)
    for reach in ("", "kiosk.ui.", "kiosk.ui."):  # a stage puts up the app, the app all screens and sheets
        for module in [name for name in found if name.startswith(reach)]:
            file = ROOT / Path(*module.split(".")).with_suffix(".py")
            if file.is_file():
                found |= imported_by(file)
    return found


def test_every_room_has_a_fast_test() -> None:
    """One test, not one a room: each process that had some of them would read all tests."""
    found, known = fast_imports(), rooms()

    def imported_there(room: str) -> bool:
        modules = {f"{room}.{path.stem}" for path in (ROOT / Path(*room.split("."))).glob("*.py")} | {room}
        inner = any(other.startswith(room + ".") for other in known)
        return bool(modules & found) or (inner and any(name.startswith(room + ".") for name in found))

    assert [room for room in known if not imported_there(room)] == []
    assert len(known) > 50
