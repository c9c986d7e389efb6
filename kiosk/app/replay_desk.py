"""Go through a game of the evening: its cards as they were noted, with the pictures that are kept of them."""

import base64
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import httpx

from kiosk.app.desk import Desk
from kiosk.app.jobs import StartJob, in_thread
from kiosk.app.outputs import Outputs
from kiosk.errors import Refused
from kiosk.sync.state import PicturesWanted
from kiosk.sync.trust import trust
from kiosk.table.evenings import RoundKey
from kiosk.table.recordings import PictureKey, Recordings
from kiosk.table.round.fold import Round
from kiosk.table.table import Table
from kiosk.table.view.book_view import book_view
from kiosk.table.view.played_game import PlayedGame, games_of, played_game
from kiosk.ui.parts.played_view import GameRead, LookAtGame, PlayedView
from kiosk.ui.requests import ScreenRequest

log = logging.getLogger(__name__)

#: Bytes of pictures that are sent at once, at most; what goes beyond them is left out, the mat's first.
MOST_BYTES = 5_000_000


class ReplayDesk(Desk):
    """The games of the round that is up, and of those before.

    Players see the games that are over; of the one in play the last trick, as long as the book shows it. While a game
    is in play the others are open where the option ``look_back`` says so. The referee sees all.

    :param number: the table's.
    :param recordings: where pictures are kept; None: nowhere, only the last ones are in memory.
    :param deliver: called from a thread with each game whose pictures were read.
    :param held: the tournament, for a list that names none.
    :param folded: folds the list of a round that was played before.
    """

    hears = (GameRead, PicturesWanted)

    def __init__(
        self,
        outputs: Outputs,
        deliver: Callable[[GameRead], None],
        recordings: Recordings | None,
        *,
        number: int,
        held: Callable[[], str] = str,
        folded: Callable[[RoundKey], Round] | None = None,
        run: StartJob = in_thread,
    ) -> None:
        self._outputs, self._deliver, self._recordings = outputs, deliver, recordings
        self._held, self._folded, self._run = held, folded, run
        self._table: Table | None = None
        self._number = number

    def sit(self, table: Table) -> None:
        """Serve this table from now on."""
        self._table = table

    def takes(self, request: ScreenRequest) -> bool:
        """Have a game's pictures read; return False if it is another request.

        :raises Refused: there is no such game, or it may not be looked at now.
        """
        if not isinstance(request, LookAtGame):
            return False
        table = self._table if request.key is None else None
        round = self._round(request)
        open_games = self._open_games(round, request)
        game = self._chosen(round, request, open_games)
        place = open_games.index(game.number)
        view = PlayedView(
            asked=replace(request, game=game.number),
            game=game,
            names=round.players,
            bavarian=book_view(round.book.name).bavarian,
            cards=_remembered(table, game),
            before=open_games[place - 1] if place else None,
            after=open_games[place + 1] if place + 1 < len(open_games) else None,
            offered=self._recordings is not None,
        )
        self._run(partial(self._read, view, round))
        return True

    def _chosen(self, round: Round, request: LookAtGame, open_games: list[int]) -> PlayedGame:
        """The game that is asked for, else the newest of which there is anything to be seen.

        :raises Refused: there is none, or it may not be looked at now.
        """
        known = [game.number for game in games_of(round)]
        if request.game is not None and request.game not in known:
            raise Refused("nothing_played", "", f"there is no game {request.game} in this round")
        for number in reversed(open_games) if request.game is None else {request.game} & set(open_games):
            game = played_game(round, number, whole=request.referee)
            if game is not None and (game.tricks or not game.running):
                return game
        if request.game is None and not any(game.tricks for game in games_of(round)):
            raise Refused("nothing_played", "", "no trick of this round was played yet")
        section = round.book.cite(round.book.option("look_back").section)
        raise Refused("tricks_covered", section, "the book does not show these tricks now")

    def _round(self, request: LookAtGame) -> Round:
        if request.key is not None and self._folded is not None:
            return self._folded(request.key)
        if request.key is not None or self._table is None:
            raise Refused("nothing_played", "", "nobody sits at this table")
        return self._table.round

    def _open_games(self, round: Round, request: LookAtGame) -> list[int]:
        """The games that may be gone through now, in order."""
        up = self._table.round if self._table is not None else None
        in_play = up.game if up is not None and up.running else None
        games = [game.number for game in games_of(round)]
        if request.referee or in_play is None or up is None or up.options["look_back"]:
            return games
        return [in_play.number] if request.key is None else []

    def _read(self, view: PlayedView, round: Round) -> None:
        """Read what lies on the disk; in a thread, for it may be slow."""
        kept, game = self._recordings, view.game
        if kept is not None:
            tournament = round.opening.tournament or self._held()
            of = partial(kept.picture, tournament, round.table, round.round)
            stamps = {stamp for stamp in game.stamps if stamp[0] not in view.cards}
            cards = {event: of(PictureKey(event, at)) for event, at in stamps}
            mats = {event: of(PictureKey(event, at, True)) for trick in game.tricks for event, at in trick.mats}
            view = replace(view, cards={**view.cards, **_there(cards)}, mats=_there(mats))
        self._deliver(GameRead(view))

    def heard(self, message: GameRead | PicturesWanted) -> None:
        """Show a game whose pictures were read, or send the pictures that a referee asks for at the direction."""
        if isinstance(message, GameRead):
            self._outputs.played(message.view)
        elif self._recordings is not None:
            self._run(partial(_send, self._recordings, self._number, message))


def _send(kept: Recordings, table: int, wanted: PicturesWanted) -> None:
    """Send what is there of the pictures asked for; in a thread, for disk and network may be slow."""
    log.warning("a referee asks for %d pictures of round %d", len(wanted.of), wanted.round)
    found: dict[str, dict[str, str]] = {"cards": {}, "mats": {}}
    left = MOST_BYTES
    for kind, mat in (("cards", False), ("mats", True)):
        for event, at in wanted.of:
            jpeg = kept.picture(wanted.tournament, table, wanted.round, PictureKey(event, at, mat))
            if jpeg is not None and len(jpeg) <= left:
                left -= len(jpeg)
                found[kind][str(event)] = base64.b64encode(jpeg).decode()
    try:
        with httpx.Client(verify=trust(wanted.authority), trust_env=False, timeout=30) as http:
            http.post(wanted.url, headers=dict(wanted.headers), json=found).raise_for_status()
    except (OSError, httpx.HTTPError) as error:
        log.error("the pictures were not sent: %s", error)


def _remembered(table: Table | None, game: PlayedGame) -> dict[int, bytes]:
    """The pictures that the table has in memory, or in its log."""
    if table is None:
        return {}
    return _there({event: table.picture(event) for event, _ in game.stamps})


def _there(pictures: dict[int, bytes | None]) -> dict[int, bytes]:
    return {event: jpeg for event, jpeg in pictures.items() if jpeg is not None}
