"""Mutation of the rules modules, and of what a table reckons: which small defects do the tests find?

    python tests/mutation tricks contract         # modules of kiosk/rules; without a name all of them, which takes long
    python tests/mutation record certain --tests tests/table tests/rules       # and of kiosk/table
    python tests/mutation --again tricks          # only the survivors of the last run

    python tests/mutation consent --tests tests/table -m fast --jobs 2
    python tests/mutation consent --inside        # only what is changed in functions: an import takes longest

Each mutant runs in a forked process of its own on the tests that pass its line, the fastest first, until one fails.
One inside a function takes the function's place after the tests have been collected; one of what a module does when
it is imported (a row of a book, a field's default) is there before anything of ``kiosk`` is imported. Survivors are
listed with line and change and kept in ``build/mutation/MODULE.json``. Those that come to the same result stand by
name, each with its reason, in ``tests/mutation/survivors.txt``: what is not there is told, and what is there in vain.
"""

import argparse
import ast
import contextlib
import functools
import gc
import importlib.machinery
import importlib.util
import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MappingProxyType
from typing import Any, NamedTuple

import hypothesis
import pytest
from mutants import Mutant, mutants_of

ROOT = Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "kiosk" / "rules"
KEPT = ROOT / "build" / "mutation"
ROOMS = ("engine", "steps", "options", "books")
WORDS = ("__init__", "known")  # nothing but what people read
FILES = {path.stem: path for room in ROOMS for path in (RULES / room).glob("*.py") if path.stem not in WORDS}
COMPOSED = {f"composed/{path.stem}": path for path in (RULES / "composed").glob("*.py") if path.stem != "__init__"}
TABLE = ROOT / "kiosk" / "table"
RECKONING = ("inference", "round", "scoresheet")
TABLES = {path.stem: path for room in RECKONING for path in (TABLE / room).glob("*.py") if path.stem != "__init__"}
TABLES |= {path.stem: path for path in (TABLE / "consent.py", TABLE / "settling.py", TABLE / "view" / "questions.py")}
NAMED = FILES | COMPOSED | TABLES
SAME = Path(__file__).with_name("survivors.txt")
LEFT = ("survived", "no test")
MEMORY = 4 << 30  # bytes a mutant may use


class Test(NamedTuple):
    """What the unchanged modules showed about a test."""

    seconds: float
    lines: dict[str, list[int]]  # that it passes, by module


class Module(NamedTuple):
    """A module under mutation."""

    name: str
    file: str
    tree: ast.Module
    mutants: list[Mutant]
    same: dict[str, str]  # mutants that come to the same result, with the reason

    def code(self, mutant: Mutant | None = None) -> CodeType:
        """Compiled, with the change of a mutant."""
        back = mutant.apply() if mutant else lambda: None
        try:
            return compile(self.tree, self.file, "exec", dont_inherit=True)
        finally:
            back()


class Outcome:
    """A plugin that knows the first test that failed."""

    def __init__(self, examples: int) -> None:
        self.failed, self.examples = "", examples

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or "import"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def run(self, items: list[pytest.Item]) -> str:
        """Runs tests until one fails, which is the answer; "" if none does."""
        for item in items:
            if not self.failed:
                _calm(item, self.examples)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return self.failed


def _calm(item: pytest.Item, examples: int) -> None:
    """Few examples for a property, and no search for the smallest one."""
    inner = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
    given = getattr(inner, "_hypothesis_internal_use_settings", None)
    if given is not None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        inner._hypothesis_internal_use_settings = hypothesis.settings(  # type: ignore[union-attr]
            given, max_examples=min(examples, given.max_examples), phases=phases, database=None
        )


class Killers:
    """Tests that found mutants before are tried first."""

    def __init__(self) -> None:
        self.last: dict[str, int] = {}

    def rank(self, test: str) -> int:
        return -self.last.get(test, 0)

    def add(self, test: str) -> None:
        if "::" in test:
            self.last[test] = max(self.last.values(), default=0) + 1

    def files(self) -> list[str]:
        """Of the latest few of them."""
        return _files(sorted(self.last, key=self.rank)[:3])


def _forked(work: Callable[[], str], seconds: float | None = None) -> str | None:
    """What ``work`` answers in a process of its own; None if it took more than so many seconds of processor time.

    With such a limit an exception is an answer too, "crash".
    """
    return _told(*_begun(work, seconds))


