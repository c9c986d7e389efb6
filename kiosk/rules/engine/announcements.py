"""Judge Ansagen and Absagen: which calls are in time, what they raise, which rule they break.

A side stands on a level: 0 nothing, 1 Re or Kontra, 2 keine 90, 3 keine 60, 4 keine 30, 5 schwarz. Every call that
counts brings all lower levels with it, whatever was wrong with it (eppstein 5.5.3, 8.8.3).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

RE, KONTRA = "re", "kontra"
OTHER = {RE: KONTRA, KONTRA: RE}

#: Level that a call stands for.
LEVEL = {RE: 1, KONTRA: 1, "keine90": 2, "keine60": 3, "keine30": 4, "schwarz": 5}
ABSAGEN = ("keine90", "keine60", "keine30", "schwarz")
BOCK = "bock"  # no level of a side: it doubles once more (schnittchen 5.2)
KLOPFEN = "klopfen"  # of no side: said after the first cards, before the asking; it doubles (docs/books.md)
SCHWEINCHEN, HYPERSCHWEINCHEN = "schweinchen", "hyperschweinchen"  # of no side: they raise cards (``schweinchen``)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The facts of the moment of a call, by which windows judge it."""

    hand: int  # cards in the speaker's hand
    laid: int  # cards laid in this game so far
    shift: int  # tricks before the Klärungsstich of an announced Hochzeit, else 0 (eppstein 5.5.2)
    early: bool  # the game is not found and named, or the Klärungsstich not complete (eppstein 5.2.1)
    ruled: frozenset[int] | None  # seats of Re where a rule has made the sides certain (solo named, Klärungsstich)
    queens: tuple[int, ...]  # seats that have laid CQ, one entry a card


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A call as it was spoken."""

    event: int
    seat: int
    call: str
    side: str | None  # named with it
    together: bool  # at the same time as the one before
    moment: Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement of a call."""

    said: Said
    side: str | None  # the side it counts for; None: not known
    code: str | None  # offence, if it was one (wrong_side is judged apart, see sides.py)
    section: str  # of the offence
    level: int  # of the side after it


#: Number of own cards the speaker may still lay before a level is out of time; negative: it is.
Left: TypeAlias = Callable[[Moment, int, str], int]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CallRules:
    """A book's time limits of announcements.

    ``left(moment, level, side)``: the window of a level by itself. ``reply_left(moment, level of the other side, own
    side)``: the window of a reply with Re or Kontra, None where the book has no reply. ``bock_left(moment)``: the
    window of Bock, None where the book has none. ``absage_needs_call``: an Absage always needs an earlier Re/Kontra
    of the side (else only if Re/Kontra would be out of time). ``leaving_out``: steps may be left out. ``sections``:
    where the book has what each fault breaks.
    """

    words: tuple[str, ...]
    counted: str  # in what players count its windows: "hand", their own cards left, or "table", the cards laid
    left: Left
    reply_left: Left | None
    silent: Callable[[Moment], bool]  # whether nobody may speak then though the game is found (durchgaenge 2c)
    bock_left: Callable[[Moment], int] | None
    bock_by_first: bool  # only the side that announced first may say Bock, in answer to the other
    absage_needs_call: bool
    leaving_out: bool
    repeated_raises: bool  # partnership not clear: the next step counts (eppstein 5.5.7 b, 5.5.8 b)
    repeated_offends: frozenset[bool]  # values of clear with which it is an offence unless spoken together
    sections: Mapping[str, str]


def by_cards_in_hand(limits: Sequence[int]) -> Left:
    """Make windows by cards in the speaker's hand: ``limits`` for Re/Kontra, keine 90, 60, 30, schwarz."""

    def left(moment: Moment, level: int, side: str) -> int:
        return moment.hand - (limits[level - 1] - moment.shift)

    return left


def reply_by_cards_in_hand(limits: Sequence[int], later: int) -> Left:
    """Make the reply's window: fewer cards than the other side's highest standing step (eppstein 5.5.4, bsv 6.5)."""

    def left(moment: Moment, other: int, side: str) -> int:
        return moment.hand - (limits[other - 1] - later - moment.shift)

    return left


