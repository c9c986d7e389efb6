"""The mutants of a module: it with one operator, constant, condition or call changed.

Not mutated: docstrings, annotations, asserts (they narrow types), arguments of decorators, ``field`` and ``TypeVar``,
prose (titles, the words of an error text; but the values in it are).
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
SKIPPED = {"title", "source", "meaning", "strict"}  # prose; that zip has equals is an assertion


class Mutant(NamedTuple):
    """One change of a module."""

    lines: range  # of the statement, for compound ones of their head
    line: int
    change: str  # what it is, for people
    apply: Callable[[], Callable[[], None]]  # makes it in the tree; the result takes it back
    inside: bool  # of a function
    where: str  # the functions and classes around it, "" for the module itself
    again: int = 1  # the how-manieth such change there

    @property
    def key(self) -> str:
        return f"{self.line}: {self.change}"

    @property
    def name(self) -> str:
        """What it is called however many lines come before it."""
        return f"{self.where or 'module'}: {self.change}" + (f" ({self.again})" if self.again > 1 else "")


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
        self.around: list[str] = []
        self.raising = False

    def add(self, node: Any, field: str, new: Any, change: str) -> None:
        """A mutant that sets a field of a node."""

        def apply() -> Callable[[], None]:
            old = getattr(node, field)
            setattr(node, field, new)
            return lambda: setattr(node, field, old)

        assert self.statement is not None
        line = getattr(node, "lineno", self.statement.lineno)
        self.found.append(Mutant(_head(self.statement), line, change, apply, self.depth > 0, ".".join(self.around)))

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
        self.found.append(
            Mutant(_head(self.statement), node.lineno, change, apply, self.depth > 0, ".".join(self.around))
        )

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
        named = [node.name] if isinstance(node, ast.FunctionDef) else []
        self.around += named
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(part)
        del self.around[len(self.around) - len(named) :]
        self.depth -= 1

    visit_FunctionDef = visit_Lambda = _function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.around.append(node.name)
        for part in node.body:
            self.visit(part)
        self.around.pop()

    def visit_Assign(self, node: ast.Assign) -> None:
        if ast.unparse(node.targets[0]) != "__all__":
            self.visit(node.value)

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
        if not (
            isinstance(node.func, ast.Name) and node.func.id in ("field", "TypeVar")
        ):  # what equality and repr leave out
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in SKIPPED:
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
    found, before = [], Counter[str]()
    for one in sorted(finder.found, key=lambda one: one.line):
        before[one.name] += 1
        found.append(one._replace(again=before[one.name]))
    return found