def _begun(work: Callable[[], str], seconds: float | None = None) -> tuple[int, int]:
    """The process that does it, and the pipe by which it answers."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        told = "crash"
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2) if seconds is not None else (1,):
            os.dup2(null, stream)
        with contextlib.suppress(Exception) if seconds is not None else contextlib.nullcontext():
            told = work()
        with os.fdopen(writer, "w") as pipe:
            pipe.write(told)
        os._exit(0)
    os.close(writer)
    return child, reader


def _told(child: int, reader: int) -> str | None:
    with os.fdopen(reader) as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    return None if os.WIFSIGNALED(status) else told


def _files(nodes: Iterable[str]) -> list[str]:
    return sorted({node.split("::")[0] for node in nodes})


def _code_changes(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions' codes that differ, with what they become."""
    if old != new and old.co_name != "<module>":
        yield old, new
    inner = [[one for one in code.co_consts if isinstance(one, CodeType)] for code in (old, new)]
    for one, other in zip(*inner, strict=True):
        yield from _code_changes(one, other)


class Watch:
    """Traces the lines of the modules that are passed."""

    def __init__(self, modules: list[Module]) -> None:
        self.names = {module.file: module.name for module in modules}
        self.seen: dict[CodeType, set[int]] = {}
        self.number: dict[CodeType, int] = {}

    def start(self) -> None:
        self.seen.clear()
        sys.settrace(self._called)

    def stop(self) -> dict[str, list[int]]:
        """The lines by module."""
        sys.settrace(None)
        lines: dict[str, set[int]] = {}
        for code, passed in self.seen.items():
            lines.setdefault(self.names[code.co_filename], set()).update(passed)
        return {name: sorted(passed) for name, passed in lines.items()}

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self.names:
            return None
        if code not in self.number:
            self.number[code] = len({line for *_, line in code.co_lines() if line} | {code.co_firstlineno})
        passed = self.seen.setdefault(code, {code.co_firstlineno})
        return self._in_frame if len(passed) < self.number[code] else None

    def _in_frame(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self.seen[frame.f_code].add(frame.f_lineno)
        return self._in_frame


def _cached(modules: list[Module]) -> list[Any]:
    """The functions of modules that keep what they have returned: a test that is told it passes none of their lines."""
    files = {module.file for module in modules}
    gc.unfreeze()  # tests/conftest.py freezes what is imported, which then is not listed
    kept = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in kept if getattr(getattr(one.__wrapped__, "__code__", None), "co_filename", "") in files]


