"""Compute a tournament's state from the file's values and the director's notes.

``Tournament`` is a value. ``begin`` makes it from the file, ``after`` gives it after one more note, so that everything
is computed from the notes, as a table's round is from its events. A note is a dict with the key ``note``; those that
are not known here belong to somebody else (payments, say) and change nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from typing import Any

from kiosk.errors import BadNote, LocalisedError, shorten
from kiosk.rules.books import BOOKS, DEFAULT
from kiosk.rules.engine.book import RuleBook
from kiosk.table.scoresheet.berichtigung import NOTES
from kiosk.tournament import berichtigung, notice_board, programme, purse, roll, seat_wishes
from kiosk.tournament.berichtigung import ListNotes
from kiosk.tournament.notes import Noted
from kiosk.tournament.notice_board import NoticeBoard
from kiosk.tournament.overtaken import WHOLE
from kiosk.tournament.own_books import books_of
from kiosk.tournament.people import Person, Replaced, clean_name
from kiosk.tournament.programme import PROGRAMME, PlannedRound
from kiosk.tournament.purse import PURSE, Purse
from kiosk.tournament.round_rules import RoundRules, settled, takes
from kiosk.tournament.seat_wishes import SEAT_WISHES, SeatWishes

#: Rounds of a tournament whose book and direction do not say how many.
ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """The seats of everybody in one round."""

    round: int
    seats: Mapping[int, tuple[str, ...]]  # table → names, seat 1 first
    seed: str = ""  # of the draw; "": made by hand
    kind: str = ""  # of the draw; "": not noted
    finalists: tuple[str, ...] = ()  # of a final: who plays for the first places
    together: tuple[tuple[str, ...], ...] = ()  # pairs who were to be kept apart and could not
    moved: tuple[str, ...] = ()  # who could not stay in their hall
    drawn: int = -1  # number of the note of the draw
    changed: int = -1  # number of the last note that changed a seat
    mended: bool = False  # changed by hand since it was drawn
    published: bool = False  # the tables have it

    def table_of(self, name: str) -> tuple[int, int] | None:
        """Find table and seat of a person; None if they have none."""
        for table, names in self.seats.items():
            if name in names:
                return table, names.index(name) + 1
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Court:
    """The Schiedsgericht sits over a table's case: a break of play (bsv 9.6)."""

    round: int
    table: int  # whose case it is
    tables: tuple[int, ...]  # at which members of the court play
    since_ms: int  # ms since the epoch


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The state of a tournament."""

    name: str
    rules: str = DEFAULT
    options: Mapping[str, bool | str | int] = field(default_factory=dict)  # only those decided otherwise than the book
    rounds_set: int | None = None  # None: as the book says
    minutes: float | None = None  # playing time of a round; None: as book and options say
    start: time | None = None  # when the evening begins, by the wall clock
    day: date | None = None
    chosen: bool = False  # somebody has chosen the book, so the tables take it from here
    people: Mapping[str, Person] = field(default_factory=dict)  # by name, in the order of entry
    plans: Mapping[int, RoundPlan] = field(default_factory=dict)  # by round
    replaced: tuple[Replaced, ...] = ()
    courts: tuple[Court, ...] = ()  # that sit now
    aliases: Mapping[str, str] = field(default_factory=dict)  # earlier names, as on earlier lists → today's
    lists: ListNotes = field(default_factory=dict)  # what was noted of tables' lists, by round and table
    programme: Mapping[int, PlannedRound] = field(default_factory=dict)  # by round; empty: none was made
    seat_wishes: SeatWishes = field(default_factory=SeatWishes)
    purse: Purse = field(default_factory=Purse)
    series: str = ""  # over evenings, to which this one belongs; "": none
    quiet_minutes: int = 10  # without a card, after which a table is named to the direction; 0: never
    games_behind: int = 3  # behind most tables, from which one is named; 0: never
    board: NoticeBoard = field(default_factory=NoticeBoard)  # what everybody in the hall reads
    own_books: tuple[RuleBook, ...] = ()  # clubs' own that notes carried: kept, so that they are found by their names
    saved: Mapping[str, int] = field(default_factory=dict)  # value that is saved as a whole → number of its last note

    @property
    def book(self) -> RuleBook:
        """The rule book."""
        return BOOKS[self.rules]

    def rules_of(self, round_: int) -> RoundRules:
        """Return what a round is played by."""
        own = RoundRules(rules=self.rules, options=self.options, minutes=self.minutes)
        planned = self.programme.get(round_)
        return own if planned is None else planned.played_by(own)

    def finalists(self) -> frozenset[str]:
        """List who plays, or has played, a final: they have the first places."""
        plans = self.plans.values()
        return frozenset(self.called(name) for plan in plans if plan.published for name in plan.finalists)

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return len(self.programme) or self.rounds_set or self.book.rounds(self.book.settle(self.options)) or ROUNDS

    @property
    def published(self) -> RoundPlan | None:
        """The newest plan that the tables have."""
        return max((plan for plan in self.plans.values() if plan.published), key=lambda plan: plan.round, default=None)

    def present(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """List names of players and of substitutes who can be seated.

        Where the check-in is used for one of the two kinds, only those of it count who are checked in.
        """
        found = []
        out = self.disqualified()
        for substitute in (False, True):
            kind = [one for one in self.people.values() if one.substitute == substitute and one.gone_ms is None]
            kind = [one for one in kind if one.name not in out]
            used = any(one.checked_in_ms is not None for one in self.people.values() if one.substitute == substitute)
            found.append(tuple(one.name for one in kind if one.checked_in_ms is not None or not used))
        return found[0], found[1]

    def called(self, name: str) -> str:
        """Return today's name of somebody who is on a list under ``name``."""
        return self.aliases.get(name, name)

    def substitutes(self) -> frozenset[str]:
        """List names of all who are left out of the standing: entered as substitutes."""
        return frozenset(person.name for person in self.people.values() if person.substitute)

    def disqualified(self) -> frozenset[str]:
        """List names of those who are excluded from the tournament (eppstein 8.7.2 c, bsv 9.5, schaffkopf III 1.2)."""
        notes = [one.body for notes in self.lists.values() for one in notes]
        return frozenset(self.called(str(body["after"])) for body in notes if body.get("what") == "disqualified")

    def left(self, round_: int) -> frozenset[str]:
        """List names of those who were replaced during a round and so have not played it in full."""
        return frozenset(self.called(one.left) for one in self.replaced if one.round == round_)

    def start_ms(self, at_ms: int) -> int | None:
        """Return the planned start in ms since the epoch; None where no time is set.

        :param at_ms: a moment of the evening (a check-in): its day counts where the tournament has none. The machine's
            time zone.
        """
        if self.start is None:
            return None
        day = self.day or datetime.fromtimestamp(at_ms / 1000, UTC).astimezone().date()
        return int(datetime.combine(day, self.start).astimezone().timestamp() * 1000)

    def late_minutes(self, person: Person) -> int:
        """Return the whole minutes by which somebody came late; 0: in time, not here yet, or no time is set."""
        if person.checked_in_ms is None:
            return 0
        start = self.start_ms(person.checked_in_ms)
        return 0 if start is None else max(0, (person.checked_in_ms - start) // 60_000)

    def after(self, note: Mapping[str, Any], at_ms: int, number: int = -1) -> "Tournament":
        """Apply one more note to the tournament.

        :param at_ms: when it was noted, ms since the epoch.
        :param number: of the note, by which those on lists can be undone.
        :raises BadNote: it cannot be as the tournament stands; the text says why.
        :raises BadName: a name that cannot be used.
        """
        books = books_of(note)
        changed = self._after(note, at_ms, number)
        kind = str(note.get("note"))
        if books:
            changed = replace(changed, own_books=(*changed.own_books, *books))
        return replace(changed, saved={**changed.saved, kind: number}) if kind in WHOLE else changed

    def _after(self, note: Mapping[str, Any], at_ms: int, number: int) -> "Tournament":
        if note.get("note") in NOTES:
            return replace(self, lists=berichtigung.noted(self.lists, note, at_ms, number))
        if note.get("note") in roll.NOTES:
            return replace(self, people=roll.noted(self.people, note, at_ms))
        if note.get("note") in notice_board.NOTES:
            return replace(self, board=notice_board.noted(self.board, note, at_ms, number))
        change = _NOTES.get(str(note.get("note")))
        changed = self if change is None else change(self, note, at_ms)
        return changed._numbered(note, number) if note.get("note") in _SEATING else changed

    def person(self, name: object) -> Person:
        """Return a person who was entered.

        :raises BadNote: nobody of that name was.
        """
        return roll.person(self.people, name)

    def plan(self, round_: object) -> RoundPlan:
        """Return the round's plan.

        :raises BadNote: there is none.
        """
        if not isinstance(round_, int) or round_ not in self.plans:
            raise BadNote("no_plan", f"round {shorten(round_)} has no plan yet; draw the seats first")
        return self.plans[round_]

    def _with(self, person: Person) -> "Tournament":
        return replace(self, people={**self.people, person.name: person})

    def _numbered(self, note: Mapping[str, Any], number: int) -> "Tournament":
        """The plan with the number of the note that has just changed it."""
        plan = self.plan(note.get("round"))
        drawn = number if note.get("note") == "draw" else plan.drawn
        return self._planned(replace(plan, changed=number, drawn=drawn))

    def _planned(self, plan: RoundPlan) -> "Tournament":
        return replace(self, plans={**self.plans, plan.round: plan})


def begin(
    name: str,
    *,
    rules: str | None = None,
    options: Mapping[str, object] | None = None,
    rounds: int | None = None,
    minutes: float | None = None,
    start: time | None = None,
    day: date | None = None,
    people: Sequence[Person] = (),
) -> Tournament:
    """Make a tournament from its file.

    :raises BadNote: an option that the book does not have or a value it cannot take.
    :raises BadName: a name or club that cannot be used, or the same name twice.
    """
    book = BOOKS[rules or DEFAULT]
    given = dict(options or {})
    if rounds is not None and takes(book, "rounds", rounds):
        given, rounds = {"rounds": rounds, **given}, None
    if minutes is not None and takes(book, "minutes", minutes):
        five = {"minutes_5": int(minutes)} if takes(book, "minutes_5", minutes) else {}
        given, minutes = {"minutes": int(minutes), **five, **given}, None
    tournament = Tournament(
        name=name,
        rules=book.name,
        options=settled(book, given),
        rounds_set=rounds,
        minutes=minutes,
        start=start,
        day=day,
        chosen=rules is not None or bool(given) or minutes is not None,
    )
    for person in people:
        named = replace(person, name=clean_name(person.name, tournament.people))
        told = {"number": person.number, "club": person.club}
        tournament = tournament._with(roll.with_details(tournament.people, named, told, 0))
    return tournament


def folded(start: Tournament, notes: Iterable[Noted]) -> Tournament:
    """Apply all ``notes`` to the tournament.

    A note that cannot be any more, because the file was changed since, is passed over.

    :param notes: those in force (``kiosk.tournament.notes.in_force``).
    """
    return folded_with(start, notes)[0]


def folded_with(start: Tournament, notes: Iterable[Noted]) -> tuple[Tournament, tuple[int, ...]]:
    """Apply all ``notes``; beside the tournament the numbers of those that were passed over."""
    passed = []
    for one in notes:
        try:
            start = start.after(one.body, one.at, one.number)
        except LocalisedError:
            passed.append(one.number)
    return start, tuple(passed)


# what each note changes


def _setup(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    rules = note.get("rules", tournament.rules)
    if rules not in BOOKS:
        raise BadNote("malformed", f"rules {shorten(rules)}: no such book; there are {', '.join(BOOKS)}")
    anew = rules != tournament.rules or "options" in note
    options = note.get("options", {} if anew else tournament.options)
    if not isinstance(options, dict):
        raise BadNote("malformed", f"options {shorten(options)}: values by name are wanted")
    changed = replace(
        tournament,
        rules=rules,
        options=settled(BOOKS[rules], options),
        rounds_set=_number(note, "rounds", 1, 99, None if anew else tournament.rounds_set),
        minutes=_number(note, "minutes", 1, 999, None if anew else tournament.minutes),
        chosen=True,
    )
    if "start" in note:
        changed = replace(changed, start=programme.wished_time(note["start"]))
    if "day" in note:
        changed = replace(changed, day=_day(note["day"]))
    return changed


def _rename(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    person = tournament.person(note.get("name"))
    others = [name for name in tournament.people if name != person.name]
    to = clean_name(note.get("to"), others)
    people = {
        (to if name == person.name else name): (replace(person, name=to) if name == person.name else one)
        for name, one in tournament.people.items()
    }
    return _called_otherwise(replace(tournament, people=people), person.name, to)


def _person(tournament: Tournament, note: Mapping[str, Any], at: int) -> Tournament:
    """All that is changed of one person at once: another name (``to``), and what ``roll.with_details`` has."""
    person = tournament.person(note.get("name"))
    tournament = tournament._with(roll.with_details(tournament.people, person, note, at))
    return _rename(tournament, note, at) if "to" in note else tournament


def _merge(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    """Two entries are one person, known by ``name`` from now on; results and payments of both are this person's."""
    one, other = tournament.person(note.get("name")), tournament.person(note.get("other"))
    if one.name == other.name:
        raise BadNote("same_person", f"{shorten(one.name)} is one entry; choose two", name=one.name)
    together = next(
        (plan for plan in tournament.plans.values() if plan.table_of(one.name) and plan.table_of(other.name)), None
    )
    if together is not None:
        raise BadNote(
            "both_seated",
            f"{shorten(one.name)} and {shorten(other.name)} both have a seat in round {together.round}: they are two "
            "people, or the seats are to be drawn anew first",
            one=one.name,
            other=other.name,
            round=together.round,
        )
    came = [at for at in (one.checked_in_ms, other.checked_in_ms) if at is not None]
    merged = replace(
        one,
        checked_in_ms=min(came, default=None),
        gone_ms=one.gone_ms if other.gone_ms is not None else None,
        number=one.number if one.number is not None else other.number,
        club=one.club or other.club,
    )
    merged = roll.with_payments(merged, tuple(sorted((*one.payments_ms, *other.payments_ms))))
    people = {name: merged if name == one.name else person for name, person in tournament.people.items()}
    del people[other.name]
    return _called_otherwise(replace(tournament, people=people), other.name, one.name)


def _remove(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    names = {one.name for one in roll.named(tournament.people, note)}
    for plan in tournament.plans.values():
        seated = sorted(name for name in names if plan.table_of(name))
        if seated:
            raise BadNote(
                "seated",
                f"{seated[0]!r} has a seat in round {plan.round}; draw again without them, or say that they have left",
                name=seated[0],
                round=plan.round,
            )
    return replace(tournament, people={name: one for name, one in tournament.people.items() if name not in names})


def _called_otherwise(tournament: Tournament, before: str, to: str) -> Tournament:
    """The same with somebody's places and earlier names under the name they have now."""
    plans = {
        number: replace(
            plan,
            seats={
                table: tuple(to if name == before else name for name in names) for table, names in plan.seats.items()
            },
        )
        for number, plan in tournament.plans.items()
    }
    aliases = {old: to if new == before else new for old, new in tournament.aliases.items()}
    aliases = {old: new for old, new in {**aliases, before: to}.items() if old != new}
    return replace(tournament, plans=plans, aliases=aliases)


def _draw(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    round_ = _round(tournament, note)
    seats = note.get("seats")
    if not isinstance(seats, dict) or not seats:
        raise BadNote("malformed", f"seats {shorten(seats)}: names by table are wanted")
    if round_ in tournament.plans and tournament.plans[round_].published:
        raise BadNote(
            "published",
            f"the tables have the plan of round {round_} already; take it back before you draw again",
            round=round_,
        )
    for names in seats.values():
        for name in names:
            tournament.person(name)
    plan = RoundPlan(
        round=round_,
        seats={int(table): tuple(names) for table, names in seats.items()},
        seed=str(note.get("seed", "")),
        kind=str(note.get("kind", "")),
        finalists=tuple(note.get("finalists", ())),
        together=tuple(tuple(pair) for pair in note.get("together", ())),
        moved=tuple(note.get("moved", ())),
    )
    return tournament._planned(plan)


def _reseat(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    """Who came or left after the draw is seated or taken out; all others keep their places as far as can be."""
    plan = tournament.plan(note.get("round"))
    seats = note.get("seats")
    if not isinstance(seats, dict) or not seats:
        raise BadNote("malformed", f"seats {shorten(seats)}: names by table are wanted")
    for name in (name for names in seats.values() for name in names):
        tournament.person(name)
    return tournament._planned(
        replace(plan, seats={int(table): tuple(names) for table, names in seats.items()}, mended=True)
    )


def _set_programme(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    made = programme.noted(note, tournament.rules)
    sent = max((plan.round for plan in tournament.plans.values() if plan.published), default=0)
    if made and len(made) < sent:
        raise BadNote("round_sent", f"the tables have the plan of round {sent}; a programme needs as many rounds",
                      rounds=sent)  # fmt: skip
    return replace(tournament, programme=made, chosen=True)


def _set_seat_wishes(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    return replace(tournament, seat_wishes=seat_wishes.noted(note, tournament.people))


def _swap(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    """Two people change places; one who has no place takes the other's, who has none then."""
    plan = tournament.plan(note.get("round"))
    one, other = (tournament.person(note.get(key)).name for key in ("one", "other"))
    if one == other:
        raise BadNote("same_person", f"{shorten(one)} cannot change places with himself; choose two people")
    if plan.table_of(one) is None and plan.table_of(other) is None:
        raise BadNote(
            "no_place",
            f"neither {shorten(one)} nor {shorten(other)} has a place in round {plan.round}",
            one=one,
            other=other,
        )
    swapped = {one: other, other: one}
    seats = {table: tuple(swapped.get(name, name) for name in names) for table, names in plan.seats.items()}
    return tournament._planned(replace(plan, seats=seats, mended=True))


def _publish(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    return tournament._planned(replace(tournament.plan(note.get("round")), published=True))


def _withdraw(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    return tournament._planned(replace(tournament.plan(note.get("round")), published=False))


def _substituted(tournament: Tournament, note: Mapping[str, Any], at: int) -> Tournament:
    """Somebody left a table during a round and somebody else came; who was not entered before is a substitute."""
    came = note.get("came")
    if not isinstance(came, str) or came not in tournament.people:
        tournament = tournament._with(Person(name=clean_name(came, tournament.people), substitute=True))
        came = list(tournament.people)[-1]
    left = str(note.get("left", ""))
    if left == came:
        raise BadNote("same_person", f"{shorten(came)} cannot replace himself; name somebody else")
    tournament = tournament._with(replace(tournament.people[came], gone_ms=None))
    if left in tournament.people:
        tournament = tournament._with(replace(tournament.people[left], gone_ms=at))
    one = Replaced(
        round=_whole(note, "round"),
        table=_whole(note, "table"),
        seat=_whole(note, "seat"),
        left=left,
        came=came,
        at_ms=at,
    )
    return replace(tournament, replaced=(*tournament.replaced, one))


def _court(tournament: Tournament, note: Mapping[str, Any], at: int) -> Tournament:
    round_, table = _whole(note, "round"), _whole(note, "table")
    if any((court.round, court.table) == (round_, table) for court in tournament.courts):
        raise BadNote("court", f"the Schiedsgericht sits over table {table} already; end it with its decision")
    tables = note.get("tables", [])
    if not isinstance(tables, list) or not all(type(one) is int for one in tables):
        raise BadNote("malformed", f"tables {shorten(tables)}: a list of table numbers is wanted")
    court = Court(round=round_, table=table, tables=tuple(one for one in tables if one != table), since_ms=at)
    return replace(tournament, courts=(*tournament.courts, court))


def _court_ends(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    round_, table = _whole(note, "round"), _whole(note, "table")
    left = tuple(court for court in tournament.courts if (court.round, court.table) != (round_, table))
    if len(left) == len(tournament.courts):
        raise BadNote("no_court", f"no Schiedsgericht sits over table {table} of round {round_}")
    return replace(tournament, courts=left)


def _set_purse(tournament: Tournament, note: Mapping[str, Any], at: int) -> Tournament:
    return replace(tournament, purse=purse.noted(tournament.purse, note, at))


def _set_watch(tournament: Tournament, note: Mapping[str, Any], _at: int) -> Tournament:
    """When a table is named to the direction, so that somebody goes and looks."""
    return replace(
        tournament,
        quiet_minutes=int(_number(note, "quiet", 0, 240, tournament.quiet_minutes) or 0),
        games_behind=int(_number(note, "behind", 0, 99, tournament.games_behind) or 0),
    )


#: Notes after which people sit elsewhere.
_SEATING = ("draw", "swap", "reseat")

_NOTES: dict[str, Callable[[Tournament, Mapping[str, Any], int], Tournament]] = {
    "setup": _setup,
    "rename": _rename,
    "person": _person,
    "merge": _merge,
    "remove": _remove,
    "draw": _draw,
    "swap": _swap,
    "reseat": _reseat,
    PROGRAMME: _set_programme,
    SEAT_WISHES: _set_seat_wishes,
    PURSE: _set_purse,
    "watch": _set_watch,
    "series": lambda tournament, note, _at: replace(tournament, series=str(note.get("name", ""))),
    "publish": _publish,
    "withdraw": _withdraw,
    "substituted": _substituted,
    "court": _court,
    "court_ends": _court_ends,
}


def _round(tournament: Tournament, note: Mapping[str, Any]) -> int:
    round_ = _whole(note, "round")
    if not 1 <= round_ <= tournament.rounds:
        raise BadNote(
            "too_many_rounds",
            f"round {round_}: the tournament has {tournament.rounds}; set more rounds to play another",
            rounds=tournament.rounds,
        )
    return round_


def _whole(note: Mapping[str, Any], key: str) -> int:
    value = note.get(key)
    if type(value) is not int:
        raise BadNote("malformed", f"{key} {shorten(value)}: a whole number is wanted")
    return value


def _number(note: Mapping[str, Any], key: str, low: int, high: int, today: Any) -> Any:
    value = note.get(key, today)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise BadNote(
            "number",
            f"{key} {shorten(value)}: a number from {low} to {high} is wanted, or nothing for what the book says",
            low=low,
            high=high,
        )
    return value


def _day(value: object) -> date | None:
    if value in (None, ""):
        return None
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise BadNote("malformed", f"day {shorten(value)}: a date such as 2026-11-21 is wanted") from None
