"""Ask everybody who plays whether a claimed rest stands: each answers in his own area, and any one may say no."""

from typing import Any

from kiosk.table.view.table_view import SeatView, TableView
from kiosk.ui.parts.look import plain, two_lines
from kiosk.ui.play.claim_question import ClaimQuestion
from kiosk.ui.play.key_faces import KeyFace


def claim_answers(app: Any, seat: SeatView, view: TableView) -> tuple[KeyFace, ...]:
    """Make the keys of a seat's answer; who claims may also think better of it while the others look."""
    asked: ClaimQuestion | None = app.screen("play").claiming
    if asked is None or seat.sits_out:
        return ()
    text = app.words
    if seat.seat == asked.seat:
        show = KeyFace(two_lines(text["claim_rest"], text["claim_show"]), "gold", ("claim_yes",), binds=True)
        back = KeyFace(text["claim_withdraw"], "green", ("claim_back",))
        return (back,) if seat.seat in asked.agreed else (show, back)
    if seat.seat not in asked.waits_for(view):
        return ()
    yes = two_lines(text["claim_accept"], plain(view.seat(asked.seat).name))
    return (
        KeyFace(yes, "gold", ("claim_yes",), binds=True),
        KeyFace(text["claim_reject"], "green", ("claim_no",), binds=True),
    )


def claim_words(app: Any, view: TableView) -> str:
    """Say what is claimed, in which order, and whose answer is missing; "" while nothing is."""
    asked: ClaimQuestion | None = app.screen("play").claiming
    if asked is None:
        return ""
    said = str(app.words["claim_asked"]).format(name=plain(view.seat(asked.seat).name))
    if asked.order:
        said += "\n" + "  ".join(map(app.faces.name, asked.order))
    missing = ", ".join(plain(view.seat(seat).name) for seat in asked.waits_for(view))
    if asked.check is not None:
        said += "\n" + verdict_words(app, view, asked)
    elif can_be_filled(app):
        assert asked.seen is not None
        known, size = sum(one.card is not None for one in asked.seen.cards), view.seat(asked.seat).cards_left
        said += "\n" + str(app.words["claim_seen" if known else "claim_not_seen"]).format(n=known, all=size)
    return said + "\n" + str(app.words["claim_waits"]).format(names=missing)


def verdict_words(app: Any, view: TableView, asked: ClaimQuestion) -> str:
    """Say in a line what the table has found out."""
    answer, text = asked.answer, app.words
    if answer is None:
        return str(text["rest_checking"])
    if view.seat(asked.seat).cards_left != len(asked.hand):
        return str(text["rest_played_on"])
    if answer.verdict.holds is None:
        return str(text["rest_undecided_" + answer.verdict.why])
    return str(text["rest_sure" if answer.verdict.holds else "rest_not_sure"])


def can_be_lost(app: Any) -> bool:
    """Whether there is a way to lose the rest that is claimed, to be looked at."""
    asked: ClaimQuestion | None = app.screen("play").claiming
    answer = asked.answer if asked is not None else None
    return answer is not None and answer.verdict.holds is False


def can_be_filled(app: Any) -> bool:
    """Whether the camera has looked at the hand and does not know it whole: a finger can say the rest."""
    asked: ClaimQuestion | None = app.screen("play").claiming
    return asked is not None and asked.seen is not None and not asked.hand
