"""Keep the roll of a tournament: who takes part, who is here, by which start number, from which club, who has paid.

Each note changes the roll alone and whole, or is refused. Notes that concern seats and lists as well (another name, two
entries made one, somebody taken out) are in ``kiosk.tournament.tournament``.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from kiosk.errors import BadNote, shorten
from kiosk.tournament.people import LARGEST_NUMBER, Person, clean_club, clean_name

#: People by name, in the order of entry.
Roll: TypeAlias = Mapping[str, Person]


def noted(roll: Roll, note: Mapping[str, Any], at_ms: int) -> Roll:
    """Return the roll after one more note, one of ``NOTES``.

    :param at_ms: when it was noted, ms since the epoch.
    :raises BadNote: it cannot be as the roll stands.
    :raises BadName: a name that cannot be used.
    """
    return _CHANGES[str(note.get("note"))](roll, note, at_ms)


def person(roll: Roll, name: object) -> Person:
    """Return a person who was entered.

    :raises BadNote: nobody of that name was.
    """
    if not isinstance(name, str) or name not in roll:
        raise BadNote("unknown_person", f"{shorten(name)} does not take part; enter the name first", name=str(name))
    return roll[name]


def named(roll: Roll, note: Mapping[str, Any]) -> list[Person]:
    """Return the people whom a note names, by ``names`` or ``name``, each once.

    :raises BadNote: it names nobody, or somebody who does not take part.
    """
    names = note.get("names", [note.get("name")])
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise BadNote("unknown_person", f"names {shorten(names)}: a list of people is wanted", name="–")
    return [person(roll, name) for name in dict.fromkeys(names)]


def with_details(roll: Roll, one: Person, note: Mapping[str, Any], at_ms: int) -> Person:
    """Return a person with what a note says of them; what it does not say stays.

    :param note: some of ``number``, ``club``, ``paid``, ``substitute``, ``gone``, ``came`` (ms since 1970, or None).
    :raises BadNote: a value that cannot be; a number that somebody else has.
    """
    if "number" in note:
        one = replace(one, number=_free(roll, one.name, note["number"]))
    if "club" in note:
        one = replace(one, club=clean_club(note["club"]))
    if "paid" in note:
        one = _paid(one, bool(note["paid"]), at_ms)
    if "substitute" in note:
        one = replace(one, substitute=bool(note["substitute"]))
    if "came" in note:
        one = replace(one, checked_in_ms=None if note["came"] is None else _time(note["came"]))
    if "gone" in note:
        one = replace(one, gone_ms=(one.gone_ms or at_ms) if note["gone"] else None)
    return one


def free_numbers(roll: Roll, people: int) -> list[int]:
    """List so many start numbers that nobody has, the smallest ones."""
    taken = {one.number for one in roll.values()}
    return [number for number in range(1, people + len(taken) + 1) if number not in taken][:people]


# what each note changes


def _enter(roll: Roll, note: Mapping[str, Any], at: int) -> Roll:
    names = note.get("names")
    if not isinstance(names, list) or not names:
        raise BadNote("no_name", "no names were given; write each person's name on a line of its own")
    here, found = at if note.get("here") else None, dict(roll)
    for name in names:
        one = Person(name=clean_name(name, found), substitute=bool(note.get("substitute")), checked_in_ms=here)
        found[one.name] = one
    return found


def _register(roll: Roll, note: Mapping[str, Any], at: int) -> Roll:
    """People with all that a list says of them: who is not on the roll is added, of the others what is said is set."""
    entries = note.get("people")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise BadNote("no_name", "nobody is in that list; choose the column with the names")
    found = dict(roll)
    known = {name.casefold() for name in roll}
    for entry in entries:
        name = entry.get("name")
        if name not in found:
            name = clean_name(name, found if str(name).casefold() in known else ())
            known.add(name.casefold())
            found[name] = Person(name=name)
        found[name] = with_details(found, found[name], entry, at)
    return found


def _check_in(roll: Roll, note: Mapping[str, Any], at: int) -> Roll:
    came = _time(note.get("came", at))
    return _changed(roll, note, lambda one: replace(one, checked_in_ms=came, gone_ms=None))


def _check_out(roll: Roll, note: Mapping[str, Any], _at: int) -> Roll:
    return _changed(roll, note, lambda one: replace(one, checked_in_ms=None))


def _mark(roll: Roll, note: Mapping[str, Any], _at: int) -> Roll:
    return _changed(roll, note, lambda one: replace(one, substitute=bool(note.get("substitute"))))


def _gone(roll: Roll, note: Mapping[str, Any], at: int) -> Roll:
    return _changed(roll, note, lambda one: replace(one, gone_ms=at))


def _back(roll: Roll, note: Mapping[str, Any], _at: int) -> Roll:
    return _changed(roll, note, lambda one: replace(one, gone_ms=None))


def _fee(roll: Roll, note: Mapping[str, Any], at: int) -> Roll:
    return _changed(roll, note, lambda one: _paid(one, bool(note.get("paid")), at))


def _club(roll: Roll, note: Mapping[str, Any], _at: int) -> Roll:
    club = clean_club(note.get("club"))
    return _changed(roll, note, lambda one: replace(one, club=club))


def _numbers(roll: Roll, note: Mapping[str, Any], _at: int) -> Roll:
    numbers = note.get("numbers")
    if not isinstance(numbers, dict) or not numbers:
        raise BadNote("malformed", f"numbers {shorten(numbers)}: start numbers by name are wanted")
    found = dict(roll)
    for name in numbers:
        found[name] = replace(person(roll, name), number=None)
    for name, number in numbers.items():
        found[name] = replace(found[name], number=_free(found, name, number))
    return found


def _changed(roll: Roll, note: Mapping[str, Any], change: Callable[[Person], Person]) -> Roll:
    return {**roll, **{one.name: change(one) for one in named(roll, note)}}


def _paid(one: Person, paid: bool, at: int) -> Person:
    """Who has paid already did so when it was noted first; of two payments the later one is given back first."""
    if not paid:
        return with_payments(one, one.payments_ms[:-1])
    return one if one.payments_ms else with_payments(one, (at,))


def with_payments(one: Person, at_ms: tuple[int, ...]) -> Person:
    """Return a person who has paid the entry fee at these times, in order."""
    return replace(one, paid_ms=at_ms[0] if at_ms else None, paid_again_ms=at_ms[1:])


def _free(roll: Roll, name: str, number: object) -> int | None:
    if number is None:
        return None
    if type(number) is not int or not 1 <= number <= LARGEST_NUMBER:
        raise BadNote(
            "odd_number",
            f"start number {shorten(number)}: a number from 1 to {LARGEST_NUMBER} is wanted",
            most=LARGEST_NUMBER,
        )
    other = next((one.name for one in roll.values() if one.number == number and one.name != name), None)
    if other is not None:
        raise BadNote(
            "number_taken",
            f"start number {number}: {shorten(other)} has it; give another one, or take it from there first",
            number=number,
            name=other,
        )
    return number


def _time(came: object) -> int:
    if type(came) is not int or came < 0:
        raise BadNote("malformed", f"time {shorten(came)}: milliseconds since 1970 are wanted")
    return came


_CHANGES: dict[str, Callable[[Roll, Mapping[str, Any], int], Roll]] = {
    "enter": _enter,
    "register": _register,
    "check_in": _check_in,
    "check_out": _check_out,
    "mark": _mark,
    "gone": _gone,
    "back": _back,
    "fee": _fee,
    "club": _club,
    "numbers": _numbers,
}

#: Names of the notes that change the roll alone.
NOTES = frozenset(_CHANGES)
