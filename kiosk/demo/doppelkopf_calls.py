"""Simulate the announcements of people who play Doppelkopf, and whose side they know."""

from collections import Counter
from collections.abc import Iterator

from kiosk.demo.people import Event, Habits, People
from kiosk.demo.players import expected_tricks, strength
from kiosk.rules.engine.announcements import ABSAGEN, OTHER, RE
from kiosk.rules.steps import laying

#: Strength of a hand (``players.strength``) from which on its holder says Re or Kontra, and keine 90.
_CALL_FROM = 10.8
_ABSAGE_FROM = 12.8

#: How much stronger a hand seems to who wants to answer the other side's announcement.
_ANSWER_BONUS = 1.2


class AnnouncingPeople(People):
    """Four or five who announce by the strength of their hands."""

    def __init__(self, opening: Event, seed: int, games: int | None, habits: Habits) -> None:
        super().__init__(opening, seed, games, habits)
        self.refrained: set[tuple[int, str]] = set()  # calls that a player has thought about and left

    def speak(self) -> Iterator[Event]:
        yield from self._announce()
        yield from self._duty()

    def _announce(self) -> Iterator[Event]:
        """Whoever wants to announce something now does."""
        if self.game.open_trick and self.rng.random() < 0.6:
            return
        for seat in self.rng.sample(self.game.seats, len(self.game.seats)):
            call = self._call(seat)
            if call is None or (seat, call) in self.refrained:
                continue
            if self.rng.random() < 0.25:
                self.refrained.add((seat, call))
                continue
            event = self._called(seat, call)
            if self.lawful(event):
                yield self.say(event)
                yield from self._echo(event)
            else:
                self.refrained.add((seat, call))

    def _called(self, seat: int, call: str) -> Event:
        event: Event = {"event": "announce", "seat": seat, "call": call}
        side = self.side(seat)
        if call not in ("re", "kontra") and seat not in self.game.known_sides and side:
            event["side"] = side  # eppstein 5.5.5
        return event

    def _echo(self, event: Event) -> Iterator[Event]:
        """Now and then the partner says the same in the same breath (eppstein 5.5.7)."""
        if self.rng.random() >= 0.04 or event["call"] == "bock":
            return
        side = self.side(event["seat"])
        for seat in self.game.seats:
            if seat != event["seat"] and self.side(seat) == side and strength(self.dealt[seat]) > _CALL_FROM - 2:
                again = {**self._called(seat, event["call"]), "together": True}
                if self.lawful(again):
                    yield self.say(again)
                return

    def _duty(self) -> Iterator[Event]:
        """Who must announce does, with the least that is enough (bsv 6.3.1, durchgaenge 2c)."""
        game = self.game
        if game.ended or game.lapsed or self.round.book.must_announce is None or game.open_trick:
            return
        seat = game.next_to_lay
        lead = {"event": "card", "seat": seat, "card": self.hands[seat][0]}
        if (seat, "duty") in self.refrained or not self._misses(lead):
            return
        if self.rng.random() < min(0.2, 20 * self.habits.offences):
            self.refrained.add((seat, "duty"))  # forgotten
            return
        side = self.side(seat) or RE
        for call in (side, *ABSAGEN):
            event: Event = {"event": "announce", "seat": seat, "call": call}
            if call != side and seat not in game.known_sides:
                event["side"] = side
            if self.lawful(event):
                before, self.round = self.round, self.after(event)
                done = not self._misses(lead)
                self.round = before
                if done:
                    yield self.say(event)
                    return

    def _misses(self, lead: Event) -> bool:
        after = self.after(lead).game
        dealt = self.dealt[lead["seat"]]
        if after is None or after.lapsed is None:
            return False
        known = laying.scan(after, after.last_event + 1, lead["seat"], dealt)  # he knows his own side
        return any(offence.code == "missed_duty" for offence in known.offences)

    def _call(self, seat: int) -> str | None:
        """The next call of this player's side that he believes in."""
        side = self.side(seat)
        if side is None:
            return None
        game, hand = self.game, self.dealt[seat]
        judge = game.judged()[1]
        levels = judge.level
        if "bock" in game.calls.words and not judge.bock and all(levels.values()) and strength(hand) > _CALL_FROM - 3:
            return "bock"
        alone = game.soloist_at(game.last_event + 1)
        if alone is not None or game.contract.solo:
            soloist = alone if alone is not None else game.declarer
            tricks = expected_tricks(hand, self.order())
            power = _CALL_FROM + 1.6 * (tricks - 8.4) if seat == soloist else strength(hand) - 2.5
        else:
            power = strength(hand)
        power *= 2 - self.daring[seat]
        mine = {other for other, with_me in self._with(seat).items() if with_me} | {seat}
        won = sum(trick.points for trick in game.tricks if trick.winner in mine)
        power += 0.03 * (won - 20 * len(game.tricks))  # better or worse than half so far
        wanted = (side, *ABSAGEN)
        level = levels[side]
        if not level and levels[OTHER[side]]:
            power += _ANSWER_BONUS
        if level >= len(wanted) or power < (_CALL_FROM if not level else _ABSAGE_FROM + 1.5 * (level - 1)):
            return None
        if 0 < level < 4 and power > _ABSAGE_FROM + 1.5 * level and game.calls.leaving_out and self.rng.random() < 0.3:
            return wanted[level + 1]  # steps may be left out (eppstein 5.5.3)
        return wanted[level]

    def side(self, seat: int) -> str | None:
        game = self.game
        known = game.known_sides.get(seat)
        if known:
            return known
        if game.declaration is not None and not game.contract.solo:
            return "re" if seat == game.declarer else None  # a Hochzeit before its Klärungsstich
        return "re" if "CQ" in self.dealt[seat] else "kontra"

    def _with(self, seat: int) -> dict[int, bool]:
        game, mine = self.game, self.side(seat)
        if mine is None:
            return {}
        known = dict(game.known_sides)
        queens = Counter({seat: self.dealt[seat].count("CQ")}) if not game.declaration else Counter[int]()
        for _, other in game.queens:
            if other != seat:
                queens[other] += 1
        if sum(queens.values()) == 2:
            known.update({other: "re" if queens[other] else "kontra" for other in game.seats})
        return {other: side == mine for other, side in known.items() if other != seat}
