"""Take the ruling as the book classifies it (eppstein 8.3 to 8.6)."""

from collections.abc import Mapping, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from kiosk.language.rules import section_word
from kiosk.rules.engine.values import MISREAD
from kiosk.table.events.codec import request_for, spell_out
from kiosk.table.events.values import Request, RulingGiven, WordCorrected
from kiosk.table.preview import Preview
from kiosk.table.view.table_view import PresetView, TableView, WordView
from kiosk.ui.parts import look
from kiosk.ui.parts.fit import NEAR, fit_name
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Key, Sheet, dp, kv, plain, sp
from kiosk.ui.parts.previewing import preview_told

#: Room for a player's name on a key, and over the keys that count, in units.
OFFENDER_UNITS, STEPPER_UNITS = 76, 66

#: Classes of rulings in the order shown: those that the book knows between the two that are always there.
CLASSES = ("none", "minor", "serious", "decided", "custom")
EXTRA_TIME_MIN = (0, 2, 3, 5, 10, 15)

#: The form's parts, from above.
PARTS = ("classes", "told", "who", "extra", "scores", "rest", "actions")

#: What a correction would change is asked for once nothing was touched for so many seconds.
PREVIEW_AFTER_S = 0.15

#: A key that counts begins to repeat after so many seconds, and then steps so often.
REPEAT_AFTER_S, REPEAT_EVERY_S = 0.5, 0.09


