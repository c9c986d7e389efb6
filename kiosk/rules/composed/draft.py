"""Make the best of a book that is being written: all that is wrong with it, and the book without that."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from kiosk.rules.composed.file import BadBook, Key, Source
from kiosk.rules.composed.make import check_name, compose
from kiosk.rules.engine.book import RuleBook

#: Errors that are looked for at once.
_MOST = 40

#: What stands for a name, a title or a source that is missing.
_UNNAMED, _EMPTY = "buch", "–"


@dataclass(frozen=True, slots=True)
class Draft:
    """A book that is being written."""

    book: RuleBook | None  # without what is wrong with it; None: nothing can be made of it
    errors: tuple[BadBook, ...]

    @property
    def done(self) -> bool:
        """Whether it can be played by as it stands."""
        return self.book is not None and not self.errors


def drafted(name: str, content: Mapping[str, Any]) -> Draft:
    """Make a book of a content as far as that can be: what an error is about is left out, and the rest tried again."""
    errors: list[BadBook] = []
    source = Source(name[:40])
    try:
        check_name(name, source)
    except BadBook as error:
        errors.append(error)
        name = _UNNAMED
    rest = deepcopy(dict(content))
    for _ in range(_MOST):
        try:
            return Draft(compose(name, rest, source), tuple(errors))
        except BadBook as error:
            if not _follows(error, errors):
                errors.append(error)
            if not any(_leave_out(rest, key) for key in (error.key, *filter(None, [error.with_key]))):
                break
    return Draft(None, tuple(errors))


def _follows(error: BadBook, before: Sequence[BadBook]) -> bool:
    """Whether it is there only because what an earlier one is about was left out, and the base's stands there now."""
    known = {key for one in before for key in (one.key, one.with_key)}
    keys = (error.key, error.with_key)
    return ("base",) in keys and any(key in known for key in keys if key and key != ("base",))


def _leave_out(content: dict[str, Any], key: Key) -> bool:
    """Leave out what stands under a key; return False where nothing does."""
    if not key:  # it is about the whole: what takes most room is left out
        return content.pop("rule", None) is not None
    if key in (("title",), ("source",)):
        return content.get(str(key[0])) != _EMPTY and bool(content.update({str(key[0]): _EMPTY}) or True)
    match key:
        case "rule", int(place), *_:
            content["rule"] = content["rule"][:place]  # those behind it keep their places until it is put right
            return True
    part: Any = content
    for step in key[:-1]:
        if not isinstance(part.get(step), dict):
            key = key[: key.index(step) + 1]
            break
        part = part[step]
    if key == ("base",) or key[-1] not in part:
        return False
    del part[key[-1]]
    return True
