"""What stands between the seats is whole: neither a panel nor what unfolds covers the middle's words or a message."""

from typing import Any

import pytest

from kiosk.table.events.codec import decode

SAID = [{"event": "call", "seat": seat, "call": "gesund"} for seat in (2, 3, 4, 1)]
RESERVED = [*SAID[:2], {"event": "call", "seat": 4, "call": "vorbehalt"}]
PLAYS = [{"event": "call", "seat": 2, "call": "spielen"}]

MOMENTS = {
    "asking": ("eppstein", 4, []),
    "asked again": ("eppstein", 4, RESERVED),
    "asking at five": ("schnittchen", 5, []),
    "all may speak": ("durchgaenge", 4, []),
    "who plays": ("schaffkopf", 4, PLAYS),
    "playing": ("eppstein", 4, SAID),
}

#: The camera's notice takes two lines, the other one.
NOTICES = {"none": (), "one": ("scanner",), "two": ("scanner", "camera")}


def of_book(views: Any, rules: str, players: int, events: list[dict[str, Any]]) -> Any:
    from kiosk.table.round.fold import fold
    from kiosk.table.view.show import view

    opened = {"event": "open", "format": 1, "rules": rules, "players": list(views.NAMES[:players])}
    return view(fold(map(decode, [opened, {"event": "release"}, {"event": "deal", "dealer": 1}, *events])))


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    (ax, ay, aw, ah), (bx, by, bw, bh) = one, other
    return max(bx - (ax + aw), ax - (bx + bw), by - (ay + ah), ay - (by + bh)) >= -1


def drawn() -> list[Any]:
    """Each moment with each notices, upright and flat by turns: each pair of the three is there.

    Where two notices leave the least room it is fast.
    """
    pairs = [
        (moment, notices, (m + n) % 2 == 1) for m, moment in enumerate(MOMENTS) for n, notices in enumerate(NOTICES)
    ]
    return [
        pytest.param(
            *one,
            id="-".join((*one[:2], "flat" if one[2] else "upright")),
            marks=() if one[1] == "two" else pytest.mark.slow,
        )
        for one in sorted(pairs, key=lambda one: one[2])
    ]


@pytest.mark.parametrize(("moment", "notices", "flat"), drawn())
def test_nothing_covers_the_middle_or_a_message(
    hand: Any, views: Any, measure: Any, moment: str, notices: str, flat: bool
) -> None:
    rules, players, events = MOMENTS[moment]
    app, play = hand.app, hand.app.screen("play")
    assert app.place.flat == flat
    try:
        hand.show(of_book(views, rules, players, events))
        app.go("play")
        for kind in NOTICES[notices]:
            app.notice(kind, "fehlt")
        hand.stage.step(3)
        check_apart(play, measure)
        for seat in app.view.seats:
            play.unfold(seat.seat, "calls" if app.view.phase == "playing" else "answers")
            hand.stage.step(2)
            check_apart(play, measure)
    finally:
        for seat in list(play._unfolded):
            play.fold(seat)
        for kind in NOTICES[notices]:
            app.notice(kind, "")
        hand.stage.step(2)


def check_apart(play: Any, measure: Any) -> None:
    """Check that what is written between the seats lies apart from what belongs to them, and is whole."""
    owned = {seat: measure.in_window(holder.content) for seat, holder in play._holders.items()}
    owned |= {f"unfolded {seat}": measure.in_window(holder.content) for seat, holder in play._unfolded.items()}
    messages, middle = play.ids.messages, play.ids.middle
    shown = [*messages.children, *(one for one in measure.labels(middle) if middle.opacity)]
    assert shown, "somebody is told something"
    for widget in shown:
        place = measure.in_window(widget)
        for name, other in owned.items():
            assert apart(place, other), (getattr(widget, "text", widget), name, place, other)
    measure.check_whole(messages)
    if middle.opacity:
        measure.check_whole(middle)
    if messages.children and middle.opacity:
        words = [measure.in_window(one) for one in measure.labels(middle)]
        below = [measure.in_window(one) for one in messages.children]
        if play.ids.between.rotation:
            words, below = below, words
        assert min(y for _, y, _, _ in words) >= max(y + high for _, y, _, high in below) - 1, "words above messages"
