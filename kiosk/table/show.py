"""What a table shows, computed from its round: the one value that screen, lamps and the director's page draw."""

from typing import Any

from kiosk.rules.announcements import KONTRA, RE
from kiosk.rules.game import Game
from kiosk.rules.rights import claimants, may_see_last_trick
from kiosk.rules.tricks import Laid, Trick, points_of
from kiosk.rules.values import Offence
from kiosk.table import offers
from kiosk.table.evidence import evidence
from kiosk.table.fold import Round
from kiosk.table.questions import Pictures, questions
from kiosk.table.spielliste import rows
from kiosk.table.view import (
    CallView,
    CardView,
    ClockView,
    OffenceView,
    ResultView,
    RowView,
    SeatView,
    TableView,
    TrickView,
)

_NO_CLOCK = ClockView(running=False, remaining=0.0, extra=0.0, over=False)


def view(
    round: Round,
    *,
    clock: ClockView = _NO_CLOCK,
    pictures: Pictures = lambda event: None,
) -> TableView:
    """The table's view, as far as it follows from the events.

    :param pictures: the picture of an event, for the doubts; the director has none.
    """
    game = round.game
    running = game if game is not None and not game.ended else None
    asked = questions(round, pictures)
    asked_games = {doubt.game for doubt in asked}
    calls = offers.calls(game) if game and round.released else {}
    return TableView(
        table=round.table,
        round=round.round,
        rules=round.book.name,
        title=round.book.title,
        phase=phase(round),
        game=running.number if running else len(round.games) + 1,
        games_left=round.games_left,
        kind=running.kind if running else None,
        declarer=running.declarer if running else None,
        seats=tuple(_seat(round, game, seat, calls.get(seat, ())) for seat in round.seats),
        must_play=round.must_play,
        trick=_open_trick(running),
        last_trick=_trick(game.tricks[-1]) if game and may_see_last_trick(game) else None,
        trick_number=min(len(game.tricks) + 1, round.book.hand_size) if game else 0,
        doubts=asked,
        offences=tuple(_offence(game, one) for one in certain(round)) if game else (),
        rows=tuple(_row(round, row, asked_games) for row in rows(round)),
        objection=_objection(game),
        signed=round.signed,
        clock=clock,
        events=round.events,
        result=_result(round, game, asked_games),
        next_dealer=None if running or round.over or round.closed else round.next_dealer,
        may_deal=not running and not round.over and not round.closed and phase(round) != "resting",
        may_sign=tuple(seat for seat in round.seats if seat not in round.signed) if _at_end(round) else (),
        may_close=_at_end(round) and not asked,
    )


def phase(round: Round) -> str:
    """The phase of the table, as ``TableView.phase`` names it."""
    game = round.game
    if not round.released:
        return "waiting"
    if game is not None and game.objection:
        return "resting"
    if game is not None and not game.ended:
        return game.phase
    if round.over or round.closed:
        return "over"
    return "dealing" if game is None or game.result is None else "scored"


#: A doubtful card with more choices than these is not tried with each of them: what follows it proves nothing.
_MOST_TRIED = 6

#: Breaches that hang on what the cards are; the others are certain by themselves.
_PROVED_BY_CARDS = ("revoke", "out_of_turn", "wrong_side", "not_entitled", "impossible_card", "card_not_held")


def certain(round: Round) -> tuple[Offence, ...]:
    """The breaches of the game in play that hold however the open doubts are settled.

    A card read in doubt must prove nothing against anybody: each doubtful card is tried with each of its choices.
    """
    game = round.game
    if game is None:
        return ()
    found = game.offences
    for _, laid in game.doubts:
        # What was certain before the doubtful card came stays certain.
        tested = {one for one in found if one.proved >= laid.event}
        if tested and len(laid.doubt) > _MOST_TRIED:
            found = tuple(one for one in found if one not in tested or one.code not in _PROVED_BY_CARDS)
            continue
        for choice in laid.doubt:
            if choice == laid.card or not tested:
                continue
            tried = round.supposing(laid.event, choice)
            others = {_same(one) for one in tried.game.offences} if tried and tried.game else set()
            tested = {one for one in tested if _same(one) in others}
        found = tuple(one for one in found if one.proved < laid.event or one in tested)
    return found


