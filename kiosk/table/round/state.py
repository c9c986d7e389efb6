"""Derive the state of a round from its record: dealers, Pflichtsoli and games left."""

from dataclasses import dataclass

from kiosk.rules.engine.game import Game
from kiosk.table.round.record import Replay, RoundRecord


@dataclass(frozen=True, kw_only=True)  # no slots: copied with every event, see evolve
class RoundState(RoundRecord):
    """A round's record with the next dealer, the open duties and the games left."""

    @property
    def minutes(self) -> float | None:
        """Playing time without Nachspielzeit: what the opening event gives, else the book; None: none."""
        return self.opening.minutes or self.book.minutes(len(self.players), self.options)

    @property
    def clock_in_break(self) -> str:
        """What the clock does in the table's break: ``runs``, ``stands``, ``none`` where there is none; "" in play."""
        if not self.paused:
            return ""
        return "none" if self.minutes is None else "stands" if self.clock_stands else "runs"

    @property
    def games_left(self) -> int | None:
        """Games still to be ended, Pflichtsoli included; None where the book leaves it open."""
        number = self.book.games(len(self.players), self.options)
        owed = sum(self.duties_left.values()) + self.finishing() if self.time_up else None
        if number is None:
            return owed
        left = max(0, number - self.played)
        return left if owed is None else min(left, owed)

    def finishing(self) -> bool:
        """Report whether a game that was begun is still to be finished, and is none of the outstanding Pflichtsoli.

        A deal that was thrown in or did not count is dealt again also if the time ran out meanwhile: with the dealing a
        game has begun (eppstein 7.4.1, bsv 8.5); not by ddv 8.5.
        """
        game = self.game
        if game is None or (game.ended and not self._begun_and_dealt_again(game)):
            return False
        return game.must_play is None and not (game.declaration is not None and game.declaration.duty)

    def _begun_and_dealt_again(self, game: Game) -> bool:
        begun = game.ended in ("dealt_again", "void") and game.dealt >= self.time_up_from
        return game.result is None and begun and self.book.redeals_after_time

    @property
    def over(self) -> bool:
        """Whether nothing is left to be dealt."""
        return self.games_left == 0 and not self.running

    @property
    def bock_left(self) -> int:
        """Games from the next deal on that count double: Bockrunden queue up, one game uses one up (docs/rules.md)."""
        left = 0
        for game in self.games:
            if game.number in self.struck or game.result is None:
                continue
            if game.doubled and not game.result.void:
                left = max(0, left - 1)
            left += self.book.bock_games(game, len(self.players))
        return left

    def owing(self) -> tuple[int, ...]:
        """List the seats that are to be vorgeführt from the next deal on (eppstein 3.2.3, 7.5.1)."""
        duties = self.duties_left
        owing = tuple(seat for seat, number in duties.items() if number)
        left = self.games_left
        return owing if left is not None and owing and sum(duties.values()) >= left else ()

    def turn_to_deal(self) -> tuple[int, tuple[Replay, ...]]:
        """Return the seat whose turn to deal it is by the list after the last deal, and the game to be replayed."""
        game, rotation, replays = self.game, self.rotation, self.replays
        if game is None or game.ended is None:
            return rotation, replays
        used = self.used_turn(game)
        if self.replaying is not None:
            done = used or (self.replaying.kept_dealer and bool(game.result and game.result.counted))
            return rotation, replays if done else (self.replaying, *replays)
        return (self.after(rotation) if used else rotation), replays

    def used_turn(self, game: Game) -> bool:
        """Report whether a deal used up its dealer's turn (eppstein 2.2.1)."""
        if game.ended == "dealt_again" or game.dealt_again:
            return not self.book.thrown_in_same_dealer(game.options)
        if game.result is None or not game.result.counted:
            return False
        return not self.book.same_dealer(game)

    def after(self, seat: int) -> int:
        return seat % len(self.players) + 1

    @property
    def next_dealer(self) -> int:
        """The next dealer; while a game runs, the dealer if it did not count."""
        rotation, replays = self.turn_to_deal()
        dealer = replays[0].dealer if replays else rotation
        owing = self.owing()
        if len(self.players) > 4 and owing == (dealer,):
            dealer = self.after(dealer)  # who is to be vorgeführt cannot sit out (docs/rules.md, Fine points)
        return dealer

    def vorgefuehrt(self, dealer: int) -> int | None:
        """Find the seat vorgeführt in a deal by ``dealer``: the next left who owes a Pflichtsolo (eppstein 3.2.3)."""
        owing = self.owing()
        return next((seat for seat in self.playing(dealer) if seat in owing), None)

    def playing(self, dealer: int) -> tuple[int, ...]:
        """List the four who play, forehand first; of five the dealer sits out (eppstein 2.2.7)."""
        seats = []
        seat = dealer
        for _ in range(4):
            seat = self.after(seat)
            seats.append(seat)
        return tuple(seats)

    @property
    def must_play(self) -> int | None:
        """The seat vorgeführt in the running deal, else in the coming one; None if nobody is."""
        if self.game is not None and self.game.ended is None:
            return self.game.must_play
        return None if self.over else self.vorgefuehrt(self.next_dealer)
