"""Show the rail at the right: the clock, the game, and the keys to everything else."""

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.language.table import word
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.clock import LAST_MINUTES_S, clock_text, remaining
from kiosk.ui.parts.fit import NEAR, first_fitting, fit_name
from kiosk.ui.parts.look import dp, kv, plain, sp, two_lines
from kiosk.ui.rail import strip

#: Room for a line of a key, in units.
LINE_UNITS = 122


class Rail(BoxLayout):
    """The rail, shown while a round is played."""

    time = StringProperty("")
    tone = StringProperty("calm")  # calm last over
    game = StringProperty("")
    left = StringProperty("")
    kind = StringProperty("")
    bock = StringProperty("")
    alarm = StringProperty("")
    screen = StringProperty("play")
    hidden = BooleanProperty(True)
    resting = BooleanProperty(False)
    last = BooleanProperty(False)  # the last trick may be seen
    limited = BooleanProperty(True)  # there is a playing time
    drawn_lamps = BooleanProperty(False)  # lamps that are not wired are drawn here

    def draw_lamps(self, wanted: bool) -> None:
        """Draw the lamps in a row below the clock, which is their display."""
        self.drawn_lamps = wanted

    def show(self, app: Any, view: TableView) -> None:
        """Draw the view."""
        text = app.words
        over = view.phase == "over"
        self.game = app.say("over") if over else text["game_n"].format(game=view.game)
        self.left = "" if over or view.games_left is None else text["games_left"].format(left=view.games_left)
        kind = ""
        if view.kind and view.phase in ("playing", "resting"):
            lines = [self._named(app, view)]
            if view.called:
                lines.append(text["calls_card"].format(card=app.faces.name(view.called)))
            if view.renonce:
                lines.append(text["renonce"])
            if view.raised:
                lines.append(text["raised_with"].format(call=app.say(view.raised[-1])))
            if view.declarer:
                name = view.seats[view.declarer - 1].name
                lines.append(plain(fit_name(name, dp(LINE_UNITS), sp(NEAR), among=view.names)))
            kind = "\n".join(lines)
        self.kind = kind
        self.bock = text["counts_double"] if view.doubled and not over else ""
        if view.bock_left and not over:
            self.bock = "  ".join([self.bock, text["bock"].format(n=view.bock_left)]).strip()
        self.limited = view.clock.limited
        self.last = view.last_trick is not None
        self.resting = view.phase == "resting"
        live = [one for one in view.offences if one.claimants]
        if self.resting:
            self.alarm = two_lines(text["ruling"], text["resting"])
        elif live:
            room = dp(LINE_UNITS)
            name = plain(fit_name(view.seat(live[-1].seat).name, room, sp(NEAR), among=view.names))
            what = first_fitting((app.say(live[-1].code), text["breach_title"]), room, sp(NEAR), True)
            self.alarm = two_lines(what, name)
        else:
            self.alarm = ""
        self.tick(app)

    @staticmethod
    def _named(app: Any, view: TableView) -> str:
        """The game in play, with the sign of its suit."""
        name = word(str(view.kind), app.language)
        return f"{app.faces.suit(view.suit)} {name}" if view.suit else name

    def tick(self, app: Any) -> None:
        """Draw the time that has passed since the view."""
        left = remaining(app.view, app.view_at)
        self.time = clock_text(left)
        over = left < 0 or (app.view is not None and app.view.clock.over)
        self.tone = "over" if over else "last" if left < LAST_MINUTES_S else "calm"

    def complain(self, app: Any, by: int = 0) -> None:
        """Open the alarm's sheet, the ruling, or a Reklamation of one's own, towards the seat that asks for it."""
        if self.resting:
            app.sheets.open("referee", by)
        elif self.alarm:
            app.sheets.open("breach", by)
        else:
            app.sheets.open("complain", by)


kv(__file__)
assert strip  # the layout has its lamps