def counts_in_time(calls: CallRules, word: str, hand_size: int, shift: int = 0) -> list[int]:
    """List the counts with which a call is in time by itself: own cards, or cards on the table, as the book counts.

    :param shift: tricks before the Klärungsstich of a Hochzeit.
    """
    found = []
    for count in range(hand_size + 1 if calls.counted == "hand" else 4 * hand_size + 1):
        hand = count if calls.counted == "hand" else hand_size - count // 4
        laid = count if calls.counted == "table" else 4 * (hand_size - count)
        then = Moment(hand=hand, laid=laid, shift=shift, early=False, ruled=None, queens=())
        if word != BOCK:
            left = calls.left(then, LEVEL[word], KONTRA if word == KONTRA else RE)
        else:
            left = calls.bock_left(then) if calls.bock_left else -1
        if left >= 0:
            found.append(count)
    return found


def never_silent(moment: Moment) -> bool:
    """Report that players may call at any time (eppstein 5.5.1, bsv 6.5)."""
    return False


def re_sets(
    seats: Sequence[int], queens: Sequence[int], known: Mapping[int, str], ruled: frozenset[int] | None
) -> list[frozenset[int]]:
    """List all sets of Re players that common knowledge leaves open.

    ``queens``: seats that showed CQ, one entry a card; ``known``: sides that seats told. One or two players are Re.
    Cards say more than words: both CQ seen make the sides certain whatever was called.
    """
    if ruled is not None:
        return [ruled]
    shown = frozenset(queens)
    if len(queens) > 1:
        return [shown]
    return list(_left_open(tuple(seats), shown, tuple(known.items())))


@lru_cache(maxsize=1024)  # asked for at each call, of all calls so far; a game has few answers
def _left_open(
    seats: tuple[int, ...], shown: frozenset[int], told: tuple[tuple[int, str], ...]
) -> tuple[frozenset[int], ...]:
    known = {seat: side for seat, side in told if seat not in shown}
    found = []
    for index, first in enumerate(seats):
        for second in seats[index:]:
            players = frozenset((first, second))
            if shown <= players and all((side == RE) == (seat in players) for seat, side in known.items()):
                found.append(players)
    return tuple(found)


