"""Compute the Spielliste as data: its rows, the protocol's ``list`` object, the JSON of the replay.

Every form of the list (text and CSV in ``written``, PDF in ``kiosk.paper``, the director's page) is made of
:func:`list_data` alone.
"""

from collections.abc import Mapping
from typing import Any

from kiosk.language import Language
from kiosk.language.scoresheet import list_word, row_word
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import ListRow, ListWords
from kiosk.rules.engine.money import in_euros
from kiosk.rules.engine.result import penalty
from kiosk.rules.engine.values import Ruling
from kiosk.table.events.values import GameDealt, ListSigned, RulingGiven, WordCorrected
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.counted import CountedList, Mend, as_written
from kiosk.table.scoresheet.rows import result_of, rows
from kiosk.table.scoresheet.written import as_text


def _seats(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(seat): value for seat, value in sorted(values.items())}


def game_data(game: Game, row: ListRow) -> dict[str, Any]:
    """Describe one game as ``replay --json`` prints it."""
    result = result_of(game)
    points = dict(result.points)
    if row.void:  # finished tricks only
        points = {
            side: sum(t.points for t in game.tricks if (t.winner in result.re) == (side == "re")) for side in points
        }
    return {
        "game": game.number,
        "dealer": game.dealer,
        "kind": result.kind,
        "duty": result.duty,
        "declarer": result.declarer,
        "re": list(result.re),
        "void": row.void,
        "tricks": [
            {
                "seats": [laid.seat for laid in trick.cards],
                "cards": [laid.card for laid in trick.cards],
                "winner": trick.winner,
                "points": trick.points,
            }
            for trick in game.tricks
        ],
        "points": points,
        "won_by": result.won_by,
        "value": [[item.name, item.number] for item in result.value],
        "score": _seats(row.score),
        "total": _seats(row.total),
        "offences": [
            {"code": o.code, "seat": o.seat, "event": o.event, "proved": o.proved, "section": o.section}
            for o in game.offences
        ],
    }


def list_words(language: Language) -> ListWords:
    """Return the words of a list in a language."""
    return ListWords(
        game=lambda row: row_word(row.kind, row.suit, row.solo, language), word=lambda code: list_word(code, language)
    )


