"""Show the rare functions: putting right, dealing again, and those of the direction alone."""

from collections.abc import Callable
from typing import Any

from kiosk.language.rules import section_word
from kiosk.table.consent import held
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import (
    BreakBegun,
    BreakEnded,
    Consent,
    DealVoided,
    FinishGame,
    GameStruck,
    LeaveDecided,
    PlayerSubstituted,
    PlayingTimeEnded,
    Request,
    RoundReleased,
    SeatsSwapped,
)
from kiosk.table.view.table_view import RowView, TableView
from kiosk.ui.parts import hold
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.keyboard import NameSheet
from kiosk.ui.parts.look import Key, Sheet, dp, kv, plain, sp, two_lines
from kiosk.ui.parts.played_view import LookAtGame

#: Games that are offered to be struck at once.
GAMES_ON_A_PAGE = 8

#: Room for a name on the key of a game, in units.
NAME_UNITS = 80

#: Why a deal is void; where the book says so see ``BookView.sections``.
VOID = ("void_count", "void_shown", "void_dealer", "void_other")


def _may_swap(view: TableView) -> bool:
    """Whether names can be exchanged still: the list is not handed in."""
    return not view.closed


def _may_answer(view: TableView) -> bool:
    """Whether an answer is open or can still be changed, as it can while the first cards lie."""
    return any(seat.asks or seat.bids or seat.games for seat in view.seats)


class MoreSheet(Sheet):
    """The menu: what players need first, what a table does not have is not there; what sets it up is at *Hardware*."""

    kept = True

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["menu_title"]
        self._keys = list(reversed(self.ids.menu.children))
        self._absent: set[Any] = set()

    def _leave_out(self, view: TableView) -> None:
        """Lay out the keys that this table has in this phase, in their order."""
        ids, app = self.ids, self.app
        finding = view.phase in ("asking", "bidding", "declaring")
        has = {
            ids.said_key: not finding and bool(view.book.calls),
            ids.answer_key: finding or _may_answer(view),
            ids.claim_key: bool(view.book.shortens),
            ids.stick_key: app.stick_view is not None,
            ids.earlier_key: app.seating.kept,
            ids.evening_key: app.seating.alone,
            ids.mat_key: app.root.mat_panel is not None and app.root.mat_panel.in_menu,
        }
        absent = {key.__self__ for key, there in has.items() if not there}
        if absent != self._absent:
            self._absent = absent
            ids.menu.clear_widgets()
            for key in self._keys:
                if key not in absent:
                    ids.menu.add_widget(key)

    def show_mat(self) -> None:
        """Show the mat as the camera sees it in the table's place."""
        self.close()
        self.app.root.mat_panel.take_place(True)

    def show(self, view: TableView) -> None:
        self._leave_out(view)
        running = view.phase in ("dealing", "asking", "bidding", "declaring", "playing")
        self.ids.void_key.disabled = not running
        self.ids.missing_key.disabled = view.phase != "playing"
        self.ids.finish_key.disabled = view.phase != "playing"
        self.ids.said_key.disabled = view.phase != "playing" or not view.book.calls
        self.ids.answer_key.disabled = not _may_answer(view)
        self.ids.claim_key.disabled = view.phase != "playing" or not view.book.shortens
        self.ids.swap_key.disabled = not _may_swap(view)
        self.ids.pause_key.disabled = view.phase == "waiting" or view.closed
        self.ids.pause_key.text = self.app.words["pause_end" if view.paused else "pause"]

    def pause(self) -> None:
        """Begin the table's break, or end it; all agree where the clock stops in a break."""
        view, request = self.app.view, request_for(BreakBegun)
        self.close()
        if view.paused:
            self.app.request(request_for(BreakEnded))
        elif BreakBegun.name in view.needs_all:
            self.app.sheets.open("agree", request=request, question=self.app.words["pause_question"])
        else:
            self.app.request(request)

    def new_evening(self) -> None:
        """Sit down for a new evening; an open list is left with care alone."""
        if self.app.view.closed:
            self.app.next_round("")
        else:
            self.app.sheets.open("new_evening")


