"""Make the wish of a round's draw from the tournament as it stands, and the note of its result."""

from collections.abc import Mapping, Sequence
from typing import Any

from kiosk.errors import BadNote, shorten
from kiosk.tournament.draws.designs import LATEST
from kiosk.tournament.draws.start import by_lot
from kiosk.tournament.draws.tables import impossible, seating
from kiosk.tournament.draws.wish import COMPANY, FINAL, KINDS, SNAKE, STANDING, Apart, Drawn, Wish, noted_wish
from kiosk.tournament.programme import PlannedRound
from kiosk.tournament.seat_wishes import MUST
from kiosk.tournament.tournament import RoundPlan, Tournament

#: Kinds of draws for which the standing is wanted.
BY_STANDING = (STANDING, SNAKE, FINAL)


def kind_of(tournament: Tournament, asked: Mapping[str, Any]) -> str:
    """Return how the round is to be drawn: as asked, else as the programme has it.

    :raises BadNote: there is no such kind, or the book leaves it to the lot alone (schaffkopf III 2.4).
    """
    round_ = asked.get("round")
    if type(round_) is not int or round_ < 1:
        raise BadNote("malformed", f"round {shorten(round_)}: a number is wanted")
    planned = tournament.programme.get(round_, PlannedRound())
    kind = asked.get("kind") or planned.kind
    if kind not in KINDS:
        raise BadNote("malformed", f"kind {shorten(kind)}; there are {', '.join(KINDS)}")
    alone = tournament.rules_of(round_).book.seating.lot_alone
    if kind == COMPANY and alone:
        raise BadNote("lot_alone", f"by {alone} equal company is no reason to draw again; draw by lot", section=alone)
    return str(kind)


def wish_for(tournament: Tournament, asked: Mapping[str, Any], standing: Sequence[str], seed: str) -> Wish:
    """Return what is wanted of the draw of ``asked["round"]``.

    :param asked: ``round``, ``kind``, ``fives``, ``finalists``; what is missing is as programme and book have it.
    :param standing: names, the best first, where the standing decides; who is not among them is placed by lot.
    :raises BadNote: a value that cannot be. ``NoDraw``: so many people cannot be seated.
    """
    kind, round_ = kind_of(tournament, asked), int(asked["round"])
    book = tournament.rules_of(round_).book
    fives = bool(asked.get("fives", not book.seating.fives_section))
    players, substitutes = tournament.present()
    how = seating(book, len(players), len(substitutes), fives)
    if how.sizes is None:
        raise impossible(how, len(players), len(substitutes))
    people = [*players, *substitutes[: how.filling]]
    if kind in BY_STANDING:
        place = {name: number for number, name in enumerate(standing)}
        people = sorted(by_lot(people, seed, round_), key=lambda name: place.get(name, len(place)))
    planned = tournament.programme.get(round_, PlannedRound())
    earlier = [plan for number, plan in sorted(tournament.plans.items()) if number < round_]
    return Wish(
        round=round_,
        kind=kind,
        seed=seed,
        sizes=how.sizes,
        people=tuple(people),
        earlier=tuple(names for plan in earlier for names in plan.seats.values()) if kind == COMPANY else (),
        apart=_apart(tournament, people),
        fixed=_fixed(tournament, people),
        halls=tuple(tables for _, tables in tournament.seat_wishes.halls),
        stays=_stays(tournament, earlier[-1] if earlier else None),
        finalists=(asked.get("finalists") or planned.finalists or 4) if kind == FINAL else 0,
        rounds_left=max(1, tournament.rounds - round_ + 1),
        by_design=LATEST,
    )


def draw_note(wish: Wish, drawn: Drawn) -> dict[str, Any]:
    """Make the note of a draw, with all that it follows from."""
    return {
        "note": "draw",
        "round": wish.round,
        "seed": wish.seed,
        "kind": wish.kind,
        "seats": {str(table): list(names) for table, names in drawn.seats.items()},
        "finalists": list(wish.people[: wish.finalists]),
        "together": [list(pair) for pair in drawn.together],
        "moved": list(drawn.moved),
        "wish": wish.as_note(),
    }


def wish_noted(note: Mapping[str, Any]) -> Wish:
    """Return what a draw followed from, as it was noted.

    :raises BadNote: it was not, as with draws of earlier versions.
    """
    try:
        return noted_wish(note["wish"])
    except (KeyError, TypeError, ValueError):
        raise BadNote("no_proof", "what this draw followed from was not noted; it can be done again by hand from its "
                      "number alone") from None  # fmt: skip


def _apart(tournament: Tournament, people: Sequence[str]) -> tuple[Apart, ...]:
    """Groups of those who are here; club mates are one."""
    here, wishes = set(people), tournament.seat_wishes
    groups = [Apart(names=tuple(tournament.called(name) for name in one.names), must=one.must) for one in wishes.apart]
    if wishes.clubs:
        clubs: dict[str, list[str]] = {}
        for name in people:
            if tournament.people[name].club:
                clubs.setdefault(tournament.people[name].club.casefold(), []).append(name)
        groups += [Apart(names=tuple(names), must=wishes.clubs == MUST) for names in clubs.values()]
    left = [Apart(names=tuple(name for name in one.names if name in here), must=one.must) for one in groups]
    return tuple(one for one in left if len(one.names) > 1)


def _fixed(tournament: Tournament, people: Sequence[str]) -> dict[str, tuple[int, int | None]]:
    here = set(people)
    named = {tournament.called(name): place for name, place in tournament.seat_wishes.fixed.items()}
    return {name: place for name, place in named.items() if name in here}


def _stays(tournament: Tournament, before: RoundPlan | None) -> dict[str, int]:
    """In which hall, from 0, everybody sat in the round before."""
    wishes = tournament.seat_wishes
    if before is None or not wishes.halls or not wishes.stay:
        return {}
    hall_of: dict[int, int] = {}
    for number, (_, tables) in enumerate(wishes.halls):
        for _ in range(tables):
            hall_of[len(hall_of) + 1] = number
    last = len(wishes.halls) - 1
    return {name: hall_of.get(table, last) for table, names in before.seats.items() for name in names}
