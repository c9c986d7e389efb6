"""Which room may import which: an arrow the wrong way fails here."""

import ast
import graphlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: room → rooms of ours that it may import. The wiring is free, and imported by nobody but itself.
ARROWS: dict[str, set[str]] = {
    "kiosk.errors": set(),
    "kiosk.rules": {"kiosk.errors"},
    "kiosk.table": {"kiosk.errors", "kiosk.rules"},
    "kiosk.ui": {"kiosk.errors", "kiosk.rules", "kiosk.table"},
    "kiosk.paper": {"kiosk.errors", "kiosk.rules", "kiosk.table"},
    "kiosk.sync": {"kiosk.errors", "kiosk.table"},
    "kiosk.director": {"kiosk.errors", "kiosk.rules", "kiosk.table", "kiosk.paper", "kiosk.watchdog"},
    "kiosk.config": {"kiosk.errors", "kiosk.rules", "hw"},
    "kiosk.panel": {"kiosk.table", "hw"},
    "kiosk.recorder": {"kiosk.table", "vision"},
    "kiosk.confirm": {"kiosk.table", "kiosk.rules", "vision"},
    "kiosk.watchdog": {"kiosk.errors"},
    "vision": set(),
    "hw": set(),
}
WIRING = (
    "kiosk.cli",
    "kiosk.app",
    "kiosk.decks",
    "kiosk.direction",
    "kiosk.setup",
    "kiosk.start",
    "kiosk.teach",
    "kiosk.bench",
    "kiosk.demo",
)


def room_of(module: str) -> str | None:
    """The room a module of ours lives in; None for modules that are not ours."""
    if module.split(".")[0] not in ("kiosk", "vision", "hw") or module == "kiosk":
        return None
    return next((room for room in (*ARROWS, *WIRING) if module == room or module.startswith(room + ".")), module)


def modules() -> Iterator[tuple[str, Path]]:
    for top in ("kiosk", "vision", "hw"):
        for path in sorted((ROOT / top).rglob("*.py")):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path


def imports(path: Path, module: str, at_work: bool = False) -> Iterator[str]:
    """Every module that a file imports, wherever in the file; ``at_work``: but for those that only types need."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text())
    if at_work:
        tree.body = [
            node for node in tree.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            target = ".".join(part for part in (base, node.module) if part)
            yield from (target, *(f"{target}.{name.name}" for name in node.names))


MODULES = [pytest.param(module, path, id=module) for module, path in modules()]


@pytest.mark.parametrize(("module", "path"), MODULES)
def test_arrows(module: str, path: Path) -> None:
    room = room_of(module)
    if room is None or room in WIRING:
        return
    assert room in ARROWS, f"{module} is in no room of the architecture"
    rooms = (*ARROWS, *WIRING)
    reached = {other for name in imports(path, module) if (other := room_of(name)) in rooms}
    assert reached <= ARROWS[room] | {room}, f"{module} must not import {sorted(reached - ARROWS[room] - {room})}"


@pytest.mark.parametrize(("module", "path"), [case for case in MODULES if str(case.id).startswith("kiosk.rules")])
def test_rules_are_pure(module: str, path: Path) -> None:
    names = {name.split(".")[0] for name in imports(path, module)}
    assert names - {"kiosk"} <= set(sys.stdlib_module_names), f"{module} reaches outside the standard library"
    assert not names & {"socket", "time", "sqlite3", "threading", "random", "os", "subprocess"}


def test_the_rules_stand_in_one_order() -> None:
    """No circle of imports, not even by an import inside a function; those for types alone do not run."""
    files = [
        (module, path) for module, path in modules() if room_of(module) == "kiosk.rules" and path.stem != "__init__"
    ]
    below = {module: set(imports(path, module, at_work=True)) for module, path in files}
    assert below["kiosk.rules.books"] >= {"kiosk.rules.eppstein", "kiosk.rules.option"}
    graphlib.TopologicalSorter({module: found & set(below) for module, found in below.items()}).prepare()
