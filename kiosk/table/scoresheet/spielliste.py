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
from kiosk.rules.engine.scoring import Part
from kiosk.rules.engine.values import Result, Ruling
from kiosk.table.events.values import GameDealt, ListSigned, RulingGiven, WordCorrected
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.written import as_text


def rows(round_: Round) -> tuple[ListRow, ...]:
    """List all rows of the list, struck and void games included, totals cumulated (eppstein 6.3)."""
    total = dict.fromkeys(round_.seats, 0)
    found = []
    for game in round_.games:
        result = _result(game)
        struck = round_.is_struck(game)
        score = dict.fromkeys(round_.seats, 0)
        if not struck:
            score.update(result.score)
        total = {seat: total[seat] + score[seat] for seat in total}
        found.append(
            ListRow(
                game=game.number,
                dealer=game.dealer,
                due=game.due,
                kind=result.kind,
                suit=game.contract.suit,
                declarer=result.declarer,
                duty=result.duty,
                alone=_alone(game, result),
                score=score,
                total=total,
                won=frozenset() if struck else result.won,
                points=_value(result),
                void=struck or result.void,
                struck=struck,
                open=bool(game.doubts),
                solo=_solo(game, result),
                bock=game.doubled and not result.void,
                leave=_leave(game),
                ruled=any(ruling.kind != "none" for ruling in game.rulings),
                again=round_.struck.get(game.number, False),
                who=_who(round_, game, result),
            )
        )
    return tuple(found)


def _result(game: Game) -> Result:
    if game.result is None:
        raise ValueError(f"game {game.number} has not ended")
    return game.result


def _alone(game: Game, result: Result) -> int | None:
    if game.contract.solo:
        return result.declarer
    return result.re[0] if len(result.re) == 1 and result.kind in ("hochzeit", "still") else None


def _solo(game: Game, result: Result) -> str | None:
    """How somebody played alone."""
    if _alone(game, result) is None:
        return None
    if not game.contract.solo:
        return result.kind  # hochzeit, still
    return "solo" if not game.book.duties(game.options) else "duty" if result.duty else "lust"


def _who(round_: Round, game: Game, result: Result) -> str:
    """The name of who declared a game or played alone; a substitute who came later was not there."""
    seat = result.declarer or _alone(game, result)
    if seat is None:
        return ""
    left = (one.left for one in round_.changes if one.seat == seat and game.number <= one.games)
    return next(left, round_.players[seat - 1])


def _leave(game: Game) -> bool:
    """Whether it was played with the direction's leave, which it needed."""
    needed = game.book.needs_leave
    if needed is None or game.declaration is None or game.leave_missing:
        return False
    return bool(needed(game, game.declaration))


def _value(result: Result) -> int:
    """The value of a game by its reasons, as the last column shows it."""
    value = sum(item.number for item in result.value if item.part is Part.BASE)
    for item in result.value:
        if item.part is Part.FACTOR:
            value *= item.number
    return abs(value + sum(item.number for item in result.value if item.part is Part.SPECIAL))


def _seats(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(seat): value for seat, value in sorted(values.items())}


def game_data(game: Game, row: ListRow) -> dict[str, Any]:
    """Describe one game as ``replay --json`` prints it."""
    result = _result(game)
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


def list_data(round_: Round, language: Language = "de") -> dict[str, Any]:
    """Compute the list as data, ready to print: the protocol's ``list`` object.

    Beside what the protocol asks for it has ``fields``: what each column holds (``kiosk.rules.engine.listing.field``);
    ``foot``: lines under the rows, ``[label, cells]``; ``rulings`` and ``offences`` by game; ``date`` and ``signed_at``
    in milliseconds since the epoch, null where the events carry no time; ``rounds`` of the tournament and playing time
    in ``minutes``, null where there is none; ``corrections`` of what was said, with who agreed; ``packets`` in which
    the cards are dealt. Headings and cells are in ``language``.
    """
    found = rows(round_)
    words = list_words(language)
    at = {number: event.at for number, event in round_.log}
    signed = {event.seat: at[number] for number, event in round_.facts if isinstance(event, ListSigned)}
    return {
        "language": language,
        "rules": round_.book.name,
        "title": round_.book.title,
        "tournament": round_.opening.tournament,
        "table": round_.table,
        "round": round_.round,
        "date": next((time for time in at.values() if isinstance(time, int)), None),
        "players": list(round_.players),
        "substitutes": sorted(round_.substitutes),
        "changes": [
            {"seat": one.seat, "left": one.left, "came": one.came, "games": one.games} for one in round_.changes
        ],
        "rounds": round_.book.rounds(round_.options),
        "minutes": round_.minutes,
        "packets": list(round_.book.packets(round_.options)),
        "scorer": round_.book.scorer(len(round_.players), round_.options),
        "total": _seats(round_.totals),
        "played": round_.played,
        "games_left": round_.games_left,
        "duties_left": _seats(round_.duties_left),
        "next_dealer": None if round_.over or round_.closed else round_.next_dealer,
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
            }
            for row in found
        ],
        **round_.book.columns(round_.players, found, words),
        "rulings": _rulings(round_, at),
        "offences": [
            {
                "game": game.number,
                "code": offence.code,
                "seat": offence.seat,
                "event": offence.event,
                "proved": offence.proved,
                "section": offence.section,
            }
            for game in round_.games
            for offence in game.offences
        ],
        "corrections": _corrections(round_),
        "bock_left": round_.bock_left,
        "fines": _seats(round_.fines),
        "extra_minutes": round_.extra_minutes,
        "time_up": round_.time_up,
        "signatures": _seats({seat: seat in round_.signed for seat in round_.seats}),
        "signed_at": _seats({seat: signed.get(seat) if seat in round_.signed else None for seat in round_.seats}),
        "closed": round_.closed,
    }


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
