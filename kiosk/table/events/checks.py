"""Check the values of a body's keys: each function reports whether a JSON value is of its kind."""

from collections.abc import Callable

#: No number at a table is larger (points, minutes, tables, rounds).
LARGEST_NUMBER = 1_000_000
#: No time is later: the year 5138.
LATEST_MS = 100_000_000_000_000
#: Who corrects; table: a finger on its screen, all: all four have touched their seats.
PERSONS = ("composition", "camera", "referee", "table", "all", "direction")


def is_whole(value: object) -> bool:
    return type(value) is int and -LARGEST_NUMBER <= value <= LARGEST_NUMBER


def is_count(value: object) -> bool:
    return type(value) is int


def is_time(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= LATEST_MS  # type: ignore[operator]


def is_seat(value: object) -> bool:
    return type(value) is int and 1 <= value <= 5


def is_line_number(value: object) -> bool:
    return type(value) is int and value >= 0


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_flag(value: object) -> bool:
    return isinstance(value, bool)


def is_number(value: object) -> bool:
    return type(value) in (int, float) and -LARGEST_NUMBER <= value <= LARGEST_NUMBER  # type: ignore[operator]


def is_object(value: object) -> bool:
    return isinstance(value, dict)


def is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def are_two_seats(value: object) -> bool:
    return are_seats(value) and len(set(value)) == len(value) == 2  # type: ignore[arg-type,call-overload]


def are_seats(value: object) -> bool:
    return isinstance(value, list) and all(is_seat(one) for one in value)


def are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


def are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def by_seat(kind: Callable[[object], bool]) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        return isinstance(value, dict) and all(k in ("1", "2", "3", "4", "5") and kind(v) for k, v in value.items())

    return fits


def are_seats_of_cards(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(_is_line(k) and is_seat(v) for k, v in value.items())


def _is_line(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < 10


def one_of(*words: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in words


def or_null(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or fits(value)


def is_person(value: object) -> bool:
    return value in PERSONS or value in ("seat 1", "seat 2", "seat 3", "seat 4", "seat 5")


def are_numbers(value: object) -> bool:
    """Report whether it is a list of numbers."""
    return isinstance(value, list) and all(type(one) in (int, float) for one in value)


def is_place(value: object) -> bool:
    """Report whether it is a point [x, y]."""
    return are_numbers(value) and len(value) == 2  # type: ignore[arg-type]