class Judge:
    """Judge of a game's calls in their order; :func:`judge` is the usual entry."""

    def __init__(self, rules: CallRules, seats: Sequence[int], sides: Mapping[int, str]) -> None:
        self.rules, self.seats, self.sides = rules, seats, sides
        self.level = {RE: 0, KONTRA: 0}
        self.by_reply = {RE: False, KONTRA: False}
        self.spoken: dict[tuple[str, str], set[int]] = {}
        self.told: dict[int, str] = {}  # sides that calls told everybody
        self.bock_by: set[int] = set()
        self.first: str | None = None  # the side that announced first
        self._clear = False  # before the first of calls spoken together

    @property
    def bock(self) -> bool:
        """Whether Bock was said."""
        return bool(self.bock_by)

    def clear(self, moment: Moment) -> bool:
        """Report whether every player's side is certain to all (eppstein 5.5.7, 8.8.1).

        Never before the game and, in a Hochzeit, the Klärungsstich have made sides.
        """
        return not moment.early and len(re_sets(self.seats, moment.queens, self.told, moment.ruled)) == 1

    def side_of(self, said: Said) -> str | None:
        """Return the side a call counts for: the one it names, else the speaker's real side."""
        if LEVEL.get(said.call) == 1:
            return said.call
        if said.side is not None:
            return said.side
        known = self.sides.get(said.seat) or self.told.get(said.seat)
        return known or self._only_side()

    def _only_side(self) -> str | None:
        """The side that alone has spoken: who then need not tell his side belongs to it (eppstein 5.5.5)."""
        standing = [side for side in (RE, KONTRA) if self.level[side]]
        return standing[0] if len(standing) == 1 else None

    def take(self, said: Said) -> Verdict:
        """Judge the next call; it counts from here on."""
        side = self.side_of(said)
        if not said.together:
            self._clear = self.clear(said.moment)
        if said.call == BOCK:
            return self._take_bock(said, side)
        if side is None:
            return self._without_side(said)
        level = LEVEL[said.call]
        speakers = self.spoken.setdefault((side, said.call), set())
        if said.seat in speakers:  # one's own repetition is nothing, but it may tell the side
            self._tell(said, side, level)
            return Verdict(said=said, side=side, code=None, section="", level=self.level[side])
        repeated = bool(speakers)
        code, section = self._fault(said, side, level, repeated)
        self._raise(said, side, level, repeated, code)
        speakers.add(said.seat)
        return Verdict(said=said, side=side, code=code, section=section, level=self.level[side])

    def _take_bock(self, said: Said, side: str | None) -> Verdict:
        """Bock: once, when Re and Kontra stand; it doubles once more and brings its side's Re or Kontra with it."""
        rules, code, section = self.rules, None, ""
        if said.seat not in self.bock_by:
            foreign = rules.bock_by_first and side is not None and side != self.first
            if said.moment.early or rules.silent(said.moment):
                code, section = "early_announcement", rules.sections["early"]
            elif rules.bock_left is None or rules.bock_left(said.moment) < 0:
                code, section = "late_announcement", rules.sections["late_absage"]
            elif not (self.level[RE] and self.level[KONTRA]) or (foreign and not self.bock):
                code, section = "unfounded_announcement", rules.sections["unfounded"]
        self.bock_by.add(said.seat)
        if side is not None:
            self.level[side] = max(self.level[side], 1)
            if said.side is not None:
                self.told.setdefault(said.seat, side)
        return Verdict(said=said, side=side, code=code, section=section, level=self.level[side] if side else 0)

    def _without_side(self, said: Said) -> Verdict:
        """An Absage of a player whose side nothing tells yet: it waits, only its own time can be judged."""
        code, section = None, ""
        if said.moment.early or self.rules.silent(said.moment):
            code, section = "early_announcement", self.rules.sections["early"]
        elif self.rules.left(said.moment, LEVEL[said.call], RE) < 0:
            code, section = "late_announcement", self.rules.sections["late_absage"]
        return Verdict(said=said, side=None, code=code, section=section, level=0)

    def _fault(self, said: Said, side: str, level: int, repeated: bool) -> tuple[str | None, str]:
        """The first that applies: early, late, unfounded, skipped, repeated (docs/rules.md, Fine points)."""
        rules, moment, has = self.rules, said.moment, self.level[side]
        if moment.early or rules.silent(moment):
            return "early_announcement", rules.sections["early"]
        if level == 1:
            if rules.left(moment, 1, side) < 0 and not self._replies_in_time(moment, side):
                late = "late_reply" if self.level[OTHER[side]] and not has and rules.reply_left else "late_call"
                return "late_announcement", rules.sections[late]
        else:
            if rules.left(moment, level, side) < 0:
                return "late_announcement", rules.sections["late_absage"]
            if not has and (rules.absage_needs_call or rules.left(moment, 1, side) < 0):
                return "unfounded_announcement", rules.sections["unfounded"]
            if has and self.by_reply[side]:
                return "unfounded_announcement", rules.sections["unfounded_reply"]
            left_out = range(max(has, 1) + 1, level)
            if any(not rules.leaving_out or rules.left(moment, step, side) < 0 for step in left_out):
                return "skipped_step", rules.sections["skipped"]
        if repeated and self._clear in rules.repeated_offends and not said.together:
            return "repeated_announcement", rules.sections["repeated"]
        return None, ""

    def _replies_in_time(self, moment: Moment, side: str) -> bool:
        """Whether the side's first Re or Kontra comes within the window of a reply."""
        if self.rules.reply_left is None or self.level[side] or not self.level[OTHER[side]]:
            return False
        return self.rules.reply_left(moment, self.level[OTHER[side]], side) >= 0

    def _raise(self, said: Said, side: str, level: int, repeated: bool, code: str | None) -> None:
        self.first = self.first or side
        if level == 1:
            within = self.rules.left(said.moment, 1, side) >= 0
            if not self.level[side]:
                self.by_reply[side] = code is None and not within
            elif within:
                self.by_reply[side] = False
        self._tell(said, side, level)
        if repeated and not self._clear and self.rules.repeated_raises:
            level = min(level + 1, 5)
        self.level[side] = max(self.level[side], level)

    def _tell(self, said: Said, side: str, level: int) -> None:
        """The speaker's side is known if he names it or if only that side has spoken (eppstein 5.5.5)."""
        if level == 1 or said.side is not None or self._only_side() == side:
            self.told.setdefault(said.seat, side)


def judge(
    rules: CallRules, seats: Sequence[int], sides: Mapping[int, str], said: Sequence[Said]
) -> tuple[list[Verdict], Judge]:
    """Judge all calls of a game; return the verdicts and the state after them.

    ``sides``: real sides as far as they are certain, scanned hands included.
    """
    state = Judge(rules, seats, sides)
    return [state.take(one) for one in said], state
