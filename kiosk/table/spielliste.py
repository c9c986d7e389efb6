"""The Spielliste: the list as data, the JSON of the replay, and text for people."""

from collections.abc import Mapping
from typing import Any

from kiosk.rules.game import Game
from kiosk.rules.listing import Row
from kiosk.rules.scoring import Part
from kiosk.rules.values import Result
from kiosk.table.fold import Round
from kiosk.table.words import game_word, word


def rows(round_: Round) -> tuple[Row, ...]:
    """All rows of the list, struck and void games included, totals cumulated (eppstein 6.3)."""
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
            Row(
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


def _value(result: Result) -> int:
    """The value of a game by its reasons, as the last column shows it."""
    value = sum(item.number for item in result.value if item.part is Part.BASE)
    for item in result.value:
        if item.part is Part.FACTOR:
            value *= item.number
    return abs(value + sum(item.number for item in result.value if item.part is Part.SPECIAL))


def _seats(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(seat): value for seat, value in sorted(values.items())}


def game_data(game: Game, row: Row) -> dict[str, Any]:
    """One game as ``replay --json`` prints it."""
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


def list_data(round_: Round) -> dict[str, Any]:
    """The list as data, ready to print: the protocol's ``list`` object."""
    found = rows(round_)
    return {
        "rules": round_.book.name,
        "table": round_.table,
        "round": round_.round,
        "players": list(round_.players),
        "scorer": round_.book.scorer(len(round_.players), round_.options),
        "total": _seats(round_.totals),
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
                "declarer": row.declarer,
                "duty": row.duty,
                "open": row.open,
            }
            for row in found
        ],
        **round_.book.columns(round_.players, found, lambda row: game_word(row.kind, row.suit, row.duty)),
        "bock_left": round_.bock_left,
        "fines": _seats(round_.fines),
        "extra_minutes": round_.extra_minutes,
        "signatures": _seats({seat: seat in round_.signed for seat in round_.seats}),
        "closed": round_.closed,
    }


def replay_data(round_: Round) -> list[dict[str, Any]]:
    """Everything ``replay --json`` prints of a round: its games, then the list."""
    printed = [game_data(game, row) for game, row in zip(round_.games, rows(round_), strict=True)]
    return [*printed, {"list": list_data(round_)}]


def text(round_: Round) -> str:
    """The list in readable German, as on paper: a column a player, then points and kind (eppstein 6.3.2)."""
    data = list_data(round_)
    found = rows(round_)
    heads = ["Spiel", "Geber", *data["columns"]]
    body = [[str(row.game), str(row.dealer), *map(str, line)] for row, line in zip(found, data["lines"], strict=True)]
    foot = [["", label, *map(str, cells)] for label, cells in data.get("foot", ())]
    widths = [max(len(line[i]) for line in [heads, *body, *foot]) for i in range(len(heads))]
    last = len(heads) - 1

    def shown(cells: list[str]) -> str:
        padded = [c.ljust(w) if i == last else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths, strict=True))]
        return "  ".join(padded).rstrip()

    lines = [f"{round_.book.title}", f"Tisch {round_.table}, Runde {round_.round}", "", shown(heads)]
    lines.append("  ".join("-" * width for width in widths))
    lines += map(shown, body)
    if foot:
        lines.append("  ".join("-" * width for width in widths))
        lines += map(shown, foot)
    lines.append("")
    if data["games_left"]:
        lines.append(f"Noch {data['games_left']} Spiele")
    owing = [round_.players[seat - 1] for seat, left in round_.duties_left.items() if left]
    if owing:
        lines.append("Pflichtsolo offen: " + ", ".join(owing))
    if round_.bock_left:
        lines.append(f"Bockrunde: noch {round_.bock_left} Spiele doppelt")
    paid = [f"{round_.players[seat - 1]} {euros:+g} €" for seat, euros in sorted(round_.fines.items()) if euros]
    if paid:
        lines.append("Kasse (zahlt +, erhält −): " + ", ".join(paid))
    for offence in (o for game in round_.games for o in game.offences):
        name = round_.players[offence.seat - 1]
        proved = f"bewiesen mit Zeile {offence.proved} ({offence.section})"
        lines.append(f"Zeile {offence.event}: {name}, {word(offence.code)}, {proved}")
    signed = [round_.players[seat - 1] for seat in round_.signed]
    lines.append("Bestätigt: " + (", ".join(signed) if signed else "noch niemand"))
    return "\n".join(lines) + "\n"
