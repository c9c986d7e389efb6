"""Compute the rows of the Spielliste from a table's round."""

from dataclasses import replace

from kiosk.rules.engine.evolve import remembered
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.scoring import Part
from kiosk.rules.engine.values import Result
from kiosk.table.round.fold import Round


def rows(round_: Round) -> tuple[ListRow, ...]:
    """List all rows of the list, struck and void games included, totals cumulated (eppstein 6.3)."""
    of = round_.games, round_.struck, round_.players, round_.changes, round_.perhaps
    return remembered(round_, "kept_rows", of, lambda: _rows(round_))


def _rows(round_: Round) -> tuple[ListRow, ...]:
    total = dict.fromkeys(round_.seats, 0)
    unsure = {doubt.game for doubt in round_.doubts}
    found = []
    for game in round_.games:
        result = result_of(game)
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
                open=game.number in unsure,
                solo=_solo(game, result),
                bock=game.doubled and not result.void,
                leave=_leave(game),
                ruled=any(ruling.kind != "none" for ruling in game.rulings),
                again=round_.struck.get(game.number, False),
                who=_who(round_, game, result),
                own=game.number,
            )
        )
    return tuple(found)


def says_otherwise(before: Round, after: Round) -> bool:
    """Report whether the list, or what it has people pay, says something else: who signed it has signed another one.

    Names are not meant: who takes a seat signs for himself. Nor is a doubt that is settled as it counted already.
    """
    return before.fines != after.fines or _said(before) != _said(after)


def _said(round_: Round) -> list[ListRow]:
    return [replace(row, open=False, who="") for row in rows(round_)]


def result_of(game: Game) -> Result:
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
