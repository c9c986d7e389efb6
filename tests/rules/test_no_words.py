"""The rules hold codes and values; words for people stand in the catalogues (kiosk/language)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "kiosk" / "rules"
#: Files that read what a club has written; their errors are for who writes it, made before they are raised.
OF_FILES = {RULES / "composed" / name for name in ("file.py", "games.py", "make.py", "own_rules.py", "schafkopf.py")}
FILES = sorted(set(RULES.rglob("*.py")) - OF_FILES)

#: Parts of errors for who develops or sets up, made before they are raised; what a book calls a section.
FOR_OTHERS = {"; did you mean ", " is to lay", "no card lies", "the last card laid is ", " of seat "}
SECTIONS = {"Strafen für 'Zu-Spät-Kommen'", "Regelverstösse"}


def is_said(text: str) -> bool:
    """Whether it reads like words for people: a German letter, or several words."""
    return bool(re.search("[äöüÄÖÜß]", text)) or (len(re.findall(r"\b[A-Za-z]?[a-z]{2,}\b", text)) > 1 and " " in text)


def _for_others(node: ast.AST) -> Iterator[ast.AST]:
    """Texts that are not for people at a table: docstrings, types, errors, what a book is called."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    elif isinstance(node, ast.Raise | ast.Assert) or (
        isinstance(node, ast.keyword) and node.arg in ("title", "source")
    ):
        yield from ast.walk(node)
    elif isinstance(node, ast.FunctionDef) and node.returns is not None:
        yield from ast.walk(node.returns)
    elif isinstance(node, ast.AnnAssign):
        named = ast.unparse(node.annotation) == "TypeAlias"
        yield from ast.walk(node if named else node.annotation)


def words_in(source: str) -> list[tuple[int, str]]:
    """Words for people, each with its line."""
    nodes = list(ast.walk(ast.parse(source)))
    left_out = {id(one) for node in nodes for one in _for_others(node)}
    texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    said = [(one.lineno, str(one.value)) for one in texts if id(one) not in left_out and is_said(str(one.value))]
    return [(line, text) for line, text in said if text not in FOR_OTHERS | SECTIONS]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(RULES)))
def test_no_words_for_people_stand_in_the_rules(path: Path) -> None:
    assert words_in(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    ["TEXT = ('wer zuletzt gibt', 'the last dealer')", "def f(n):\n    return f'{n} cards in hand'", "{0: 'für'}"],
    ids=["a pair", "with a number", "a German letter"],
)
def test_words_are_found(source: str) -> None:
    assert words_in(source)
