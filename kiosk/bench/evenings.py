"""Play whole evenings on the screen, by finger, by camera or mixed, in every book, size and language.

An evening: people sit down and write their names, play a whole round with all that happens in one (words taken back,
cards put right, breaches claimed and ruled, a break, a substitute, the other language), sign and hand in the list, take
it away on a stick, and play on in another order of seats until they end the evening in the middle of a round.

    python -m kiosk.bench.evenings --by finger --book eppstein --size 800x480 --language de --seed 1
"""

import argparse
import csv
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from kiosk.app.inbox import Asked
from kiosk.bench.evening_camera import SEEN_S, SPEAK_S, Camera
from kiosk.bench.evening_slips import Slips
from kiosk.bench.evening_table import EveningTable, Screen, sit_alone
from kiosk.demo.answering import answer_of
from kiosk.demo.finger import Finger
from kiosk.demo.people import Habits
from kiosk.demo.play import simulate
from kiosk.demo.report import misnoted_cards, wrong_rows
from kiosk.demo.touching import SETTLING_FRAMES, Event
from kiosk.errors import KioskError
from kiosk.rules.books import BOOKS
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_request, parse
from kiosk.table.round.fold import Round, fold, open_round
from kiosk.table.scoresheet.rows import rows
from kiosk.ui.parts.whole import faults, overlaps
from vision.errors import VisionError

SIZES_PX = ((800, 480), (1280, 800))
LANGUAGES = ("de", "en")
WAYS = ("finger", "camera", "mixed")

#: Share of the tricks of a mixed evening for which the camera is blind.
BLIND_TRICKS = 0.3

#: So many words, cards and touches lie between two looks at a screen that was seen before.
LOOK_INTERVAL = 80

PAGE_BYTES = 4096

#: Games of the round in which the evening ends.
LAST_GAMES = 2

#: How the simulated people play: breaches for each card, games cut short, mishaps for each deal.
HABITS = Habits(offences=0.004, shorten=0.4, mishaps=0.06)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEvening:
    """One evening; the same one is always played the same way."""

    book: str
    by: str
    size: tuple[int, int]
    language: str
    seed: int
    games: int | None = None  # of a short round without Pflichtsoli, to try an evening's end; None: as the book says

    @property
    def options(self) -> dict[str, Any]:
        """The book's points that a short round decides otherwise."""
        if self.games is None:
            return {}
        short = {"games": self.games, "games_5": self.games, "pflichtsoli": 0}
        known = {option.name for option in BOOKS[self.book].options}
        return {name: value for name, value in short.items() if name in known}

    @property
    def command(self) -> str:
        """The command that plays it again."""
        size = "x".join(map(str, self.size))
        return (
            f"python -m kiosk.bench.evenings --by {self.by} --book {self.book} --size {size} "
            f"--language {self.language} --seed {self.seed}{f' --games {self.games}' if self.games else ''}"
        )


@dataclass(slots=True)
class Evening:
    """What came of an evening."""

    planned: PlannedEvening
    games: int = 0
    touches: int = 0
    events: int = 0
    rows: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)  # what could not be done, was noted otherwise, or looks broken
    besides: list[str] = field(default_factory=list)  # what people did besides playing
    seconds: float = 0.0
    memory_mb: float = 0.0


