"""Which room may import which: an arrow the wrong way fails here."""

import ast
import graphlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: What all rooms of the director know.
_DIRECTOR_VALUES = ("kiosk.director.key", "kiosk.director.refusals", "kiosk.director.settings")

#: Each folder of the screen that draws something of its own; none knows another.
SCREENS = (
    *("play", "rail", "seats", "camera", "referee", "correct", "put_right", "score_list", "more", "mat", "hardware"),
    *("earlier", "devices", "first_start"),
)

#: Folder or module → those of ours that it may import besides itself. The wiring is free, and imported by nobody but
#: itself. The longest name that fits is a module's room; a room named without its inner ones stands for all of them.
ARROWS: dict[str, set[str]] = {
    "kiosk.errors": set(),
    "kiosk.release": {"kiosk.errors"},
    "kiosk.language": set(),
    "kiosk.rules.options": set(),
    "kiosk.rules.engine": {"kiosk.rules.options"},
    "kiosk.rules.steps": {"kiosk.rules.engine"},
    "kiosk.rules.books": {"kiosk.rules.engine", "kiosk.rules.options"},
    "kiosk.rules": {"kiosk.errors", "kiosk.language"},
    "kiosk.table.events": {"kiosk.errors", "kiosk.rules"},
    "kiosk.table.round": {"kiosk.errors", "kiosk.rules", "kiosk.table.events"},
    "kiosk.table.inference": {"kiosk.errors", "kiosk.rules", "kiosk.table.events", "kiosk.table.round"},
    "kiosk.table.observe": {
        *("kiosk.errors", "kiosk.rules", "kiosk.table.events", "kiosk.table.round", "kiosk.table.inference"),
        "vision.messages",
    },
    "kiosk.table.scoresheet": {
        *("kiosk.errors", "kiosk.language", "kiosk.rules", "kiosk.table.events", "kiosk.table.round"),
    },
    "kiosk.table.view": {
        *("kiosk.errors", "kiosk.language", "kiosk.rules", "kiosk.table.events", "kiosk.table.round"),
        *("kiosk.table.inference", "kiosk.table.scoresheet"),
    },
    "kiosk.table": {"kiosk.errors", "kiosk.language", "kiosk.rules", "vision.messages"},
    "kiosk.tournament": {"kiosk.errors", "kiosk.language", "kiosk.rules", "kiosk.table"},
    # A view tells the screen everything: of the rules it knows the notation of cards and rows, but no book.
    "kiosk.ui": {"kiosk.errors", "kiosk.language", "kiosk.rules.engine", "kiosk.table", "vision.messages"},
    "kiosk.ui.parts": set(),
    **{f"kiosk.ui.{screen}": {"kiosk.ui.parts"} for screen in SCREENS},
    "kiosk.paper": {"kiosk.errors", "kiosk.language", "kiosk.rules", "kiosk.table", "kiosk.tournament"},
    "kiosk.sync": {"kiosk.errors", "kiosk.language", "kiosk.table"},
    "kiosk.parcel": {"kiosk.errors", "kiosk.language", "kiosk.rules", "hw", "vision.deck", "vision.errors"},
    "kiosk.director": {
        *("kiosk.errors", "kiosk.language", "kiosk.rules", "kiosk.table", "kiosk.tournament", "kiosk.paper"),
        *("kiosk.parcel", "kiosk.release", "hw"),
    },
    "kiosk.director.key": set(),
    "kiosk.director.refusals": set(),
    "kiosk.director.settings": set(),
    "kiosk.director.storage": {"kiosk.director.key", "kiosk.director.refusals"},
    "kiosk.director.office": {*_DIRECTOR_VALUES, "kiosk.director.storage"},
    "kiosk.director.access.refusals": set(),
    "kiosk.director.access": {*_DIRECTOR_VALUES, "kiosk.director.storage"},
    "kiosk.director.web": {*_DIRECTOR_VALUES, "kiosk.director.access.refusals"},
    "kiosk.director.tls": {*_DIRECTOR_VALUES, "kiosk.director.web"},
    "kiosk.director.tables": {
        *_DIRECTOR_VALUES,
        *("kiosk.director.storage", "kiosk.director.office", "kiosk.director.web"),
        *("kiosk.director.access", "kiosk.director.tls"),
    },
    "kiosk.director.own_network": set(),
    "kiosk.director.saving": {*_DIRECTOR_VALUES, "kiosk.director.storage", "kiosk.director.access"},
    "kiosk.director.pages": {
        *_DIRECTOR_VALUES,
        *("kiosk.director.saving", "kiosk.director.own_network"),
        *("kiosk.director.storage", "kiosk.director.office", "kiosk.director.web", "kiosk.director.tables"),
        *("kiosk.director.access", "kiosk.director.tls"),
    },
    "kiosk.image": {"kiosk.errors", "kiosk.release"},
    "vision.errors": set(),
    "vision.messages": set(),
    "vision.images": {"vision.errors"},
    "vision.geometry": {"vision.errors", "vision.images"},
    "vision.camera": {"vision.errors", "vision.images", "vision.messages"},
    "vision.mat": {"vision.errors", "vision.geometry", "vision.camera", "vision.images"},
    "vision.deck": {"vision.errors", "vision.geometry", "vision.images"},
    "vision.recognition": {"vision.errors", "vision.geometry", "vision.images", "vision.deck"},
    "vision.indices": {"vision.errors", "vision.geometry", "vision.images", "vision.recognition"},
    "vision.tracking": {
        *("vision.errors", "vision.messages", "vision.images", "vision.geometry", "vision.camera", "vision.mat"),
        *("vision.deck", "vision.recognition"),
    },
    "vision.teaching": {
        *("vision.errors", "vision.messages", "vision.images", "vision.geometry", "vision.camera", "vision.mat"),
        *("vision.deck", "vision.recognition", "vision.indices", "vision.tracking"),
    },
    "vision": set(),
    "hw": set(),
}
WIRING = ("kiosk.cli", "kiosk.app", "kiosk.bench", "kiosk.demo")


