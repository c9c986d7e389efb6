"""Make the notes of the entry desk from what somebody asks for, by the roll as it stands when it is noted.

Several people work there at once: who comes second hears what is so already, and nobody's work is undone by chance.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from kiosk.errors import BadNote, shorten
from kiosk.tournament import roll
from kiosk.tournament.notes import Noted
from kiosk.tournament.overtaken import NEVER, overtaken
from kiosk.tournament.people import Person
from kiosk.tournament.tournament import Tournament

#: For each round the names that are on tables' lists.
Played = Mapping[int, Collection[str]]

#: Keys of the note ``person`` that change something, and the value that somebody has now.
_NOW: dict[str, Callable[[Person], object]] = {
    "to": lambda one: one.name,
    "number": lambda one: one.number,
    "club": lambda one: one.club,
    "paid": lambda one: one.paid_ms is not None,
    "substitute": lambda one: one.substitute,
    "gone": lambda one: one.gone_ms is not None,
    "came": lambda one: one.checked_in_ms,
}


def desk_note(
    tournament: Tournament,
    wish: Mapping[str, Any],
    played: Played,
    notes: Callable[[], Sequence[Noted]] = tuple,
) -> dict[str, Any]:
    """Make the note for a wish of the entry desk; of several people only those that it changes are named.

    :param wish: a note of ``NOTES`` as the page asks for it; whoever is called otherwise since, or was found to be
        the same as somebody else, is meant by the earlier name, too.
    :param notes: reads all notes of the tournament, to say who was faster.
    :raises BadNote: it is so already, somebody has changed it meanwhile, or lists stand on it.
    """
    kind = str(wish.get("note"))
    if kind in _OF_KNOWN:
        wish = _as_called_today(tournament, wish)
    return _person(tournament, wish, notes) if kind == "person" else _MAKERS[kind](tournament, wish, played)


def _as_called_today(tournament: Tournament, wish: Mapping[str, Any]) -> Mapping[str, Any]:
    """The wish with today's names: another page may have renamed or merged people a moment ago."""

    def today(name: object) -> object:
        return tournament.aliases.get(name, name) if isinstance(name, str) and name not in tournament.people else name

    names = wish.get("names")
    named = {"name": today(wish["name"])} if "name" in wish else {}
    return {**wish, **named, **({"names": [today(name) for name in names]} if isinstance(names, list) else {})}


def _enter(tournament: Tournament, wish: Mapping[str, Any], _played: Played) -> dict[str, Any]:
    for name in wish.get("names") or ():
        now = tournament.aliases.get(" ".join(str(name).split()))
        if now is not None:
            raise BadNote(
                "known_as",
                f"name {shorten(name)}: {now!r} was called so, and lists under that name are theirs; write it "
                "otherwise",
                name=str(name),
                now=now,
            )
    return {key: wish[key] for key in ("note", "names", "substitute", "here") if key in wish}


def _check_in(tournament: Tournament, wish: Mapping[str, Any], _played: Played) -> dict[str, Any]:
    people = roll.named(tournament.people, wish)
    if "came" not in wish:  # who is here stays so since then, whoever presses again
        fresh = [one for one in people if one.checked_in_ms is None or one.gone_ms is not None]
        if not fresh:
            raise BadNote(
                "here_already",
                f"{shorten(people[0].name)} is here already",
                name=people[0].name,
                at=people[0].checked_in_ms,
            )
        people = fresh
    return {"note": "check_in", **_names(people), **({"came": wish["came"]} if "came" in wish else {})}


def _those_changed(code: str, stays: Callable[[Person, Mapping[str, Any]], bool]) -> Callable[..., dict[str, Any]]:
    def make(tournament: Tournament, wish: Mapping[str, Any], _played: Played) -> dict[str, Any]:
        people = roll.named(tournament.people, wish)
        changed = [one for one in people if not stays(one, wish)]
        if not changed:
            raise BadNote(code, f"{shorten(people[0].name)}: it is so already", name=people[0].name)
        values = {key: wish[key] for key in ("paid", "club", "substitute") if key in wish}
        return {"note": wish["note"], **_names(changed), **values}

    return make


def _numbers(tournament: Tournament, wish: Mapping[str, Any], _played: Played) -> dict[str, Any]:
    """Give the smallest free numbers to those without one, by name; or the ones that are wished."""
    if "numbers" in wish:
        return {"note": "numbers", "numbers": wish["numbers"]}
    people = roll.named(tournament.people, wish) if "names" in wish else list(tournament.people.values())
    without = sorted((one.name for one in people if one.number is None), key=str.casefold)
    if not without:
        raise BadNote("numbered", "everybody has a start number already")
    numbers = roll.free_numbers(tournament.people, len(without))
    return {"note": "numbers", "numbers": dict(zip(without, numbers, strict=True))}