class Player:
    """Plays one evening at a table."""

    def __init__(self, planned: PlannedEvening, screen: Screen, stack: ExitStack, pictures: Path | None) -> None:
        self.planned, self.screen, self.told = planned, screen, Evening(planned)
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stichwart-evening-")))
        self.camera: Camera | None = None
        if planned.by != "finger":
            self.camera = Camera(stack, planned.book, planned.seed, 5, lambda: screen.stage.step())
        camera = self.camera
        self.seated: EveningTable = sit_alone(
            stack, self.folder, screen, planned, None if camera is None else lambda: camera.now
        )
        if camera is not None:
            camera.join(self.seated.kiosk)
        screen.show(self.seated.kiosk, planned.size, planned.language)
        self.finger = EveningFinger(screen.stage, self)
        self._rng = Random(f"evening {planned.seed}")
        self._pictures, self._seen, self._looks = pictures, set[object](), 0
        self._by_finger = True  # this trick
        self._refused, self._insisted = 0, False  # refusals told; the last one was expected
        self.truth: Round | None = None
        self.numbers: list[int] = []

    # --- the evening

    def play(self) -> Evening:
        """Play it; what goes wrong ends it and is told."""
        began = time.monotonic()
        try:
            self._play()
        except (KioskError, VisionError, LookupError, AttributeError, ValueError, AssertionError) as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.told.wrong.append(f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})")
            self._refusals({})
            self._picture("broken")
        self.told.touches = self.finger.touches
        self.told.seconds = time.monotonic() - began
        self.told.memory_mb = _memory_mb()
        return self.told

    def _play(self) -> None:
        self._blind(self.planned.by == "finger")
        planned = self.planned
        first = self._script(planned.seed, None)
        self._sit_down(first[0])
        self._round(first)
        self._judge()
        self._take_away()
        second = self._script(planned.seed + 1000, min(LAST_GAMES, (planned.games or LAST_GAMES + 1) - 1), 2)
        self._next_round(second[0])
        self._round(second)
        self._judge()
        self._end_evening()

    def _script(self, seed: int, games: int | None, number: int = 1) -> list[dict[str, Any]]:
        book = BOOKS[self.planned.book]
        players = 5 if 5 in book.tables and seed % 4 == 3 else 4
        whole = games is None and self.planned.games is None
        return list(
            simulate(
                self.planned.book,
                seed,
                games,
                players,
                HABITS.offences,
                shorten=HABITS.shorten,
                mishaps=HABITS.mishaps,
                time_up=whole and seed % 3 == 0 and book.minutes(players, book.settle({})) is not None,
                round_number=number,
                options=self.planned.options,
            )
        )

    def _blind(self, blind: bool) -> None:
        """Have the camera see or not; by finger alone there is none."""
        if self._by_finger != blind or self.camera is None:
            self.seated.blind("camera" if blind else "")
            self.screen.stage.step(2)
        self._by_finger = blind

    # --- sitting down

    def _sit_down(self, opening: Event) -> None:
        finger, screen = self.finger, self.screen.app.screen("seats")
        for _ in range(len(BOOKS)):
            if screen.rules == self.planned.book:
                break
            finger.touch(finger.saying_last_line(screen, finger.word("rules")))
        if len(opening["players"]) == 5:
            finger.touch(finger.saying(screen, finger.word("fifth")))
        finger.touch(finger.having(screen, finger.word("set_options")))
        self._look()
        finger.touch(finger.having(finger.sheet, "✕"))
        self._write_names(opening["players"])
        finger.hold(finger.having(screen, finger.word("start")))
        self._look()

    def _write_names(self, names: Sequence[str]) -> None:
        """Write the names that are not there yet, seat by seat; the keyboard goes on to a free seat by itself."""
        finger, screen = self.finger, self.screen.app.screen("seats")
        for seat, name in enumerate(names, 1):
            if screen.names[seat - 1] != name:
                sheet = self.screen.app.sheets.current
                if sheet is not None and sheet.seat != seat:  # the keyboard has gone on to a seat without a name
                    finger.touch(finger.having(sheet, "✕"))
                if self.screen.app.sheets.current is None:
                    finger.touch(finger.having(screen.ids.around, finger.word("seat_n").format(seat=seat)))
                self._look()
                finger.write(name)
        if self.screen.app.sheets.current is not None:
            finger.touch(finger.having(finger.sheet, "✕"))

    def _next_round(self, opening: dict[str, Any]) -> None:
        """Go on to the next round, two of them on each other's seats."""
        finger = self.finger
        one, two, *others = opening["players"]
        opening["players"] = [two, one, *others]
        finger.touch(finger.saying(self.screen.app.screen("list"), finger.word("next_round")))
        self._look()
        screen = self.screen.app.screen("seats")
        while len(screen.names) != len(opening["players"]):
            finger.touch(finger.saying(screen, finger.word("fifth" if len(screen.names) == 4 else "no_fifth")))
        self._write_names(opening["players"])
        finger.hold(finger.having(screen, finger.word("start")))

    # --- a round

    def _round(self, script: list[dict[str, Any]]) -> None:
        cards = sum(event["event"] == "card" for event in script)
        self.finger._table = self.seated.table
        self.truth, self.numbers = open_round(decode(script[0])), [0]
        slips = Slips(self.finger, self.planned.seed, cards, self.finger.forgive) if cards > 60 else None
        for event in script[1:]:
            number = slips.before(event, self._by_finger) if slips is not None else None
            if number is None:
                self._do(event)
            else:
                self.truth = self.truth.apply(decode(event))
                self.numbers.append(number)
            self._refusals(event)
            self._look()
        if slips is not None:
            self.told.besides += slips.done
            self.told.wrong += [f"no place for: {one}" for one in slips.left()]
        self.told.events += len(script)

    def _do(self, event: dict[str, Any]) -> None:
        before = self.truth
        assert before is not None
        self.truth = before.apply(decode(event))
        kind = event["event"]
        if kind == "deal" and self.planned.by == "camera":
            pass  # the first word or card deals
        elif kind == "call" and before.must_play is not None:
            pass  # where somebody is vorgeführt nobody is asked: he names his solo (eppstein 3.2.3)
        elif kind == "card":
            self._card(event, before)
        elif kind == "retract" and not self._by_finger and self.camera is not None:
            self.camera.take_back(event["card"], event["seat"])
        elif self.planned.by == "camera" and kind not in ("release", "sign", "close", "leave"):
            self._request(event)
        else:
            self.finger.do(event)
        self.numbers.append(len(self.finger.table.events) - 1)
        if before.running and not self.truth.running:
            self._game_over()

    def _card(self, event: dict[str, Any], before: Round) -> None:
        game = before.game
        assert game is not None
        if self.planned.by == "mixed" and not game.open_trick:
            self._blind(self._rng.random() < BLIND_TRICKS)
        if self._by_finger:
            self.finger.do(event)
            return
        camera, after = self.camera, self.truth
        assert camera is not None and after is not None and after.game is not None
        camera.lay(event["card"], event["seat"], down=event.get("down", False))
        until = camera.now + SEEN_S
        while camera.now < until and not self._as_many(after):
            camera.wait(0.2)
        if after.game.tricks and not after.game.open_trick:
            camera.collect(after.game.tricks[-1].winner)
            camera.wait(0.3)

    def _as_many(self, truth: Round) -> bool:
        """Whether the table has noted as many cards as were laid."""
        told = self.finger.table.round.game
        assert truth.game is not None
        return told is not None and told.cards_laid >= truth.game.cards_laid

    def _request(self, event: dict[str, Any]) -> None:
        """Say it without a finger on the screen, as a number pad or a simulated person does."""
        assert self.camera is not None and self.truth is not None
        self.camera.wait(SPEAK_S)
        request = {**event}
        if event["event"] == "void" and not self.finger.table.round.running:
            self._deliver({"event": "deal", "dealer": self.finger.table.round.next_dealer})
        if event.get("breach") is not None:
            request["breach"] = self.finger.noted(event["breach"])
        if self.breaks():
            request["anyway"] = True
        self._deliver(request)

    def breaks(self) -> bool:
        """Whether what is done just now is a breach that is certain at once."""
        truth, number = self.truth, len(self.numbers)
        return truth is not None and any(offence.event == number for offence in truth.offences)

    def _deliver(self, request: dict[str, Any]) -> None:
        self.seated.kiosk.deliver(Asked(decode_request(request, BY_ALL)))
        self.screen.stage.step(3)

    def _game_over(self) -> None:
        assert self.truth is not None and self.truth.game is not None
        self.told.games += 1
        said = f"game {self.told.games}, {self.finger.touches} touches, {len(self.told.wrong)} faults"
        print(said, file=sys.stderr, flush=True)
        if self.camera is None:
            return
        self.camera.clear(self.truth.game.dealer)
        told = self.finger.table.round
        if told.running and told.game is not None and told.game.cards_laid:
            self._deliver({"event": "finish"})
        for doubt in self.finger.table.view().doubts:
            self._answer(doubt)

    def _answer(self, doubt: Any) -> None:
        """Answer a question about a card: what its player knows to have laid."""
        assert self.truth is not None
        answer = answer_of(doubt, self.truth.games)
        assert answer is not None
        self.told.besides.append("doubt answered")
        if self.planned.by == "camera" or doubt.perhaps:
            self._deliver(answer)
            return
        finger, app = self.finger, self.screen.app
        if app.sheets.current is None:
            finger.touch(app.screen("play").ids.messages.plate("doubt"))
        from kiosk.ui.correct.correct import DoubtSheet

        card = answer["card"]
        if isinstance(finger.sheet, DoubtSheet):
            face = next((one for one in finger.keys(finger.sheet.ids.faces) if one.card == card), None)
            if face is not None:
                finger.touch(face)
                self._change()
                return
            finger.touch(finger.saying(finger.sheet, finger.word("other_card")))
        finger.card(card)
        self._change()

    def _change(self) -> None:
        """Agree to what an answer changes in the list, where its game is there already."""
        from kiosk.ui.correct.change import ChangeSheet

        if isinstance(self.finger.sheet, ChangeSheet):
            self.finger.touch(self.finger.saying(self.finger.sheet, self.finger.word("put_right")))

    # --- judging

    def _refusals(self, event: Event) -> None:
        refusals = self.seated.kiosk.outputs.refusals
        for one in () if self._insisted else refusals[self._refused :]:
            self.told.wrong.append(f"refused at {dict(event)}: {one}")
        self._refused, self._insisted = len(refusals), False

    def _judge(self) -> None:
        """Compare the list with what was played."""
        assert self.truth is not None
        told = self.finger.table.round
        wrong = wrong_rows(self.truth, told)
        if told.players != self.truth.players:
            wrong.append(f"{told.players} sit here, {self.truth.players} should")
        played = len(rows(self.truth))
        self.told.rows += played
        self.told.right += played - len(wrong)
        self.told.wrong += wrong
        if wrong:
            self.told.wrong += map(str, misnoted_cards(self.truth, told))

    def _take_away(self) -> None:
        """Write the list to the stick, and read there what was played."""
        finger, app = self.finger, self.screen.app
        finger.touch(finger.saying(app.screen("list"), finger.word("stick")))
        for _ in range(200):
            if finger.keys(finger.sheet.ids.sticks):
                break
            self._wait(0.1)
        self._look()
        finger.touch(finger.having(finger.sheet, finger.word("stick_round")))
        self._wait(0.5)
        self._look()
        if app.stick_view is None or app.stick_view.state != "done":
            raise KioskError(f"the stick says {app.stick_view}")
        finger.touch(finger.having(finger.sheet, "✕"))
        (events,) = self.seated.stick.rglob("*.jsonl")
        written = fold(parse(line) for line in events.read_text(encoding="utf-8").splitlines())
        assert self.truth is not None
        self.told.wrong += [f"on the stick: {one}" for one in wrong_rows(self.truth, written)]
        (table,) = self.seated.stick.rglob("*.csv")
        lines = list(csv.reader(table.read_text(encoding="utf-8-sig").splitlines(), delimiter=";"))
        if len(lines) <= len(rows(self.truth)) or not list(self.seated.stick.rglob("*.pdf")):
            self.told.wrong.append("on the stick: the list is not whole")

    def _wait(self, seconds: float) -> None:
        if self.camera is not None:
            self.camera.wait(seconds)
        else:
            time.sleep(seconds)
        self.screen.stage.step(2)

    def _end_evening(self) -> None:
        """End the evening in the middle of a round; both rounds stand among the earlier ones."""
        finger, app = self.finger, self.screen.app
        if app.current != "play":
            finger.touch(finger.saying(app.root.rail, finger.word("table")))
        finger.more("next_evening")
        self._look()
        finger.hold(finger.saying(finger.sheet, finger.word("next_evening")))
        self._look()
        if self.seated.table is not None or app.current != "seats":
            raise KioskError("the evening has not ended")
        finger.touch(finger.saying(app.screen("seats"), finger.word("earlier")))
        self._look()
        rounds = [key for key in finger.keys(app.screen("earlier").ids.rounds) if key.opacity]
        if len(rounds) != 2:
            raise KioskError(f"{len(rounds)} earlier rounds")
        finger.touch(rounds[0])
        self._look()

    # --- looking

    def _look(self) -> None:
        """Look at the screen after what somebody did; its time does not stand while people touch it."""
        if self.camera is not None:
            self.camera.advance(self.camera.now + 0.1)
        self.look()

    def look(self) -> None:
        """Look at what was not seen before, and at every screen now and then: nothing may be cut."""
        self._looks += 1
        kind = self._kind()
        new = kind not in self._seen
        if not new and self._looks % LOOK_INTERVAL:
            return
        self._seen.add(kind)
        self.screen.stage.step(SETTLING_FRAMES)
        name = "-".join(part for part in kind if part)
        found = self._faults()
        if found:  # words that have just come may need more frames
            self.screen.stage.step(4 * SETTLING_FRAMES)
            found = self._faults()
        self.told.wrong += [f"{name}: {fault}" for fault in found]
        if new:
            self._picture(name)

    def _faults(self) -> list[str]:
        """What is cut or covered; what unfolds covers its own seat's panel, and a touch takes a refusal away."""
        app = self.screen.app
        if app.refusal.opacity:
            return faults(app.root)
        play = app.screen("play")
        beneath = [play.panels[seat] for seat in play._unfolded]
        return faults(app.root) + overlaps(app.sheets.current or app.root, beneath)

    def _kind(self) -> tuple[str, ...]:
        """What stands on the screen: its name, sheet, phase, what is unfolded, messages, a refusal, the language."""
        app = self.screen.app
        sheet, parts = app.sheets.current, [app.current]
        if sheet is not None:
            parts.append(type(sheet).__name__)
        if app.current == "play" and app.view is not None:
            play = app.screen("play")
            parts += [app.view.phase, *sorted({holder.content.kind for holder in play._unfolded.values()})]
            parts += [
                "breach" * bool(app.view.offences),
                *(message.key.split()[0] for message in play.ids.messages._shown[:2]),
            ]
        parts += ["refused" * bool(app.refusal.opacity), app.language]
        return tuple(parts)

    def _picture(self, name: str) -> None:
        if self._pictures is not None:
            one = self.planned
            self._pictures.mkdir(parents=True, exist_ok=True)
            file = f"{one.book}-{one.by}-{one.size[0]}-{one.language}-{one.seed}-{self._looks:04}-{name}.png"
            self.screen.stage.picture(self._pictures / file)