def list_data(listed: Round | CountedList, language: Language = "de") -> dict[str, Any]:
    """Compute the list as data, ready to print: the protocol's ``list`` object.

    Beside what the protocol asks for it has ``fields``: what each column holds (``kiosk.rules.engine.listing.field``);
    ``foot``: lines under the rows, ``[label, cells]``; ``rulings`` and ``offences`` by game; ``date`` and ``signed_at``
    in milliseconds since the epoch, null where the events carry no time; ``rounds`` of the tournament and playing time
    in ``minutes``, null where there is none; ``corrections`` of what was said, with who agreed; ``packets`` in which
    the cards are dealt. Headings and cells are in ``language``. ``mended`` are the Berichtigungen of the direction,
    each with its ``mark``, to which a row's ``marks`` refer; ``paper``: typed in from paper, wholly or in part.

    :param listed: a table's round as it wrote it, or the list as it counts.
    """
    counted = listed if isinstance(listed, CountedList) else as_written(listed)
    round_, found = counted.written, counted.rows
    words = list_words(language)
    at = {number: event.at for number, event in round_.log}
    signed = {event.seat: at[number] for number, event in round_.facts if isinstance(event, ListSigned)}
    numbers = counted.numbers
    return {
        "language": language,
        "rules": round_.book.name,
        "title": round_.book.title,
        "tournament": round_.opening.tournament,
        "table": round_.table,
        "round": round_.round,
        "date": next((time for time in at.values() if isinstance(time, int)), None),
        "players": list(counted.players),
        "substitutes": sorted(counted.substitutes),
        "changes": [
            {"seat": one.seat, "left": one.left, "came": one.came, "games": numbers.get(one.games, one.games)}
            for one in round_.changes
        ],
        "rounds": round_.book.rounds(round_.options),
        "minutes": round_.minutes,
        "packets": list(round_.book.packets(round_.options)),
        "scorer": round_.book.scorer(len(round_.players), round_.options),
        "total": _seats(counted.totals),
        "played": round_.played + len(counted.added),
        "games_left": games_left(counted),
        "duties_left": _seats(duties_left(counted)),
        "next_dealer": None if played_out(counted) or counted.closed or counted.paper else round_.next_dealer,
        "rows": [
            {
                "game": row.game,
                "dealer": row.dealer,
                "score": _seats(row.score),
                "total": _seats(row.total),
                "void": row.void,
                "kind": row.kind,
                "suit": row.suit,
                "declarer": row.declarer,
                "duty": row.duty,
                "open": row.open,
                "alone": row.alone,
                "solo": row.solo,
                "points": row.points,
                "struck": row.struck,
                "bock": row.bock,
                "leave": row.leave,
                "marks": counted.marks(row.game),
                "typed": row.game in counted.typed,
            }
            for row in found
        ],
        **own_columns(counted, words),
        "mended": mended_data(counted),
        "paper": counted.paper,
        "disqualified": sorted(counted.disqualified),
        "rulings": [_on_list(one, numbers) for one in _rulings(round_, at)],
        "offences": [
            {
                "game": numbers.get(game.number, game.number),
                "code": offence.code,
                "seat": offence.seat,
                "event": offence.event,
                "proved": offence.proved,
                "section": offence.section,
            }
            for game in round_.games
            for offence in game.offences
        ],
        "corrections": [_on_list(one, numbers) for one in _corrections(round_)],
        "bock_left": round_.bock_left,
        "fines": _seats(round_.fines),
        "extra_minutes": round_.extra_minutes,
        "time_up": round_.time_up,
        "signatures": _seats({seat: seat in counted.signed for seat in round_.seats}),
        "signed_at": _seats({seat: signed.get(seat) if seat in counted.signed else None for seat in round_.seats}),
        "sign_anew": counted.sign_anew,
        "closed": counted.closed,
    }


def mended_data(counted: CountedList) -> list[dict[str, Any]]:
    """Describe the Berichtigungen of a list, behind those that count the ones that do not fit any more."""
    marked = [mend_data(mark, mend) for mark, mend in enumerate(counted.mends, start=1)]
    return marked + [mend_data(None, mend) for mend in counted.lapsed]


def mend_data(mark: int | None, mend: Mend) -> dict[str, Any]:
    """Describe a Berichtigung, footnote ``mark`` of its list; None: it does not count any more."""
    return {
        "mark": mark,
        "number": mend.number,
        "what": mend.what,
        "game": mend.game,
        "seat": mend.seat,
        "before": mend.before,
        "after": mend.after,
        "reason": mend.reason,
        "section": mend.section,
        "actor": mend.actor,
        "at": mend.at,
        "late": mend.late,
        "found": mend.found,
    }