def dotted(path: Path) -> str:
    """The dotted name of a module of ours."""
    return ".".join(path.resolve().relative_to(ROOT).with_suffix("").parts)


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a module from another code than its file has; as a finder, finds it."""

    def __init__(self, module: Module, code: CodeType) -> None:
        super().__init__(dotted(Path(module.file)), module.file)
        self.changed = code

    def get_code(self, fullname: str) -> CodeType:
        return self.changed

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None


class Run:
    """The plugin that runs the mutants instead of pytest's own collection and loop."""

    def __init__(self, modules: list[Module], tests: list[str], seconds: float, examples: int, jobs: int) -> None:
        self.modules, self.arguments, self.seconds, self.examples = modules, tests, seconds, examples
        self.jobs = jobs
        self.error, self.some = "", False  # some: not all mutants are tried
        self.tests: dict[str, Test] = {}
        self.imported: dict[str, list[int]] = {}
        self.results: dict[str, dict[int, str]] = {module.name: {} for module in modules}
        self.out = os.fdopen(os.dup(1), "w", buffering=1)  # what pytest says of this unusual run is not shown

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        outcome = Outcome(self.examples)
        session.config.pluginmanager.register(outcome)
        told = _forked(lambda: self._observe(session, outcome))
        if told is None or not told.startswith("{"):
            self.error = f"the tests do not pass on the unchanged modules: {told}"
            return True
        data = json.loads(told)
        self.tests = {node: Test(*one) for node, one in data["tests"].items()}
        self.imported = data["imported"]
        parts = [_begun(functools.partial(self._inside, session, outcome, part)) for part in range(self.jobs)]
        for part in parts:
            for name, found in json.loads(_told(*part) or "").items():
                self.results[name] |= {int(n): one for n, one in found.items()}
        for module in self.modules:
            self._at_import(module, session, outcome)
        return True

    def _observe(self, session: pytest.Session, outcome: Outcome) -> str:
        """Each test's time and lines on the unchanged modules, and the lines passed before any test."""
        watch = Watch(self.modules)
        watch.start()
        items = list(session.perform_collect(self.arguments))
        imported, tests = watch.stop(), {}
        cached = _cached(self.modules)
        for item in items:
            for one in cached:
                one.cache_clear()
            watch.start()
            failed = outcome.run([item])
            lines = watch.stop()
            start = time.process_time()
            if lines:  # once more without the trace, which takes many times as long as what it traces
                item._initrequest()  # type: ignore[attr-defined]
                failed = failed or outcome.run([item])
            if failed:
                return failed
            tests[item.nodeid] = time.process_time() - start, lines
        return json.dumps({"tests": tests, "imported": imported})

    def _inside(self, session: pytest.Session, outcome: Outcome, part: int) -> str:  # noqa: C901 - one loop over mutants with all that may become of one
        """What became of the mutants inside functions that tests call: of every ``jobs``-th of them."""
        items = {item.nodeid: item for item in session.perform_collect(self.arguments)}
        for one in _cached(self.modules):
            one.cache_clear()  # what was made while the tests were collected
        gc.collect()
        for module in self.modules:
            original, killers = module.code(), Killers()
            live: dict[CodeType, list[FunctionType]] = {}
            for one in gc.get_objects():
                if isinstance(one, FunctionType) and one.__code__.co_filename == module.file:
                    live.setdefault(one.__code__, []).append(one)
            assert live or not any(mutant.inside for mutant in module.mutants), f"no function of {module.name} is found"
            at_import = set(self.imported.get(module.name, ()))
            for place, mutant in enumerate(module.mutants):
                if not mutant.inside or place % self.jobs != part:
                    continue
                nodes, seconds = self._passing(module, mutant, killers)
                result = "no test"
                if nodes:
                    changed = module.code(mutant)

                    def work(changed: CodeType = changed, nodes: list[str] = nodes) -> str:
                        for old, new in _code_changes(original, changed):  # noqa: B023
                            for function in live.get(old, ()):  # noqa: B023
                                try:
                                    function.__code__ = new
                                except ValueError:  # another number of variables of the function around it
                                    return "not exchangeable"
                        return outcome.run([items[node] for node in nodes])

                    result = self._result(_forked(work, 3 * seconds + 2), killers)
                if result in ("killed", "timeout") or not (
                    result == "not exchangeable" or at_import.intersection(mutant.lines)
                ):
                    self._tell(module, place, result)
        return json.dumps(self.results)

    def _at_import(self, module: Module, session: pytest.Session, outcome: Outcome) -> None:
        """The others: the module is imported with the change, in a process that has imported nothing of it."""
        killers = Killers()
        named = module.name.split("_")[0]  # tests of a book's row need not pass any of its functions
        known = {node for node, test in self.tests.items() if module.name in test.lines or named in node}
        strange = self.tests.keys() - known

        def work(code: CodeType, files: list[str], without: set[str]) -> str:
            sys.meta_path.insert(0, Changed(module, code))  # type: ignore[arg-type]
            items = {one.nodeid: one for one in session.perform_collect(files) if one.nodeid not in without}
            return outcome.failed or outcome.run([items[node] for node in self._chosen(list(items), killers)[0]])

        def judge(code: CodeType) -> str:
            result = "survived"
            for files, without in (
                (killers.files(), set()),
                (_files(known), strange),
                (_files(strange), known),
            ):
                if files and result == "survived":
                    told = _forked(lambda f=files, w=without: work(code, f, w), 3 * self.seconds + 5)
                    result = self._result(told, killers)
            return result

        left = [place for place in range(len(module.mutants)) if place not in self.results[module.name]]
        if left and judge(module.code()) != "survived":
            self.error = f"the tests of {module.name} do not pass on the unchanged module in another order"
            return
        for place in left:
            self._tell(module, place, judge(module.code(module.mutants[place])))

    def _passing(self, module: Module, mutant: Mutant, killers: Killers) -> tuple[list[str], float]:
        """The tests that pass a mutant's lines in the order to try them, and their time."""
        lines = set(mutant.lines)
        nodes = [node for node, test in self.tests.items() if lines.intersection(test.lines.get(module.name, ()))]
        # Of each file one test first that passes the module otherwise than those before it, then others like them.
        nodes.sort(key=lambda node: self.tests[node].seconds)
        alike: Counter[tuple[str, tuple[int, ...]]] = Counter()
        rounds: dict[str, int] = {}
        for node in nodes:
            way = node.split("::")[0], tuple(self.tests[node].lines[module.name])
            rounds[node] = alike[way]
            alike[way] += 1
        return self._chosen(nodes, killers, rounds)

    def _chosen(
        self, nodes: list[str], killers: Killers, rounds: Mapping[str, int] = MappingProxyType({})
    ) -> tuple[list[str], float]:
        """Of some tests the fastest, what they take together; one that the mutant renamed takes no time.

        :param rounds: those of a lower number come before all of a higher one.
        """
        taken = {node: self.tests[node].seconds if node in self.tests else 0.0 for node in nodes}
        seconds, chosen = 0.0, []
        for node in sorted(nodes, key=lambda node: (killers.rank(node), rounds.get(node, 0), taken[node])):
            if not chosen or seconds + taken[node] <= self.seconds:
                seconds += taken[node]
                chosen.append(node)
        return chosen, seconds

    @staticmethod
    def _result(killer: str | None, killers: Killers) -> str:
        if killer is None:
            return "timeout"
        killers.add(killer)
        if killer == "not exchangeable":
            return killer
        return "killed" if killer else "survived"

    def _tell(self, module: Module, place: int, result: str) -> None:
        mutant = module.mutants[place]
        if result in LEFT and mutant.name in module.same:
            result = "same"
        self.results[module.name][place] = result
        if result in LEFT:
            self.out.write(f"{module.name}.py:{mutant.line}: {mutant.name}   [{result}]\n")

    def summary(self) -> None:
        """Counts by module; the survivors are kept."""
        self.out.write(f"{'module':20} {'mutants':>8} {'killed':>7} {'timeout':>8} {'same':>5} {'left':>5}\n")
        together: Counter[str] = Counter()
        for module in self.modules:
            found = self.results[module.name]
            counts = Counter(found.values())
            together += counts
            left = [module.mutants[place].name for place in sorted(found) if found[place] in LEFT]
            kept = _kept(module.name)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(left, ensure_ascii=False, indent=1))
            met = {module.mutants[place].name: result for place, result in found.items()}
            for name in module.same:
                if met.get(name, "same") != "same" or (name not in met and not self.some):
                    self.out.write(f"{SAME.name}: {module.name}: {name} is {met.get(name, 'no mutant')}\n")
            self._line(module.name, counts)
        self._line("together", together)

    def _line(self, name: str, counts: Counter[str]) -> None:
        number, left = sum(counts.values()), sum(counts[kind] for kind in LEFT)
        rate = f"{100 * (number - left - counts['same']) / number:6.1f} % found" if number else ""
        columns = f"{number:8} {counts['killed']:7} {counts['timeout']:8} {counts['same']:5} {left:5}"
        self.out.write(f"{name:20} {columns} {rate}\n")