def encloses(room: str, other: str) -> bool:
    """Whether ``other`` is a room, or a module in it."""
    return room == other or other.startswith(room + ".")


@cache
def room_of(module: str) -> str | None:
    """The room a module of ours lives in; None for modules that are not ours."""
    if module.split(".")[0] not in ("kiosk", "vision", "hw") or module == "kiosk":
        return None
    return max((room for room in (*ARROWS, *WIRING) if encloses(room, module)), key=len, default=module)


@cache
def modules() -> tuple[tuple[str, Path], ...]:
    paths = [path for top in ("kiosk", "vision", "hw") for path in sorted((ROOT / top).rglob("*.py"))]
    return tuple(
        (".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path) for path in paths
    )


@cache
def imports(path: Path, module: str, at_work: bool = False) -> tuple[str, ...]:
    """Every module that a file imports, wherever in the file; ``at_work``: but for those that only types need."""
    return tuple(found_imports(path, module, at_work))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement, wherever in a file; what stands in an expression imports nothing, and is most of it."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(tree, part, ()):
            yield node
            yield from statements(node)


def found_imports(path: Path, module: str, at_work: bool) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text())
    if at_work:
        tree.body = [
            node for node in tree.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ]
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            target = ".".join(part for part in (base, node.module) if part)
            yield from (target, *(f"{target}.{name.name}" for name in node.names))


# Each of these looks at all modules and names every one that is wrong; as a case for each module they were a seventh of
# all cases, of which every process of the suite collects every one.


def wrong_arrows(module: str, path: Path) -> str:
    """Say what a module must not import; "" if nothing is wrong."""
    room = room_of(module)
    if room is None or room in WIRING:
        return ""
    if room not in ARROWS:
        return f"{module} is in no room of the architecture"
    outer = [other for other in ARROWS if encloses(other, room)]
    may = {room}.union(*(ARROWS[other] for other in outer))
    reached = {other for name in imports(path, module) if (other := room_of(name)) is not None}
    # The modules of an enclosing room stand above its inner rooms and may use all of them.
    wrong = {other for other in reached if not any(encloses(one, other) for one in may)}
    return f"{module} must not import {sorted(wrong)}" if wrong else ""


def test_arrows() -> None:
    files = list(modules())
    assert len(files) > 500
    assert [said for module, path in files if (said := wrong_arrows(module, path))] == []