class EveningFinger(Finger):
    """The finger of an evening: it counts events as its table does."""

    def __init__(self, stage: Any, player: Player) -> None:
        super().__init__(stage, None)
        self._player = player

    def noted(self, number: int | None) -> int | None:
        return None if number is None else self._player.numbers[number]

    def touch(self, key: Any, seconds: float = 0.0) -> None:
        """Touch, and look at what came of it."""
        super().touch(key, seconds)
        self._player.look()

    def forgive(self) -> None:
        """Take the last refusal as one that was expected."""
        self._player._insisted = True

    def breaks(self, event: Event) -> bool:
        self._player._insisted = self._player.breaks()
        return self._player._insisted

    def saying_last_line(self, among: Any, words: str) -> Any:
        """Find the key whose second line says this."""
        return next(key for key in self.keys(among) if key.text.split("\n")[-1].find(words) >= 0)


def planned_evenings(ways: Sequence[str] = WAYS, *, quick: bool = False) -> Iterator[PlannedEvening]:
    """List evenings: every book, way, size and language; quick: each way once."""
    if quick:
        for seed, (by, book) in enumerate(zip(ways, BOOKS, strict=False), 1):
            yield PlannedEvening(book=book, by=by, size=SIZES_PX[0], language=LANGUAGES[0], seed=seed)
        return
    for seed, (by, size, language, book) in enumerate(product(ways, SIZES_PX, LANGUAGES, BOOKS), 1):
        yield PlannedEvening(book=book, by=by, size=size, language=language, seed=seed)