class VoidSheet(Sheet):
    """The reason why a deal does not count."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["void_title"]
        self._all: bool | None = None

    def show(self, view: TableView) -> None:
        needs_all = DealVoided.name in view.needs_all
        if needs_all == self._all:
            return
        self._all = needs_all
        text, language = self.app.words, self.app.language
        self.ids.reasons.clear_widgets()
        for why in VOID:
            words = two_lines(text[why], section_word(view.book.sections[why], language))
            self.ids.reasons.add_widget(self._asking(why, words) if needs_all else self._voiding(why, words))

    def _asking(self, why: str, words: str) -> Key:
        """A key that asks everybody: cards lie, or words were said."""
        key = Key(text=words, tone="ivory")
        question = f"{self.app.words['void']}: {self.app.words[why]}?"
        request = request_for(DealVoided, why=self.app.words[why])
        key.bind(on_release=lambda _: self.app.sheets.open("agree", request=request, question=question))
        return key

    def _voiding(self, why: str, words: str) -> Key:
        return HoldKey(calm_text=words, calm_tone="ivory", go=lambda: self._void(why))

    def _void(self, why: str) -> None:
        self.close()
        self.app.request(held(request_for(DealVoided, why=self.app.words[why])))


class FinishSheet(Sheet):
    """The report that the game was played out with cards that the camera has missed."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["finish_title"]

    def show(self, view: TableView) -> None:
        if view.phase != "playing":
            self.close()
        self.ids.yes_key.calm_text = self.app.words["finish_yes"].format(n=view.lacking)

    def finish(self) -> None:
        """Report that the game is over: the table asks about cards that it has not seen."""
        self.close()
        self.app.request(held(FinishGame()))


class NewEveningSheet(Sheet):
    """The end of an evening in the middle of a round: its list stays, and others sit down."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["next_evening_title"]

    def begin(self) -> None:
        """Leave this round and sit down for a new evening."""
        self.app.next_round("", Consent(deliberate=True))


class DirectionSheet(Sheet):
    """Functions of referee and direction: release, end of time, striking a game."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["referee"]

    def show(self, view: TableView) -> None:
        self.ids.release_key.disabled = view.phase != "waiting"
        self.ids.time_key.disabled = view.clock.over or view.phase in ("waiting", "over")
        self.ids.strike_key.disabled = not any(_strikable(row) for row in view.rows)
        self.ids.films_key.disabled = not view.films
        self.ids.played_key.disabled = not (view.rows or view.trick)
        self.ids.ruling_key.disabled = view.phase not in ("resting", "scored")
        self.ids.extra_key.disabled = not view.clock.limited or view.phase == "waiting" or view.closed
        self.ids.rulings_key.disabled = not view.rulings or view.closed
        asked = view.leave is not None and view.leave.state == "asked"
        text, keys = self.app.words, (self.ids.leave_key, self.ids.refuse_key)
        for key in keys:
            key.disabled = not asked
            key.opacity, key.size_hint_y = (1, 1) if asked else (0, None)
            key.height = 0
        if view.leave is not None and asked:
            name = plain(view.seat(view.leave.seat).name)
            self.ids.leave_key.calm_text = text["leave_yes"].format(name=name, game=self.app.say(view.leave.game))

    def look_at_game(self) -> None:
        """Go through a game, also the one in play where the referee has shown his code."""
        self.app.request(LookAtGame(referee=self.app.gate == "code"))

    def leave(self, granted: bool) -> None:
        """Grant or refuse leave for the game that needs it."""
        asked = self.app.view.leave
        question = self.ids.leave_key.calm_text if granted else self.app.words["leave_no"]
        self.close()
        self.app.as_referee(request_for(LeaveDecided, seat=asked.seat, granted=granted), question)

    def release(self) -> None:
        """Release the round."""
        self.close()
        self.app.as_referee(request_for(RoundReleased), self.app.words["release"])

    def end_time(self) -> None:
        """Signal the end of the playing time."""
        self.close()
        self.app.as_referee(request_for(PlayingTimeEnded), self.app.words["time_up"])