class RulingSheet(Sheet):
    """The ruling: class, offender, extra time; and the points where the referee sets them himself.

    :param of: the event of an earlier ruling that was wrong, also of a game long noted; this one counts instead.
    """

    page = NumericProperty(1)  # turned towards a side it has two: who and which class, points and time
    grade = StringProperty("minor")
    offender = NumericProperty(-1)  # 0: nobody
    minutes = NumericProperty(0)
    harms = BooleanProperty(False)
    may_harm = BooleanProperty(False)  # it makes a difference for this offender and class
    resume = BooleanProperty(True)
    writing = BooleanProperty(False)  # the referee sets the points
    euros = BooleanProperty(False)  # the steppers set euros, not points
    pays = BooleanProperty(False)  # there are fines in euro
    timed = BooleanProperty(True)  # there is a playing time to be made longer
    hint = StringProperty("")
    change = StringProperty("")  # what another ruling would change in the list
    about = StringProperty("")

    def __init__(self, app: Any, of: int | None = None, **kwargs: Any) -> None:
        self.scores: dict[int, int] = {}
        self.fines: dict[int, float] = {}
        self._breach: object = None
        self._of = of
        self._wanted: Request | None = None  # whose preview is asked for
        self._ask_preview = Clock.create_trigger(self._preview, PREVIEW_AFTER_S)
        super().__init__(app, **kwargs)
        text, view = app.words, app.view
        self.title = text["ruling_title" if of is None else "rulings"]
        # What a class would book is known of the game in play or just ended alone.
        self.presets = {(one.kind, one.offender, one.harms): one for one in view.presets if of is None}
        self.pays = view.book.pays
        self.timed = view.clock.limited
        self._make_actions()
        self.sections = view.book.rulings
        against = self._what_for(view) if of is None else None
        for grade in CLASSES:
            if grade not in ("none", "custom", *self.sections):
                continue
            key = ChoiceKey(value=grade, text=text["class_" + grade])
            key.bind(on_release=lambda key: self.choose_grade(key.value))
            self.ids.classes.add_widget(key)
        for seat in (*[seat.seat for seat in view.seats], 0):
            name = text["nobody"]
            if seat:
                name = plain(fit_name(view.seat(seat).name, dp(OFFENDER_UNITS), sp(NEAR), among=view.names))
            key = ChoiceKey(value=str(seat), text=name)
            key.bind(on_release=lambda key: self.choose_offender(int(key.value)))
            self.ids.offenders.add_widget(key)
        for minutes in EXTRA_TIME_MIN:
            key = ChoiceKey(value=str(minutes), text=text["minutes_n"].format(n=minutes))
            key.bind(on_release=lambda key: self.choose_minutes(int(key.value)))
            self.ids.minute_box.add_widget(key)
        for seat in view.seats:
            self.scores[seat.seat] = self.fines[seat.seat] = 0
            short = plain(fit_name(seat.name, dp(STEPPER_UNITS), sp(NEAR), among=view.names))
            stepper = ScoreStepper(short=short, seat=seat.seat)
            stepper.sheet = self
            self.ids.scores.add_widget(stepper)
        # Strong references: what is not wanted now is not in the tree.
        self._parts = {name: self.ids[name].__self__ for name in PARTS}
        for name in ("upended", "page", "writing", "timed"):
            self.fbind(name, self._lay_parts)
        if self.about:
            self.title = self.about
        self.names = [plain(seat.name) for seat in view.seats]
        self.choose_offender(against or 0)
        self.choose_grade(next(iter(self.sections), "custom"))
        self.choose_minutes(0)
        if of is not None:
            self._fill(next(one.ruling for one in view.rulings if one.ruling.event == of))
        self._lay_parts()

    def _lay_parts(self, *_: object) -> None:
        """Have those parts in the form that are wanted now: upright all, turned towards a side those of the page."""
        if not (self.upended and (self.timed or self.writing)):
            self.page = 1
        on_page = {1: {"classes", "who"}, 2: {"extra", "scores"}}[int(self.page)]
        wanted = {"told", "rest", "actions"} | on_page if self.upended else {*PARTS} - {"rest"}
        wanted -= {name for name, there in (("extra", self.timed), ("scores", self.writing)) if not there}
        parts = [self._parts[name] for name in PARTS if name in wanted]
        body = self.ids.body
        if parts != body.children[::-1]:
            body.clear_widgets()
            for part in parts:
                body.add_widget(part)
        for stepper in self.ids.scores.children:
            stepper.beside = self.upended
        self._show_actions()

    def _turn_page(self) -> None:
        self.page = 3 - self.page

    def show(self, view: TableView) -> None:
        if self._of is None and view.phase not in ("resting", "scored"):
            self.close()

    def _fill(self, wrong: WordView) -> None:
        """Begin with what was ruled."""
        ruled = wrong.said if wrong.word is None else wrong.word
        self._breach = ruled.get("breach")
        self.harms, self.resume = bool(ruled.get("harms_soloist")), bool(ruled.get("resume", True))
        for amounts, kept in ((ruled.get("scores"), self.scores), (ruled.get("fines"), self.fines)):
            kept.update({int(seat): amount for seat, amount in (amounts or {}).items()})
        for stepper in self.ids.scores.children:
            stepper.score = self.scores[int(stepper.seat)]
        self.about = ruling_told(self.app, ruled)
        self.title = f"{self.app.words['rulings']}: {self.about}"
        self.choose_offender(ruled.get("offender") or 0)
        self.choose_grade(str(ruled["class"]))
        self.choose_minutes(int(ruled.get("minutes") or 0))

    def _what_for(self, view: TableView) -> int | None:
        """Find what the ruling is about: the Reklamation, else a breach; return the offender, if one is named."""
        objection, text = view.objection, self.app.words
        if not objection:
            return self._of_breach(view)
        self._breach = objection.get("breach")
        who, against = objection.get("seat"), objection.get("against")
        code = str(objection.get("code") or "")
        name = plain(view.seat(who).name) if isinstance(who, int) else ""
        what = self.app.say(code) if code else text["complain"]
        if isinstance(against, int):
            what = f"{plain(view.seat(against).name)} – {what}"
        self.about = text["referee_coming"].format(name=name, what=what)
        return against if isinstance(against, int) else None

    def _of_breach(self, view: TableView) -> int | None:
        """Where nobody has complained: rule on the last breach that is not ruled yet; its seat, None without one."""
        left = [one for one in view.offences if not one.ruled and one.code != MISREAD]
        if not left:
            return None
        self._breach = left[-1].event
        name, what = plain(view.seat(left[-1].seat).name), self.app.say(left[-1].code)
        self.about = f"{name} – {what}"
        return left[-1].seat

    @staticmethod
    def _mark(box: Any, value: str) -> None:
        for key in box.children:
            key.chosen = key.value == value

    def choose_grade(self, grade: str) -> None:
        """Classify the breach."""
        self.grade = grade
        self._mark(self.ids.classes, grade)
        self._tell()

    def choose_offender(self, seat: int) -> None:
        """Name the offender; 0 is nobody."""
        self.offender = seat
        self._mark(self.ids.offenders, str(seat))
        self._tell()

    def choose_harms(self) -> None:
        """Choose whether the breach may have harmed the soloist (eppstein 8.4.3)."""
        self.harms = not self.harms
        self._tell()

    def _preset(self) -> PresetView | None:
        harms = self.harms and (self.grade, int(self.offender), True) in self.presets
        return self.presets.get((self.grade, int(self.offender), harms))

    def _tell(self) -> None:
        """What the class means, where it stands, and what it books for this offender."""
        text, app = self.app.words, self.app
        plain_one = self.presets.get((self.grade, int(self.offender), False))
        harmed = self.presets.get((self.grade, int(self.offender), True))
        self.may_harm = harmed is not None and plain_one is not None and harmed.scores != plain_one.scores
        if self._of is not None:
            self.may_harm = self.grade == "minor" and bool(self.offender)  # which game it was is not asked
        preset = self._preset()
        self.writing = self.grade == "custom" or self.grade in app.view.unpriced
        section = self.sections.get(self.grade, "")
        parts = [text[f"class_{self.grade}_hint"]]
        if section:
            parts[0] += f" ({section_word(section, app.language)})"
        nobody = bool(section) and not self.offender
        if nobody:
            parts.append(text["class_who"])
        self._book_key.disabled = nobody
        if self.grade in app.view.unpriced:
            parts[0] += " " + text["class_needs_scores"]
        if preset is not None and preset.scores is not None and any(preset.scores):
            parts.append(self._by_name(preset.scores, ""))
        if preset is not None and preset.euros:
            parts.append(self._by_name([-euros for euros in preset.euros], " €"))
        self.hint = "\n".join(parts)
        self.ask_preview()
        self._show_actions()

    def ask_preview(self) -> None:
        """Ask what the ruling as it is chosen now would change, where it takes the place of another."""
        if self._of is not None:
            self._wanted, self.change = None, ""
            self._ask_preview()

    def _preview(self, *_: object) -> None:
        if self.app.sheets.current is self and not self._book_key.disabled:
            self._wanted = self.app.for_referee(self._request())
            self.app.ask_preview(self._wanted)

    def preview(self, preview: Preview) -> None:
        """Show what it would change."""
        if preview.request == self._wanted:
            self.change = preview_told(self.app, preview)

    def _make_actions(self) -> None:
        text = self.app.words
        self._page_key = Key(tone="dark", on_release=lambda _: self._turn_page())
        self._resume_key = Key(on_release=lambda _: self._turn("resume"))
        self._euro_key = Key(on_release=lambda _: self.show_euros())
        self._harm_key = Key(on_release=lambda _: self.choose_harms())
        self._book_key = HoldKey(calm_tone="gold", calm_text=f"[b]{text['book_ruling']}[/b]", go=self.book)
        self._withdraw_key = HoldKey(calm_text=text["ruling_withdraw"], go=self.withdraw)

    def _turn(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))
        self._show_actions()

    def _show_actions(self) -> None:
        """The keys below: those that this class needs."""
        text = self.app.words
        self._resume_key.text = text["resume" if self.resume else "ends"]
        self._euro_key.text = text["in_euros" if self.euros else "in_points"]
        self._harm_key.text = look.sign("☑" if self.harms else "☐") + "  " + text["harms"]
        first, second = not self.upended or self.page == 1, not self.upended or self.page == 2
        amounts = text["minutes"] if not self.writing else text["ruling_amounts" if self.timed else "ruling_points"]
        self._page_key.text = text["back"] if self.page == 2 else amounts
        shown = (
            (self._page_key, self.upended and (self.timed or self.writing)),
            (self._resume_key, self.grade == "custom" and second),
            (self._euro_key, self.writing and self.pays and second),
            (self._harm_key, self.may_harm and first),
            (self._withdraw_key, self._of is not None),
            (self._book_key, True),
        )
        self.ids.actions.clear_widgets()
        for key, wanted in shown:
            if wanted:
                self.ids.actions.add_widget(key)

    def _by_name(self, values: Sequence[float], unit: str) -> str:
        written = [f"{value:+g}{unit}" if value else "0" for value in values]
        return "   ".join(f"{name} [b]{value}[/b]" for name, value in zip(self.names, written, strict=True))

    def show_euros(self) -> None:
        """Let the steppers set euros instead of points, or points again."""
        self.euros = not self.euros
        for stepper in self.ids.scores.children:
            stepper.score = (self.fines if self.euros else self.scores)[int(stepper.seat)]
        self._show_actions()

    def choose_minutes(self, minutes: int) -> None:
        """Give extra time."""
        self.minutes = minutes
        self._mark(self.ids.minute_box, str(minutes))

    def _request(self) -> Request:
        """The ruling as it is chosen, or the correction of the wrong one."""
        ruling: dict[str, Any] = {}
        if self._breach is not None:
            ruling["breach"] = self._breach
        if self.may_harm:
            ruling["harms_soloist"] = self.harms
        if self.writing:
            ruling["scores"] = dict(self.scores)
            paid = {seat: euros for seat, euros in self.fines.items() if euros}
            if paid:
                ruling["fines"] = paid
        if self.grade == "custom":
            ruling["resume"] = self.resume
        if self.minutes:
            ruling["minutes"] = int(self.minutes)
        offender = int(self.offender) or None
        if self._of is None:
            return request_for(RulingGiven, offender=offender, kind=self.grade, **ruling)
        right = spell_out(RulingGiven, offender=offender, kind=self.grade, **ruling)
        return request_for(WordCorrected, of=self._of, word=right)

    def book(self) -> None:
        """Enter the ruling."""
        question = f"{self.app.words['ruling']}: {self.app.words['class_' + self.grade]}"
        if self.offender:
            question += f" – {self.names[int(self.offender) - 1]}"
        request = self._request()
        self.close()
        self.app.as_referee(request, question)

    def withdraw(self) -> None:
        """Take the wrong ruling back altogether."""
        self.close()
        assert self._of is not None
        request = request_for(WordCorrected, of=self._of, word=None)
        self.app.as_referee(request, f"{self.app.words['ruling_withdraw']}: {self.about}")