def _person(tournament: Tournament, wish: Mapping[str, Any], notes: Callable[[], Sequence[Noted]]) -> dict[str, Any]:
    """What is changed of one person; ``was`` has the values that the page showed."""
    one = tournament.person(wish.get("name"))
    said = wish.get("was")
    was: Mapping[str, object] = said if isinstance(said, dict) else {}
    changes = {key: wish[key] for key, now in _NOW.items() if key in wish and wish[key] != now(one)}
    if any(key in was and was[key] != _NOW[key](one) for key in changes):
        raise overtaken(one.name, NEVER, lambda note: one.name in map(tournament.called, _named_in(note)), notes())
    if not changes:
        raise BadNote("same_already", f"{shorten(one.name)}: nothing was changed", name=one.name)
    if "to" in changes:
        _enter(tournament, {"names": [changes["to"]]} if tournament.called(str(changes["to"])) != one.name else {}, {})
    return {"note": "person", "name": one.name, **changes}


def _named_in(note: Mapping[str, Any]) -> list[str]:
    """The people whom a note on the roll changes, by the names of its time."""
    if note.get("note") not in UNDOABLE:
        return []
    named = [note.get("name"), note.get("other"), note.get("to"), *(note.get("names") or ())]
    named += [*(note.get("numbers") or ()), *(one.get("name") for one in note.get("people") or ())]
    return [name for name in named if isinstance(name, str)]


def _merge(tournament: Tournament, wish: Mapping[str, Any], played: Played) -> dict[str, Any]:
    one, other = tournament.person(wish.get("name")).name, tournament.person(wish.get("other")).name
    for round_, names in sorted(played.items()):
        now = {tournament.called(name) for name in names}
        if one != other and one in now and other in now:
            raise BadNote(
                "both_played",
                f"{shorten(one)} and {shorten(other)} are both on lists of round {round_}: they are two people",
                one=one,
                other=other,
                round=round_,
            )
    return {"note": "merge", "name": one, "other": other}


def _remove(tournament: Tournament, wish: Mapping[str, Any], played: Played) -> dict[str, Any]:
    people = roll.named(tournament.people, wish)
    paid = next((one.name for one in people if one.paid_ms is not None and tournament.purse.fees), None)
    if paid is not None:
        raise BadNote(
            "has_paid",
            f"{paid!r} has paid the entry fee, which is in the cash book; give it back and note that first",
            name=paid,
        )
    for round_, names in sorted(played.items()):
        now = {tournament.called(name) for name in names}
        found = next((one.name for one in people if one.name in now), None)
        if found is not None:
            raise BadNote(
                "has_played",
                f"{found!r} is on a list of round {round_}; say that they have left, or merge the two entries",
                name=found,
                round=round_,
            )
    return {"note": "remove", "names": [one.name for one in people]}


def _names(people: list[Person]) -> dict[str, Any]:
    """One person as older files have it, several as a list."""
    return {"name": people[0].name} if len(people) == 1 else {"names": [one.name for one in people]}


_MAKERS: dict[str, Callable[[Tournament, Mapping[str, Any], Played], dict[str, Any]]] = {
    "enter": _enter,
    "check_in": _check_in,
    "check_out": _those_changed("same_already", lambda one, _wish: one.checked_in_ms is None),
    "mark": _those_changed("same_already", lambda one, wish: one.substitute == bool(wish.get("substitute"))),
    "gone": _those_changed("same_already", lambda one, _wish: one.gone_ms is not None),
    "back": _those_changed("same_already", lambda one, _wish: one.gone_ms is None),
    "fee": _those_changed("fee_already", lambda one, wish: (one.paid_ms is not None) == bool(wish.get("paid"))),
    "club": _those_changed("same_already", lambda one, wish: one.club == wish.get("club")),
    "numbers": _numbers,
    "merge": _merge,
    "remove": _remove,
}

#: Names of the notes that the entry desk makes, one by one.
NOTES = frozenset(_MAKERS) | {"person"}

#: All that may be undone by who may make it.
UNDOABLE = NOTES | {"register", "rename"}

#: Those of them that name people who are known, and say nothing of others.
_OF_KNOWN = NOTES - {"enter", "numbers", "merge", "remove"}