def _on_list(one: Mapping[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    """The same under the number that its game has on the list."""
    return {**one, "game": numbers.get(one["game"], one["game"])}


def games_left(counted: CountedList) -> int | None:
    """Return the games still to be played, those that the direction has added taken off; None where it is open.

    A round has so many games (eppstein 7.4.1, bsv 8.5), and one that was played and not written
    down is one of them. Pflichtsoli that are owed are played in any case (eppstein 7.5.1).
    """
    left = counted.written.games_left
    added = sum(not row.struck for row in counted.added)
    if left is None or not added:
        return left
    return max(left - added, min(left, sum(duties_left(counted).values())))


def played_out(counted: CountedList) -> bool:
    """Report whether nothing is left to be dealt."""
    return games_left(counted) == 0 and not counted.written.running


def duties_left(counted: CountedList) -> dict[int, int]:
    """Return the Pflichtsoli still to be played by seat, those that the direction has added taken off."""
    played = [row.alone for row in counted.added if row.duty and not row.struck]
    return {seat: max(0, left - played.count(seat)) for seat, left in counted.written.duties_left.items()}


def own_columns(counted: CountedList, words: ListWords) -> dict[str, Any]:
    """Lay out the book's own columns; below its sums what counts beside the games, and the end result."""
    columns = counted.written.book.list_of(counted.players, counted.rows, words)
    if not counted.apart:
        return columns
    foot = list(columns["foot"])
    kinds = [(one["kind"], one["seat"]) for one in columns["fields"]]
    marks = iter([f" *{mark}" for mark, mend in enumerate(counted.mends, start=1) if mend.what == "penalty"])
    beside = [
        (words.word(f"apart_{one.what}") + (next(marks) if one.what == "penalty" else ""), one.score)
        for one in counted.apart
    ]
    for label, score in [*beside, (words.word("end_result"), counted.totals)]:
        foot.append([label, [score[seat] if seat and kind in ("total", "plus") else "" for kind, seat in kinds]])
    return {**columns, "foot": foot}


def _corrections(round_: Round) -> list[dict[str, Any]]:
    """What was put right of all that was said, signed and ruled, by whom and why."""
    listed = {game.dealt: game.number for game in (*round_.games, *([round_.game] if round_.game else []))}
    deals = [number for number, event in round_.facts if isinstance(event, GameDealt)]
    return [
        {
            "event": number,
            "of": event.of,
            "game": listed.get(max([deal for deal in deals if deal <= event.of], default=-1)),
            "by": event.by,
            "agreed": list(event.agreed),
            "why": event.why or "",
            "at": event.at,
        }
        for number, event in round_.log
        if isinstance(event, WordCorrected)
    ]


def _rulings(round_: Round, at: Mapping[int, Any]) -> list[dict[str, Any]]:
    """What the referee has ruled, with what it booked; rulings that a later one has replaced are left out."""
    logged = {number: event for number, event in round_.facts if isinstance(event, RulingGiven)}
    found = []
    listed = set()
    for game in round_.games:
        ending = game.book.standing_ruling(game)
        for ruling in game.rulings:
            listed.add(ruling.event)
            if not ruling.ends or ruling is ending:
                found.append({"event": ruling.event, "game": game.number, **_ruling(game, ruling)})
    for number, event in logged.items():  # Nachspielzeit and fines need no game
        if number not in listed and (event.minutes or event.fines):
            apart: dict[str, Any] = {"code": None, "section": "", "class": "none", "scores": {}}
            found.append({"event": number, "game": None, "offender": event.offender, **apart})
    fines: dict[int, dict[int, int]] = {}
    for fined in round_.fined:
        amounts = fines.setdefault(fined.event, {})
        for seat, cents in fined.amounts.items():
            amounts[seat] = amounts.get(seat, 0) + cents
    for one in found:
        event = logged[one["event"]]
        one["minutes"] = event.minutes or 0
        one["fines"] = {seat: in_euros(cents) for seat, cents in _seats(fines.get(one["event"], {})).items()}
        one["why"] = event.why or ""
        one["at"] = at[one["event"]]
    return sorted(found, key=lambda one: one["event"])


def _ruling(game: Game, ruling: Ruling) -> dict[str, Any]:
    breach = next((one for one in game.offences if one.event == ruling.breach), None)
    objected = next((one for one in reversed(game.objections) if one.event < ruling.event), None)
    code = breach.code if breach else objected.code if objected and ruling.kind != "none" else None
    return {
        "offender": ruling.offender,
        "class": ruling.kind,
        "code": code,
        "section": breach.section if breach else "",
        "scores": _seats({seat: points for seat, points in penalty(game, ruling).items() if points}),
    }


def replay_data(round_: Round) -> list[dict[str, Any]]:
    """Compute everything ``replay --json`` prints of a round: its games, then the list."""
    printed = [game_data(game, row) for game, row in zip(round_.games, rows(round_), strict=True)]
    return [*printed, {"list": list_data(round_)}]


def text(round_: Round, language: Language = "de") -> str:
    """Format the list as readable text."""
    return as_text(list_data(round_, language))