def play_evenings(planned: Sequence[PlannedEvening], pictures: Path | None = None) -> Iterator[Evening]:
    """Play evening after evening in this process's one window."""
    screen = Screen(max(one.size for one in planned))  # what is drawn without a screen never grows
    for one in planned:
        with ExitStack() as stack:
            told = Player(one, screen, stack, pictures).play()
            screen.show(None, one.size, one.language)
        screen.app.show(None)
        yield told


def _memory_mb() -> float:
    """Memory of this process that lies in the machine's."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * PAGE_BYTES / 1e6


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m kiosk.bench.evenings", description=__doc__)
    parser.add_argument("--by", choices=WAYS, action="append")
    parser.add_argument("--book", choices=list(BOOKS), action="append")
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))), action="append")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--games", type=int, help="of a short round, to try an evening's end")
    parser.add_argument("--pictures", type=Path)
    chosen = parser.parse_args()
    wanted = [
        replace(one, seed=chosen.seed or one.seed, games=chosen.games)
        for one in planned_evenings()
        if (not chosen.by or one.by in chosen.by)
        and (not chosen.book or one.book in chosen.book)
        and (not chosen.size or one.size in chosen.size)
        and (not chosen.language or one.language in chosen.language)
    ]
    for told in play_evenings(wanted, chosen.pictures):
        print(told_in_a_line(told), flush=True)


def told_in_a_line(told: Evening) -> str:
    """Write what came of an evening, its faults below."""
    one = told.planned
    head = (
        f"{one.book} {one.by} {one.size[0]}x{one.size[1]} {one.language} seed {one.seed}: {told.games} games, "
        f"{told.events} events, {told.touches} touches, rows {told.right} of {told.rows} right, "
        f"{len(told.wrong)} faults, {told.seconds:.0f} s, {told.memory_mb:.0f} MB; {', '.join(told.besides)}"
    )
    return "\n  ".join([head, *told.wrong])


if __name__ == "__main__":
    _main()
