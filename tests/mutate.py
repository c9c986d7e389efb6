"""Mutation of the rules modules: what small defects of a module do its tests find?

    python tests/mutate.py tricks contract         # modules of kiosk/rules; all of them without a name
    python tests/mutate.py --again tricks          # only the survivors of the last run

A mutant is the module with one operator, constant, condition or call changed. Each runs in a forked process of its own
on the tests that pass its line, the fastest first, until one fails. A mutant inside a function takes the function's
place after the tests have been collected; one of a module's own values (a row of a book, a field's default) is there
before anything of ``kiosk`` is imported. Survivors are listed with line and change and kept in
``build/mutation/MODULE.json``.

Not mutated: docstrings, annotations, asserts (they narrow types), arguments of decorators, prose (titles, meanings of
options, the words of an error text; but the values in it are).
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import gc
import importlib
import importlib.machinery
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "kiosk" / "rules"
KEPT = ROOT / "build" / "mutation"
TESTS = ("tests/rules",)

COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
PROSE = {"title", "source", "meaning", "meaning_de", "german", "english"}


class Mutant(NamedTuple):
    """One change of a module."""

    lines: range  # of the statement, for compound ones of their head
    line: int
    change: str  # what it is, for people
    apply: Callable[[], Callable[[], None]]  # makes it in the tree; the result takes it back
    inside: bool  # of a function

    @property
    def key(self) -> str:
        return f"{self.line}: {self.change}"


def _head(statement: ast.stmt) -> range:
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(last, statement.lineno) + 1)


class Finder(ast.NodeVisitor):
    """All mutants of a tree."""

    def __init__(self) -> None:
        self.found: list[Mutant] = []
        self.statement: ast.stmt | None = None
        self.depth = 0  # of functions
        self.raising = False

    def add(self, node: Any, field: str, new: Any, change: str) -> None:
        """A mutant that sets a field of a node."""

        def apply() -> Callable[[], None]:
            old = getattr(node, field)
            setattr(node, field, new)
            return lambda: setattr(node, field, old)

        assert self.statement is not None
        line = getattr(node, "lineno", self.statement.lineno)
        self.found.append(Mutant(_head(self.statement), line, change, apply, self.depth > 0))

    def become(self, node: ast.expr, new: ast.expr, change: str) -> None:
        """A mutant that puts another expression in a node's place: the node turns into it."""
        ast.copy_location(new, node)
        ast.fix_missing_locations(new)
        kind, contents = type(node), dict(node.__dict__)

        def apply() -> Callable[[], None]:
            node.__class__ = type(new)
            node.__dict__.clear()
            node.__dict__.update(new.__dict__)

            def back() -> None:
                node.__class__ = kind
                node.__dict__.clear()
                node.__dict__.update(contents)

            return back

        assert self.statement is not None
        self.found.append(Mutant(_head(self.statement), node.lineno, change, apply, self.depth > 0))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            before, self.statement = self.statement, node
            super().visit(node)
            self.statement = before
        else:
            super().visit(node)

    # Statements

    def _function(self, node: ast.FunctionDef | ast.Lambda) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self.depth += 1
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(part)
        self.depth -= 1

    visit_FunctionDef = visit_Lambda = _function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and ast.unparse(node.annotation) != "TypeAlias":
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node.value, ast.Call):
            self.add(node, "value", ast.copy_location(ast.Constant(None), node.value), f"{_short(node)} dropped")
        self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_Import(self, node: ast.Import) -> None:
        pass

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        pass

    def visit_Raise(self, node: ast.Raise) -> None:
        self.raising = True
        self.generic_visit(node)
        self.raising = False

    def visit_If(self, node: ast.If | ast.While) -> None:
        if ast.unparse(node.test) == "TYPE_CHECKING":
            return
        self._condition(node.test)
        self.generic_visit(node)

    visit_While = visit_If

    def visit_Break(self, node: ast.Break) -> None:
        self._leap(node, ast.Continue)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._leap(node, ast.Break)

    def _leap(self, node: ast.stmt, other: type[ast.stmt]) -> None:
        self.add(node, "__class__", other, f"{type(node).__name__.lower()} → {other.__name__.lower()}")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC:
            new = ARITHMETIC[type(node.op)]()
            self.add(node, "op", new, f"{_short(node)} by {type(new).__name__}")
        self.visit(node.value)

    # Expressions

    def _condition(self, test: ast.expr) -> None:
        """The opposite, where the condition has no operator of its own that is changed."""
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self.become(test, ast.UnaryOp(ast.Not(), copy.deepcopy(test)), f"{_short(test)} → not")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, op in enumerate(node.ops):
            new = COMPARE[type(op)]()
            ops = [*node.ops[:place], new, *node.ops[place + 1 :]]
            self.add(node, "ops", ops, f"{_short(node)} by {type(new).__name__}")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        new = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.add(node, "op", new, f"{_short(node)} by {type(new).__name__}")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in ARITHMETIC:
            new = ARITHMETIC[type(node.op)]()
            self.add(node, "op", new, f"{_short(node)} by {type(new).__name__}")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.become(node, copy.deepcopy(node.operand), f"{_short(node)} without {type(node.op).__name__}")
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in NAMES:
            self.add(node, "id", NAMES[node.id], f"{node.id} → {NAMES[node.id]}")

    def visit_Call(self, node: ast.Call) -> None:
        if not (isinstance(node.func, ast.Name) and node.func.id == "field"):  # what equality and repr leave out
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in PROSE:
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if self.raising:
                    self.become(part, ast.Constant("?"), f"value {_short(part.value)} not in the text")
                else:
                    self.visit(part.value)
            elif not self.raising:
                self.visit(part)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.add(node, "value", not value, f"{value} → {not value}")
        elif isinstance(value, int | float):
            self.add(node, "value", value + 1, f"{value} → {value + 1}")
        elif isinstance(value, str) and not (self.raising and " " in value):
            self.add(node, "value", f"XX{value}XX", f"{value!r} → other text")


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) < 60 else text[:57] + "…"


