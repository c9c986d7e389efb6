"""Say what each kind of account may do."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Role: TypeAlias = Literal["director", "referee", "desk", "viewer"]

#: Kinds of accounts, the one that may most first: direction, referee, entry desk, who only looks.
ROLES: Final[tuple[Role, ...]] = ("director", "referee", "desk", "viewer")

Act: TypeAlias = Literal["look", "enter", "cash", "order", "direct"]

#: Act → the kinds of accounts that may do it.
_MAY: Final[Mapping[Act, frozenset[Role]]] = {
    "look": frozenset(ROLES),
    "enter": frozenset({"director", "desk"}),  # people: enter, check in, correct
    "cash": frozenset({"director", "desk"}),  # see the cash book, note payments
    "order": frozenset({"director", "referee"}),  # one table: rulings, corrections, calls
    "direct": frozenset({"director"}),  # everything else
}


def may(role: Role, act: Act) -> bool:
    """Report whether an account of this kind may do that."""
    return role in _MAY[act]


def acts_of(role: Role) -> list[Act]:
    """List all that an account of this kind may do."""
    return [act for act in _MAY if may(role, act)]