def test_nothing_that_is_installed_needs_what_is_not() -> None:
    """Benchmarks and training stay with developers; the one command that asks for them says so itself."""
    left_out = ("kiosk.bench", "vision.training")
    installed = [
        (module, path)
        for module, path in modules()
        if not module.startswith(left_out) and module != "kiosk.app.arguments.developers"
    ]
    assert len(installed) > 500
    wrong = {
        module: [name for name in imports(path, module) if name.startswith(left_out)] for module, path in installed
    }
    assert {module: names for module, names in wrong.items() if names} == {}, "no release has these"


def test_rules_are_pure() -> None:
    files = [(module, path) for module, path in modules() if module.startswith("kiosk.rules")]
    names = {module: {name.split(".")[0] for name in imports(path, module)} for module, path in files}
    assert len(names) > 40
    outside = {module: found - {"kiosk"} - set(sys.stdlib_module_names) for module, found in names.items()}
    reader = outside.pop("kiosk.rules.composed.file")  # what a club wrote is checked as configurations are
    assert reader == {"pydantic", "pydantic_core"}
    assert {module: found for module, found in outside.items() if found} == {}, "outside the standard library"
    impure = {"socket", "time", "sqlite3", "threading", "random", "os", "subprocess"}
    assert {module: found & impure for module, found in names.items() if found & impure} == {}


def test_the_contract_is_a_leaf() -> None:
    """What crosses from vision to the kiosk and back is read without loading anything but the standard library."""
    names = {name.split(".")[0] for name in imports(ROOT / "vision" / "messages.py", "vision.messages")}
    assert names <= set(sys.stdlib_module_names), f"vision.messages imports {sorted(names)}"


#: Rooms whose modules stand in one order: no circle of imports, not by one inside a function nor for types alone.
#: Rooms within them are looked at together with them.
ORDERED = (
    *("kiosk.rules", "kiosk.table", "kiosk.tournament", "kiosk.ui", "kiosk.paper", "kiosk.sync", "kiosk.director"),
    "kiosk.parcel",
    *WIRING[1:],
    *sorted(room for room in ARROWS if room.startswith("vision.")),
    *("vision.service", "vision.simulation", "vision.training", "hw"),
)
#: The one module whose imports for types alone, which do not run, do not count: a book's row holds functions of a game,
#: and a game the book that it is played by (docs/architecture.md, decision 10).
NAMES_TYPES_ABOVE = "kiosk.rules.engine.book"


@pytest.mark.parametrize("room", ORDERED)
def test_a_room_s_modules_stand_in_one_order(room: str) -> None:
    files = [(module, path) for module, path in modules() if encloses(room, module) and path.stem != "__init__"]
    below = {module: set(imports(path, module, module == NAMES_TYPES_ABOVE)) for module, path in files}
    if room == "kiosk.rules":
        assert below["kiosk.rules.books.eppstein"] >= {"kiosk.rules.engine.book", "kiosk.rules.options.option"}
    graphlib.TopologicalSorter({module: found & set(below) for module, found in below.items()}).prepare()


#: Recognition's modules from the first to the last that a frame passes; none imports one after it.
RECOGNITION = (
    *("tile_correlation", "tiles", "edge_proposals", "keypoint_proposals", "pose_refinement", "deck_features"),
    *("pose_evidence", "occlusion", "classification", "placed_card", "scene_explanation", "pipeline", "recognise"),
)


def test_recognition_goes_from_proposals_to_the_scene() -> None:
    files = {module.rpartition(".")[2]: (module, path) for module, path in modules() if "vision.recognition" in module}
    for number, name in enumerate(RECOGNITION):
        module, path = files[name]
        later = {f"vision.recognition.{other}" for other in RECOGNITION[number + 1 :]}
        assert not set(imports(path, module)) & later, module


#: What a process that reads cards has: tens of megabytes.
READING = {"cv2", "numpy", "scipy", "onnx"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("modules", "without"),
    [
        pytest.param("kiosk.app.start, kiosk.app.setup, kiosk.ui.app", READING, id="the screen's has none that reads"),
        pytest.param("kiosk.app.direction", {*READING, "kivy"}, id="the direction's has no screen either"),
    ],
)
def test_a_process_has_no_library_that_it_does_not_use(modules: str, without: set[str]) -> None:
    code = f"import sys, {modules}; print(*sorted({without} & set(sys.modules)))"
    environment = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "KIVY_NO_ARGS": "1", "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
