"""Define texts without their words: codes of the catalogues with what is filled in (words: ``describe.told``)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Words:
    """Words by subject and code, with what is filled in by place; a number decides between a text's two forms."""

    subject: str
    code: str
    fill: tuple[tuple[str, "Words | Joined | str | int"], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.code, *(f"{place}={value}" for place, value in self.fill)))


@dataclass(frozen=True, slots=True)
class Joined:
    """Texts in a row."""

    parts: tuple["Words | Joined | str", ...]
    between: "Words | Joined | str"


#: Words by their code, several texts in a row, or what is the same in every language.
Text: TypeAlias = Words | Joined | str

#: What is filled in; of a number the catalogue may have a form of its own for 1.
Filling: TypeAlias = Words | Joined | str | int


def join(parts: Sequence[Text], between: Text = ", ") -> Joined:
    """Join several texts."""
    return Joined(tuple(parts), between)
