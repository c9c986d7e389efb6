"""Tell in words what a request would change in the list."""

from collections.abc import Sequence
from typing import Any

from kiosk.table.events.values import CardCorrected, CardInserted, GameStruck, RulingGiven, WordCorrected
from kiosk.table.preview import Change, Preview
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.look import GOLD, dp, plain, sp
from kiosk.ui.parts.told import way_told

#: What may change points that were noted before.
PREVIEWED = (WordCorrected, RulingGiven, GameStruck, CardCorrected, CardInserted)

#: From before to after. An arrow is of another font, and where the font changes a line may break.
ARROW = " › "

#: Room for a name beside its numbers, in units.
NAME_UNITS = 110

#: So many rows are told one by one.
MOST_ROWS = 2


def preview_told(app: Any, preview: Preview) -> str:
    """Write what would change, a line for each row, as markup: ``Spiel 3: Anna −3 › 0, Bernd +1 › 0``."""
    text = app.words
    if preview.refused is not None:
        why = app.say(preview.refused.code)
        way = way_told(app, preview.refused.way) if preview.refused.way is not None else ""
        return " ".join(one for one in (why, way) if one)
    lines = [_row(app, game, change) for game, change in list(preview.rows.items())[:MOST_ROWS]]
    left = len(preview.rows) - MOST_ROWS
    if left > 0:
        lines.append(text["preview_more"].format(n=left))
    if preview.total is not None and len(preview.rows) > 1:  # of one game it changes by as much
        lines.append(f"{text['preview_total']}: {_numbers(app, preview.total)}")
    if preview.euros is not None:
        lines.append(_numbers(app, _paid(preview.euros), " €"))
    return f"[color={GOLD}]" + "\n".join(lines or [str(text["preview_same"])]) + "[/color]"


def _row(app: Any, game: int, change: Change) -> str:
    name = app.words["game_n"].format(game=game)
    if change.after is None:
        return str(app.words["preview_goes_on"]).format(game=game)
    return f"{name}: {_numbers(app, change)}"


def _numbers(app: Any, change: Change, unit: str = "") -> str:
    """Those whose numbers change, each kept on one line."""
    after = change.after or ()
    before: Sequence[float | None] = change.before or (None,) * len(after)
    return ", ".join(
        _unbroken(
            f"{_name(seat.name, app.view.names)} "
            + ARROW.join(_signed(one, unit) for one in (old, new) if one is not None)
        )
        for seat, old, new in zip(app.view.seats, before, after, strict=True)
        if old != new and (old is not None or new)
    )


def _name(name: str, among: Sequence[str]) -> str:
    return plain(fit_name(name, dp(NAME_UNITS), sp(NEAR), bold=False, among=among))


def _unbroken(words: str) -> str:
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def _signed(number: float, unit: str) -> str:
    return (f"{number:+g}".replace("-", "−") if number else "0") + unit


def _paid(change: Change) -> Change:
    """As what one has: what is paid counts down."""
    before, after = (tuple(-one for one in side or ()) for side in (change.before, change.after))
    return Change(before=before, after=after)
