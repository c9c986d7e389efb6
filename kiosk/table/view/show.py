"""Compute a table's view from its round: the one value that screen, lamps and the director's page draw."""

from dataclasses import replace
from typing import Any

from kiosk.rules.engine.announcements import KLOPFEN, KONTRA, RE
from kiosk.rules.engine.breaches import readings_of
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.listing import ListWords
from kiosk.rules.engine.rights import claimants, covers, is_ruled, may_see_last_trick
from kiosk.rules.engine.scoring import Part
from kiosk.rules.engine.tricks import Laid, Trick, points_of
from kiosk.rules.engine.values import Offence
from kiosk.table.inference.certain import certain
from kiosk.table.round.fold import Round
from kiosk.table.round.implied import rest_answers
from kiosk.table.scoresheet.counted import CountedList, as_written
from kiosk.table.scoresheet.spielliste import duties_left, games_left, mended_data, own_columns, played_out
from kiosk.table.view import offers
from kiosk.table.view.book_view import book_view
from kiosk.table.view.evidence import evidence
from kiosk.table.view.presets import presets, unpriced
from kiosk.table.view.questions import Pictures, questions
from kiosk.table.view.spoken import rulings, spoken
from kiosk.table.view.table_view import (
    CallView,
    CardView,
    ClockView,
    DutyView,
    ListView,
    OffenceView,
    ResultView,
    RowView,
    SeatView,
    TableView,
    TrickView,
)

#: What a screen can tell beyond a real table, each by its option ``tell_…``.
HELP = frozenset({"augen", "tricks", "sides"})

_NO_CLOCK = ClockView(running=False, remaining=0.0, extra=0.0, over=False)


def view(
    round: Round,
    *,
    clock: ClockView = _NO_CLOCK,
    pictures: Pictures = lambda event: None,
    whole: bool = False,
    directed: bool = True,
    listed: CountedList | None = None,
) -> TableView:
    """Compute the table's view, as far as it follows from the events.

    :param pictures: the picture of an event, for the doubts; the director has none.
    :param whole: with what players must find out by themselves in this round: for the direction.
    :param directed: somebody directs this table.
    :param listed: the list as it counts, with what the direction has put right; by default as the table wrote it.
    """
    counted = as_written(round) if listed is None else listed
    game = round.game
    running = game if game is not None and not game.ended else None
    asked = questions(round, pictures)
    asked_games = {doubt.game for doubt in asked}
    calls = offers.calls(game) if game and round.released else {}
    duty = offers.duty(running) if running and round.released else None
    over = played_out(counted)
    now, at_end = phase(round, over), _at_end(round, over)
    again = counted.sign_anew and (at_end or (round.closed and not directed))
    declared = running.declaration if running and not waits(running) else None
    told = help_told(round, whole=whole)
    rest = next(iter(rest_answers(round)), None) if now == "asking" else None
    return TableView(
        table=round.table,
        round=round.round,
        rules=round.book.name,
        title=round.book.title,
        book=book_view(round.book.name),
        phase=now,
        game=(running.number if running else len(round.games) + 1) + len(counted.added),
        games_left=games_left(counted),
        kind=kind_shown(running, told) if running else None,
        declarer=declared.seat if declared else None,
        seats=tuple(_as_counted(_seat(round, told, seat, calls.get(seat, ()), duty), counted) for seat in round.seats),
        must_play=round.must_play,
        trick=_open_trick(running, told) if now != "asking" else None,
        last_trick=_trick(game.tricks[-1], game, told) if game and may_see_last_trick(game) else None,
        trick_number=min(len(game.tricks) + 1, round.book.hand_size) if game else 0,
        lacking=len(round.book.deck) - running.cards_laid if running else 0,
        doubts=asked,
        offences=tuple(_offence(game, one, round.closed) for one in certain(round)) if game else (),
        withdrawn=tuple(_offence(game, one, True) for one in game.withdrawn) if game else (),
        doubted=_doubted(game) if game else (),
        rows=tuple(_row(round, row, asked_games) for row in counted.rows),
        objection=objection_shown(game),
        signed=round.signed,
        clock=clock,
        events=round.events,
        opened=None if round.opening.at is None else int(round.opening.at),
        result=_result(round, game, asked_games),
        next_dealer=None if running or over or round.closed else round.next_dealer,
        may_deal=not running and not over and not round.closed and now != "resting",
        may_sign=tuple(seat for seat in round.seats if seat not in round.signed) if at_end or again else (),
        sign_anew=again,
        may_close=at_end and not asked,
        packets=round.book.packets(round.options),
        duties=round.book.duties(round.options),
        suit=declared.suit if declared else None,
        called=declared.card if declared else None,
        renonce=bool(declared and declared.renonce),
        raised=declared.raised if declared else (),
        leave=offers.leave(running) if running else None,
        plays=_plays(running) if running and now == "asking" else None,
        rest=rest.call if rest is not None else None,
        rest_by_card=running is not None and (running.ahead or not (running.book.classes or running.reserved)),
        doubled=running.doubled if running else round.bock_left > 0,
        bock_left=round.bock_left,
        fines=_fines(round),
        limits=offers.limits(round.book.calls_by(round.book.calls, round.options), round.book.hand_size),
        sheet=_sheet(counted),
        mended=tuple(mended_data(counted)),
        on_paper=counted.paper,
        spoken=spoken(round, directed),
        rulings=rulings(round, directed),
        unpriced=unpriced(round),
        corrected=round.corrected,
        paused=round.clock_in_break,
        together=_together(running) if running else None,
        dealt=running.dealt if running else None,
        presets=presets(round) if now in ("resting", "scored", "over") else (),
        closed=round.closed,
        evening=round.opening.tournament or "",
    )