def ruling_told(app: Any, ruled: Mapping[str, Any]) -> str:
    """Write an earlier ruling: its class, against whom, and the extra time that it gave."""
    offender, minutes = ruled.get("offender"), ruled.get("minutes")
    parts = [] if ruled["class"] == "none" and minutes else [app.words["class_" + str(ruled["class"])]]
    if isinstance(offender, int):
        parts.append(plain(app.view.seat(offender).name))
    if minutes:
        parts.append("+" + str(app.words["minutes_n"]).format(n=f"{minutes:g}"))
    return " – ".join(map(str, parts))


class KeyGrid(GridLayout):
    """Keys beside each other; turned towards a side, where so many have no room, in rows."""

    across = NumericProperty(3)
    upended = BooleanProperty(False)


class ChoiceKey(Key):
    """One of several keys; the chosen one is ivory."""

    value = StringProperty("")
    chosen = BooleanProperty(False)

    def on_chosen(self, *_: object) -> None:
        self.tone = "ivory" if self.chosen else "green"


class StepKey(Key):
    """A key that counts by one, and repeats while it is held."""

    by = NumericProperty(1)
    stepper = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._waiting = Clock.create_trigger(self._run, REPEAT_AFTER_S)
        self._running = Clock.create_trigger(self._step, REPEAT_EVERY_S, interval=True)

    def on_state(self, _: Any, state: str) -> None:
        self._waiting.cancel()
        self._running.cancel()
        if state == "down":
            self._step()
            self._waiting()

    def _run(self, *_: object) -> None:
        self._running()

    def _step(self, *_: object) -> None:
        if self.stepper is not None:
            self.stepper.step(int(self.by))


class ScoreStepper(BoxLayout):
    """Points for one seat."""

    short = StringProperty("")  # the player's name
    seat = NumericProperty(0)
    score = NumericProperty(0)
    beside = BooleanProperty(False)  # the name stands beside the keys, not above them
    sheet: Any = None

    def step(self, by: int) -> None:
        """Count up or down."""
        self.score += by
        chosen = self.sheet.fines if self.sheet.euros else self.sheet.scores
        chosen[int(self.seat)] = int(self.score)
        self.sheet.ask_preview()


kv(__file__)