def _same(offence: Offence) -> tuple[str, int, int]:
    return offence.code, offence.seat, offence.event


def _at_end(round: Round) -> bool:
    return round.over and not round.closed and phase(round) == "over"


def _seat(round: Round, game: Game | None, seat: int, calls: tuple[CallView, ...]) -> SeatView:
    running = game if game is not None and not game.ended else None
    plays = running is not None and seat in running.seats
    return SeatView(
        seat=seat,
        name=round.players[seat - 1],
        dealer=running is not None and running.dealer == seat,
        sits_out=running is not None and not plays,
        turn=running is not None and round.released and running.turn == seat,
        cards_left=running.hand_sizes[seat] if running and plays else 0,
        tricks_won=sum(trick.winner == seat for trick in game.tricks) if game else 0,
        side=running.known_sides.get(seat) if running else None,
        total=round.totals[seat],
        duty_open=bool(round.duties_left.get(seat)),
        said=tuple(said.call for said in game.said if said.seat == seat) if game else (),
        answer=running.spoken.get(seat) if running else None,
        calls=calls,
        asks=offers.answers(running, seat) if running and round.released else (),
        games=offers.games(running, seat) if running and round.released else (),
        may_claim_rest=plays and running is not None and _may_claim(running, seat),
    )


def _may_claim(game: Game, seat: int) -> bool:
    return game.phase == "playing" and game.book.may_claim(game, "rest", (), seat)


def _card(laid: Laid) -> CardView:
    return CardView(event=laid.event, seat=laid.seat, card=laid.card, doubt=bool(laid.doubt), down=laid.down)


def _trick(trick: Trick) -> TrickView:
    cards = tuple(map(_card, trick.cards))
    return TrickView(leader=trick.leader, cards=cards, winner=trick.winner, points=trick.points)


def _open_trick(game: Game | None) -> TrickView | None:
    if game is None or game.phase not in ("playing", "resting"):
        return None
    cards = tuple(map(_card, game.open_trick))
    return TrickView(leader=game.leader, cards=cards, winner=None, points=points_of(game.open_trick))


def _offence(game: Game, offence: Offence) -> OffenceView:
    """With the seats that may still claim it and what proves it."""
    return OffenceView(
        code=offence.code,
        seat=offence.seat,
        event=offence.event,
        proved=offence.proved,
        section=offence.section,
        claimants=claimants(game, offence),
        **evidence(game, offence),
    )


def _row(round: Round, row: Any, asked_games: set[int]) -> RowView:
    return RowView(
        game=row.game,
        dealer=row.dealer,
        kind=row.kind,
        declarer=row.declarer,
        duty=row.duty,
        score=tuple(row.score[seat] for seat in round.seats),
        total=tuple(row.total[seat] for seat in round.seats),
        points=row.points,
        void=row.void,
        open=row.open or row.game in asked_games,
    )


def _objection(game: Game | None) -> dict[str, object] | None:
    made = game.objection if game else None
    if made is None:
        return None
    return {"event": made.event, "seat": made.seat, "against": made.against, "code": made.code, "breach": made.breach}


def _result(round: Round, game: Game | None, asked_games: set[int]) -> ResultView | None:
    if game is None or game.result is None:
        return None
    result = game.result
    return ResultView(
        game=game.number,
        kind=result.kind,
        declarer=result.declarer,
        duty=result.duty,
        re=result.re,
        points=(result.points.get(RE, 0), result.points.get(KONTRA, 0)),
        won_by=result.won_by,
        value=tuple((item.name, item.number) for item in result.value),
        score=tuple(result.score.get(seat, 0) for seat in round.seats),
        void=result.void,
        open=game.number in asked_games,
        tricks=tuple(map(_trick, game.tricks)),
    )