def help_told(round: Round, *, whole: bool = False) -> frozenset[str]:
    """Return which of ``HELP`` this table tells now: all once the game is over, else as the round's options say."""
    if whole or not round.running:
        return HELP
    return frozenset(name for name in HELP if round.options[f"tell_{name}"])


def _fines(round: Round) -> tuple[float, ...]:
    fines = tuple(round.fines.get(seat, 0) for seat in round.seats)
    return fines if any(fines) else ()


def _sheet(counted: CountedList) -> ListView:
    """The list in the book's own columns; what is said of a game is put into words by the screen."""
    data = own_columns(counted, ListWords(game=lambda row: row.kind, word=str))
    fields = data["fields"]
    return ListView(
        name=data["name"],
        fields=tuple((field["kind"], field["seat"]) for field in fields),
        lines=tuple(tuple(map(str, line[: len(fields)])) for line in data["lines"]),
        foot=tuple((name, tuple(map(str, line[: len(fields)]))) for name, line in data["foot"]),
        wrong=tuple(
            (check["check"], check["section"], tuple(check.get("games", ())))
            for check in data["checks"]
            if not check["ok"]
        ),
        marks=tuple(tuple(counted.marks(row.game)) for row in counted.rows),
        beside=bool(counted.apart),
    )


def _as_counted(seat: SeatView, counted: CountedList) -> SeatView:
    """The seat with name, sum and Pflichtsolo as the direction has put them right."""
    if not (counted.mends or counted.paper):
        return seat
    return replace(
        seat,
        name=counted.players[seat.seat - 1],
        total=counted.totals[seat.seat],
        duty_open=bool(duties_left(counted).get(seat.seat)),
    )


def phase(round: Round, over: bool | None = None) -> str:
    """Return the phase of the table, as ``TableView.phase`` names it.

    :param over: nothing is left to be dealt, with what the direction has put right; None: as the table wrote it.
    """
    game = round.game
    if not round.released:
        return "waiting"
    if game is not None and game.objection:
        return "resting"
    if game is not None and not game.ended:
        return "asking" if waits(game) else game.phase
    if (round.over if over is None else over) or round.closed:
        return "over"
    return "dealing" if game is None or game.result is None else "scored"


def _at_end(round: Round, over: bool) -> bool:
    """Whether the list can be signed: all is played, or the book leaves it open when a round ends (schnittchen 6)."""
    if round.closed:
        return False
    if round.games_left is None:
        return bool(round.games) and phase(round) in ("dealing", "scored")
    return over and phase(round, over) == "over"


def kind_shown(running: Game, told: frozenset[str]) -> str:
    """Return the game in play; a stilles Solo is shown as such only where sides are told."""
    hidden = waits(running) or (running.kind == "still" and "sides" not in told)
    return "normal" if hidden else running.kind


def _seat(
    round: Round, told: frozenset[str], seat: int, calls: tuple[CallView, ...], duty: tuple[int, DutyView] | None
) -> SeatView:
    game = round.game
    running = game if game is not None and not game.ended else None
    plays = running is not None and seat in running.seats
    speaking = running if running is not None and round.released else None
    bid = offers.bid_of(running, seat) if running else None
    return SeatView(
        seat=seat,
        name=round.players[seat - 1],
        dealer=running is not None and running.dealer == seat,
        sits_out=running is not None and not plays,
        turn=running is not None and round.released and _turn(running) == seat,
        cards_left=running.hand_sizes[seat] if running and plays else 0,
        tricks_won=_tricks_won(game, seat) if "tricks" in told else None,
        side=running.known_sides.get(seat) if running and "sides" in told and not waits(running) else None,
        total=round.totals[seat],
        duty_open=bool(round.duties_left.get(seat)),
        said=_said(game, seat) if game else (),
        answer=running.spoken.get(seat) if running else None,
        implied=running is not None and seat in running.implied,
        calls=calls,
        bid=None if bid is None else bid.game or "no_higher",
        asks=offers.answers(speaking, seat) if speaking else (),
        bids=offers.bids(speaking, seat) if speaking else (),
        games=offers.games(speaking, seat) if speaking else (),
        claims=offers.claims(speaking, seat) if speaking else (),
        covers=covers(speaking, seat) if speaking else (),
        owes=duty[1] if duty is not None and duty[0] == seat else None,
        ran=running is not None and "sides" in told and _ran(running, seat),
    )