class SwapSheet(Sheet):
    """The exchange of two players' names by touching both; once a game was dealt all agree to it."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["swap_title"]
        self._first: Key | None = None
        for seat in app.view.seats:
            below = app.words["seat_n"].format(seat=seat.seat)
            key = Key(text=two_lines(plain(seat.name), below), tone="ivory")
            key.bind(on_release=lambda key, number=seat.seat: self._touch(key, number))
            self.ids.seats.add_widget(key)

    def show(self, view: TableView) -> None:
        if not _may_swap(view):
            self.close()

    def _touch(self, key: Key, seat: int) -> None:
        if self._first is None:
            self._first, self._seat = key, seat
            key.tone = "gold"
        elif key is self._first:
            self._first, key.tone = None, "ivory"
        else:
            self.close()
            self._swap(request_for(SeatsSwapped, seats=(self._seat, seat)), seat)

    def _swap(self, request: Request, other: int) -> None:
        view = self.app.view
        if SeatsSwapped.name in view.needs_all:
            names = {"one": plain(view.seat(self._seat).name), "other": plain(view.seat(other).name)}
            self.app.sheets.open("agree", request=request, question=self.app.words["swap_question"].format(**names))
        else:
            self.app.request(request)


class ReplaceSheet(Sheet):
    """The seat of a player who stops during the round."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["replace_title"]
        for seat in app.view.seats:
            below = app.words["seat_n"].format(seat=seat.seat)
            key = Key(text=two_lines(plain(seat.name), below), tone="ivory")
            key.bind(on_release=lambda _, number=seat.seat: self.app.sheets.open("newcomer", seat=number))
            self.ids.seats.add_widget(key)


class NewcomerSheet(NameSheet):
    """The player who takes the seat over; a player who is back is entered at the director's page."""

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        super().__init__(app, app.words["replace_for"].format(name=plain(app.view.seat(seat).name)), **kwargs)

    def done(self) -> None:
        """Send who takes the seat over."""
        name = " ".join(self.name.split())
        if not name:
            return
        self.close()
        self.app.as_referee(request_for(PlayerSubstituted, seat=self.seat, player=name), f"{self.title} {plain(name)}")


def _strikable(row: RowView) -> bool:
    """Whether the table can strike the game: one that the direction has added it never noted."""
    return not row.void and row.listed.own is not None


class StrikeSheet(Sheet):
    """A game that was noted wrongly is struck (eppstein 8.2)."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["strike_title"]
        self.game = self._page = 0
        self._offer()

    def _offer(self) -> None:
        """Offer a page of games, the newest first; a game long noted may be found wrong as well (eppstein 8.2.1)."""
        app, box = self.app, self.ids.games
        rows = [row for row in app.view.rows if _strikable(row)][::-1]
        several = len(rows) > GAMES_ON_A_PAGE
        room = GAMES_ON_A_PAGE - several
        page = self._page % max(1, -(-len(rows) // room))
        box.clear_widgets()
        for row in rows[page * room : (page + 1) * room]:
            label = two_lines(app.words["game_n"].format(game=row.game), self._scores(row))
            key = Key(text=label, tone="ivory")
            key.bind(on_release=lambda _, game=row.listed.own: self._chosen(game))
            box.add_widget(key)
        if several:
            box.add_widget(Key(text=app.words["said_earlier"], tone="dark", on_release=lambda _: self._turn()))

    def _scores(self, row: RowView) -> str:
        """Who has won, or who has lost where they are fewer: two names have room."""
        won = [(seat, score) for seat, score in enumerate(row.score, 1) if score > 0]
        lost = [(seat, score) for seat, score in enumerate(row.score, 1) if score < 0]
        fewer = min((one for one in (won, lost) if one), key=len, default=[])
        among, room = self.app.view.names, dp(NAME_UNITS)
        names = {seat: plain(fit_name(among[seat - 1], room, sp(NEAR), among=among)) for seat, _ in fewer}
        return ", ".join(f"{names[seat]} {score:+d}" for seat, score in fewer)

    def _turn(self) -> None:
        self._page += 1
        self._offer()

    def _chosen(self, game: int) -> None:
        self.game = game
        text = self.app.words
        self.title = f"{text['strike']}: {text['game_n'].format(game=game)}"
        box = self.ids.games
        box.clear_widgets()
        for replay, word in ((True, "strike_replay"), (False, "strike_drop")):
            box.add_widget(HoldKey(calm_text=text[word], calm_tone="ivory", go=self._striking(replay)))

    def _striking(self, replay: bool) -> Callable[[], None]:
        def strike() -> None:
            self.close()
            question = f"{self.title}, {self.app.words['strike_replay' if replay else 'strike_drop']}"
            self.app.as_referee(request_for(GameStruck, game=self.game, replay=replay), question)

        return strike


assert hold  # the layout has its keys
kv(__file__)