def mutants_of(tree: ast.Module) -> list[Mutant]:
    """All mutants, in the order of their lines."""
    finder = Finder()
    finder.visit(tree)
    return sorted(finder.found, key=lambda one: one.line)


# Running


class Test(NamedTuple):
    """What the unchanged module showed about a test."""

    seconds: float
    lines: dict[str, set[int]]  # by file


def _calm(item: pytest.Item) -> None:
    """Fewer examples for a property, and no search for the smallest one."""
    test = getattr(item, "obj", None)
    inner = getattr(test, "__func__", test)
    settings = getattr(inner, "_hypothesis_internal_use_settings", None)
    if settings is not None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        inner._hypothesis_internal_use_settings = hypothesis.settings(  # type: ignore[union-attr]
            settings, max_examples=min(10, settings.max_examples), phases=phases, database=None
        )


class Outcome:
    """A plugin that knows what failed."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = "import"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _traced(outcome: Outcome, items: list[pytest.Item], files: set[str]) -> dict[str, Test]:
    """Each test's time and the lines of the files that it passes."""
    found: dict[str, Test] = {}
    lines: dict[str, set[int]] = {}
    seen: dict[CodeType, set[int]] = {}
    whole = {}

    def in_frame(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            seen[frame.f_code].add(frame.f_lineno)
        return in_frame

    def on_call(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in files:
            return None
        if code not in whole:
            whole[code] = len({line for *_, line in code.co_lines() if line} - {code.co_firstlineno})
        passed = seen.setdefault(code, {code.co_firstlineno})
        return in_frame if len(passed) <= whole[code] else None

    for item in items:
        _calm(item)
        seen.clear()
        start = time.process_time()
        sys.settrace(on_call)
        outcome.run(item)
        sys.settrace(None)
        if outcome.failed:
            raise SystemExit(f"{item.nodeid} fails on the unchanged module")
        lines = {}
        for code, passed in seen.items():
            lines.setdefault(code.co_filename, set()).update(passed)
        found[item.nodeid] = Test(time.process_time() - start, lines)
    return found


def _changes(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions' codes that differ, with what they become."""
    if old != new and old.co_name != "<module>":
        yield old, new
    inner = [c for c in old.co_consts if isinstance(c, CodeType)], [c for c in new.co_consts if isinstance(c, CodeType)]
    for one, other in zip(*inner, strict=True):
        yield from _changes(one, other)


class Limit(NamedTuple):
    """What a mutant may use."""

    seconds: float
    memory: int = 4 << 30


def _forked(work: Callable[[], str], limit: Limit) -> tuple[str, str]:
    """``killed``, ``survived`` or ``timeout`` and by which test: what came of ``work`` in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        killer = "crash"
        with contextlib.suppress(BaseException):
            seconds = int(limit.seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (limit.memory, limit.memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            killer = work()
        os.write(writer, killer.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        killer = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "timeout" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "killed", ""
    return ("killed" if killer else "survived"), killer


class Killers:
    """Tests that found the mutants before are tried first."""

    def __init__(self) -> None:
        self.last: dict[str, int] = {}

    def __call__(self, test: str) -> int:
        return -self.last.get(test, 0)

    def add(self, test: str) -> None:
        if "::" in test:
            self.last[test] = max(self.last.values(), default=0) + 1

    def files(self) -> list[str]:
        """Of the latest few of them."""
        latest = sorted(self.last, key=self)[:4]
        return list(dict.fromkeys(test.split("::")[0] for test in latest))


class Session:
    """The plugin of the collecting process: mutants inside functions, one fork each, instead of the usual run."""

    def __init__(self, modules: dict[str, tuple[ast.Module, list[Mutant]]], report: Callable[..., None]) -> None:
        self.modules, self.report = modules, report
        self.tests: dict[str, Test] = {}
        self.later: dict[str, list[int]] = {name: [] for name in modules}  # mutants that only a new import can judge
        self.imported: dict[str, set[int]] = {}

    def watch(self, frame: FrameType, event: str, _: Any) -> Any:
        """Traces the lines of the modules that are passed while they are imported and the tests are collected."""
        file = frame.f_code.co_filename
        if file.startswith(str(RULES)):
            lines = self.imported.setdefault(file, set())

            def in_frame(frame: FrameType, event: str, _: Any) -> Any:
                lines.add(frame.f_lineno)
                return in_frame

            return in_frame
        return None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.settrace(None)
        outcome = Outcome()
        session.config.pluginmanager.register(outcome)
        reader, writer = os.pipe()
        child = os.fork()
        files = {str(RULES / f"{name}.py") for name in self.modules}
        if child == 0:  # so that nothing the tests leave behind is in the mutants' way
            try:
                tests = _traced(outcome, session.items, files)
                data = {
                    node: (one.seconds, {f: sorted(lines) for f, lines in one.lines.items()})
                    for node, one in tests.items()
                }
                with os.fdopen(writer, "w") as pipe:
                    json.dump(data, pipe)
                os._exit(0)
            except BaseException as error:
                os.write(2, f"{error}\n".encode())
                os._exit(1)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            text = pipe.read()
        if os.waitpid(child, 0)[1]:
            raise SystemExit("the tests do not pass on the unchanged modules")
        for node, (seconds, lines) in json.loads(text).items():
            self.tests[node] = Test(seconds, {f: set(passed) for f, passed in lines.items()})
        for item in session.items:
            _calm(item)
        gc.collect()
        gc.freeze()
        for name, (tree, mutants) in self.modules.items():
            self._module(name, tree, mutants, session, outcome)
        return True

    def _module(
        self, name: str, tree: ast.Module, mutants: list[Mutant], session: pytest.Session, outcome: Outcome
    ) -> None:
        file = str(RULES / f"{name}.py")
        original = compile(tree, file, "exec", dont_inherit=True)
        live: dict[CodeType, list[FunctionType]] = {}
        gc.unfreeze()
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename == file:
                live.setdefault(one.__code__, []).append(one)
        gc.freeze()
        killers = Killers()
        for place, mutant in enumerate(mutants):
            passing = [
                (self.tests[item.nodeid].seconds, item)
                for item in session.items
                if self.tests[item.nodeid].lines.get(file, set()).intersection(mutant.lines)
            ]
            result, killer = "no test", ""
            if passing and mutant.inside:
                passing.sort(key=lambda pair: (killers(pair[1].nodeid), pair[0]))
                back = mutant.apply()
                changed = compile(tree, file, "exec", dont_inherit=True)
                back()

                def work(passing: Any = passing, changed: CodeType = changed) -> str:
                    for old, new in _changes(original, changed):
                        for function in live.get(old, ()):
                            function.__code__ = new
                    for _, item in passing:
                        outcome.run(item)
                        if outcome.failed:
                            return outcome.failed
                    return ""

                result, killer = _forked(work, Limit(3 * sum(seconds for seconds, _ in passing) + 2))
                killers.add(killer)
            at_import = self.imported.get(file, set()).intersection(mutant.lines)
            if not mutant.inside or (at_import and result in ("survived", "no test")):
                self.later[name].append(place)
            else:
                self.report(name, mutant, result)


class Ordered(Outcome):
    """The plugin of a process with a changed module: only tests that know it, the fastest first."""

    def __init__(self, tests: dict[str, Test], file: str, killers: Killers) -> None:
        super().__init__()
        self.tests, self.file, self.killers = tests, file, killers

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        nothing = Test(0.0, {self.file: {0}})  # a test whose name has changed with the mutant
        items[:] = [one for one in items if self.tests.get(one.nodeid, nothing).lines.get(self.file)] or items
        items.sort(key=lambda one: (self.killers(one.nodeid), self.tests.get(one.nodeid, nothing).seconds))
        for item in items:
            _calm(item)


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a module from another code than its file has."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code


class ChangedFinder:
    """Finds one module with its changed code."""

    def __init__(self, module: str, file: str, code: CodeType) -> None:
        self.module, self.file, self.code = module, file, code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.module:
            return None
        loader = Changed(name, self.file)
        loader.code = self.code
        return importlib.util.spec_from_file_location(name, self.file, loader=loader)


def _fresh(finder: ChangedFinder, ordered: Ordered, arguments: list[str]) -> str:
    """The test that fails, "" if none does, with the module imported from its changed code."""
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    code = pytest.main([*arguments, "-x"], plugins=[ordered])
    return "" if code in (0, 5) else ordered.failed or "import"


class Report:
    """Counts and prints what became of the mutants."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.left: dict[str, list[str]] = {}
        self.out = os.fdopen(os.dup(1), "w", buffering=1)  # pytest has the other

    def __call__(self, name: str, mutant: Mutant, outcome: str) -> None:
        self.counts.setdefault(name, Counter())[outcome] += 1
        if outcome in ("survived", "no test"):
            self.left.setdefault(name, []).append(mutant.key)
            self.out.write(f"{name}.py:{mutant.key}   [{outcome}]\n")

    def summary(self) -> None:
        self.out.write(f"{'module':20} {'mutants':>8} {'killed':>7} {'timeout':>8} {'left':>5}\n")
        whole: Counter[str] = Counter()
        for name, counts in [*self.counts.items(), ("together", whole)]:
            if counts is not whole:
                whole += counts
            number, left = sum(counts.values()), counts["survived"] + counts["no test"]
            rate = f"{100 * (number - left) / number:6.1f} %" if number else ""
            self.out.write(f"{name:20} {number:8} {counts['killed']:7} {counts['timeout']:8} {left:5} {rate}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="*", help="modules of kiosk/rules without .py; all of them by default")
    parser.add_argument("--again", action="store_true", help="only the survivors of the last run of these modules")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="test files or folders (default: tests/rules)")
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    names = given.module or sorted(one.stem for one in RULES.glob("*.py") if one.stem != "__init__")
    arguments = ["-p", "no:cacheprovider", "-o", "addopts="]
    arguments += ["--import-mode=importlib", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    report = Report()
    modules = {}
    for name in names:
        tree = ast.parse((RULES / f"{name}.py").read_text())
        mutants = mutants_of(tree)
        if given.again:
            kept = Counter(json.loads((KEPT / f"{name}.json").read_text()))
            mutants = [one for one in mutants if kept[one.key]]
        modules[name] = (tree, mutants)

    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # all that imports kiosk does so in a fork: this process stays without
        os.close(reader)
        session = Session(modules, report)
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # what pytest says of its run, which is not the usual one
        sys.settrace(session.watch)
        code = pytest.main([*given.tests, *arguments], plugins=[session])
        with os.fdopen(writer, "w") as pipe:
            tests = {
                node: (one.seconds, {f: sorted(x) for f, x in one.lines.items()}) for node, one in session.tests.items()
            }
            json.dump([tests, session.later, report.counts, report.left], pipe)
        os._exit(0 if code in (0, 5) else 1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    if os.waitpid(child, 0)[1] or not text:
        raise SystemExit("the tests could not be run")
    told, later, counts, left = json.loads(text)
    tests = {node: Test(seconds, {f: set(x) for f, x in lines.items()}) for node, (seconds, lines) in told.items()}
    report.counts = {name: Counter(one) for name, one in counts.items()}
    report.left = left
    whole = sum(test.seconds for test in tests.values())
    for name, (tree, mutants) in modules.items():
        file = str(RULES / f"{name}.py")
        killers = Killers()
        about = sorted({node.split("::")[0] for node, test in tests.items() if test.lines.get(file)}) or given.tests
        for mutant in (mutants[place] for place in later[name]):
            back = mutant.apply()
            changed = compile(tree, file, "exec", dont_inherit=True)
            back()
            result = "survived"
            for files in (killers.files(), about):
                if files and result == "survived":
                    finder = ChangedFinder(f"kiosk.rules.{name}", file, changed)
                    work = functools.partial(_fresh, finder, Ordered(tests, file, killers), [*files, *arguments])
                    result, killer = _forked(work, Limit(3 * whole + 5))
                    killers.add(killer)
            report(name, mutant, result)
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in names:
        (KEPT / f"{name}.json").write_text(json.dumps(report.left.get(name, []), ensure_ascii=False, indent=1))
    report.summary()


if __name__ == "__main__":
    main()