def _said(game: Game, seat: int) -> tuple[str, ...]:
    """What a seat has called, its Klopfen and Schweinchen first."""
    knocked = (KLOPFEN for one in game.knocks if one.seat == seat)
    raised = (one.call for one in game.raised if one.seat == seat)
    return (*knocked, *raised, *(said.call for said in game.said if said.seat == seat))


def _plays(game: Game) -> int | None:
    """Who alone has said so far that he plays, where others are still asked."""
    return game.reserved[0] if game.book.classes and len(game.reserved) == 1 else None


def _together(game: Game) -> tuple[int, str] | None:
    """The last call, as long as nothing has happened since: somebody may have said it at the same time."""
    last = game.said[-1] if game.said else None
    return (last.seat, last.call) if last is not None and last.event == game.last_event else None


def _turn(game: Game) -> int | None:
    """Who is to speak, to declare or to lay; while a game is named ahead, who has not answered yet."""
    return next((seat for seat in game.seats if seat not in game.spoken), None) if waits(game) else game.turn


def waits(game: Game) -> bool:
    """Report whether a game is named ahead and some have not answered: none of it is shown then (schaffkopf II 2.3)."""
    return game.ahead and not game.objection and len(game.spoken) < len(game.seats)


def _tricks_won(game: Game | None, seat: int) -> int:
    return sum(trick.winner == seat for trick in game.tricks) if game else 0


def _ran(game: Game, seat: int) -> bool:
    """Whether the seat has led the called card's suit while it held that card, which has been seen since."""
    called = game.contract.re_card
    fell = next((event for event, holder in game.queens if holder == seat), None)
    if game.declaration is None or called is None or fell is None:
        return False
    classes = game.contract.classes
    led = [trick.cards[0] for trick in game.tricks] + list(game.open_trick[:1])
    return any(one.seat == seat and one.event < fell and classes[one.card] == classes[called] for one in led)


def _card(laid: Laid, game: Game | None = None) -> CardView:
    """:param game: the running one, where the card still lies."""
    return CardView(
        event=laid.event,
        seat=laid.seat,
        card=laid.card,
        doubt=bool(laid.doubt),
        down=laid.down,
        retractable=game is not None and game.book.retractable(game, laid.seat, laid.card),
    )


def _trick(trick: Trick, game: Game | None = None, told: frozenset[str] = HELP) -> TrickView:
    lies = game if game is not None and not game.ended and not game.open_trick else None
    cards = tuple(_card(laid, lies) for laid in trick.cards)
    return TrickView(
        leader=trick.leader, cards=cards, winner=trick.winner, points=trick.points if "augen" in told else None
    )


def _open_trick(game: Game | None, told: frozenset[str]) -> TrickView | None:
    if game is None or game.phase not in ("playing", "resting"):
        return None
    cards = tuple(_card(laid, game) for laid in game.open_trick)
    points = points_of(game.open_trick) if "augen" in told else None
    return TrickView(leader=game.leader, cards=cards, winner=None, points=points)


def _offence(game: Game, offence: Offence, closed: bool) -> OffenceView:
    """With the seats that may still claim it, nobody once the list is handed in, and what proves it."""
    return OffenceView(
        code=offence.code,
        seat=offence.seat,
        event=offence.event,
        proved=offence.proved,
        section=offence.section,
        claimants=() if closed else claimants(game, offence),
        ruled=is_ruled(game, offence),
        **evidence(game, offence),
    )


def _doubted(game: Game) -> tuple[CardView, ...]:
    """The cards that lie more often than the deck has them: one of each kind is another card."""
    if not game.misread:
        return ()
    suspects = readings_of(game).suspects
    cards = [*(laid for trick in game.tricks for laid in trick.cards), *game.open_trick]
    return tuple(_card(laid) for laid in cards if laid.event in suspects)


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
        open=row.open or row.own in asked_games,
        alone=row.alone,
        listed=row,
    )


def objection_shown(game: Game | None) -> dict[str, object] | None:
    """Describe the Reklamation that waits for its ruling; None if there is none."""
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
        factors=tuple(item.name for item in result.value if item.part is Part.FACTOR),
        score=tuple(result.score.get(seat, 0) for seat in round.seats),
        void=result.void,
        open=game.number in asked_games,
        tricks=tuple(map(_trick, game.tricks)),
    )