def _kept(name: str) -> Path:
    return KEPT / f"{name}.json"


def _module(name: str, again: bool, inside: bool) -> Module:
    file = NAMED.get(name, RULES / f"{name}.py")
    if not file.exists():
        raise SystemExit(f"no module {name!r} in {RULES.relative_to(ROOT)} and {TABLE.relative_to(ROOT)}")
    tree = ast.parse(file.read_text())
    mutants = [one for one in mutants_of(tree) if one.inside or not inside]
    if again:
        kept = set(json.loads(_kept(name).read_text()))
        mutants = [one for one in mutants if one.name in kept]
    return Module(name, str(file), tree, mutants, _same(name))


def _same(module: str) -> dict[str, str]:
    """The mutants of a module that come to the same result, by name, with the reasons: ``module: name | reason``."""
    found = {}
    for line in SAME.read_text().splitlines():
        of, _, rest = line.partition(": ")
        name, _, reason = rest.rpartition(" | ")
        if of == module and not line.startswith("#"):
            found[name] = reason
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "module",
        nargs="*",
        help="modules of kiosk/rules and kiosk/table without .py; all of the rules but those of words by default",
    )
    parser.add_argument("--again", action="store_true", help="only the survivors of the last run of these modules")
    parser.add_argument("--inside", action="store_true", help="only what is changed in functions")
    parser.add_argument("--tests", nargs="+", default=["tests/rules"], help="test files or folders")
    parser.add_argument("--examples", type=int, default=10, help="of a property (default 10)")
    parser.add_argument(
        "-m", dest="marked", default="", help="only tests with these marks, as pytest has it (such as fast)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at once (default 1)")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of tests for a mutant at most; the slowest are left out (default 2)"
    )
    given = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    names = given.module or sorted(FILES)
    modules = [_module(name, given.again, given.inside) for name in names]
    run = Run(modules, given.tests, given.seconds, given.examples, given.jobs)
    run.some = given.again or given.inside
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # A folder without tests: those of the project import kiosk, which only the forked processes may do.
    options = ["docs", "-p", "no:cacheprovider", "-o", "addopts=", "--import-mode=importlib"]
    options += ["-m", given.marked] if given.marked else []
    main_process = os.getpid()
    pytest.main([*options, "-W", "ignore::pytest.PytestAssertRewriteWarning"], plugins=[run])
    if os.getpid() != main_process:
        os._exit(1)  # a forked process that failed, as pytest has said
    if run.error:
        raise SystemExit(run.error)
    run.summary()


if __name__ == "__main__":
    main()
