"""Give Nachspielzeit that no Reklamation stands behind, and find an earlier ruling that was wrong."""

from functools import partial
from typing import Any

from kiosk.table.events.codec import request_for
from kiosk.table.events.values import RulingGiven
from kiosk.table.view.table_view import RulingView, TableView
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Key, Sheet, kv, two_lines
from kiosk.ui.referee.ruling import ruling_told

#: What a referee writes at once on a table's list; no book names a step (eppstein 7.4.1, bsv 8.5, ddv 8.5).
MINUTES = (2, 3, 4, 5, 8, 10, 15, 20, 30)

#: So many rulings are shown at once, the newest first.
PAGE = 6


class ExtraTimeSheet(Sheet):
    """Nachspielzeit for this table (eppstein 7.4.1, bsv 8.5): a Reklamation that waits goes on waiting."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["extra_title"]
        for minutes in MINUTES:
            label = app.words["minutes_n"].format(n=minutes)
            key = HoldKey(calm_text=label, calm_tone="ivory", go=partial(self._give, minutes, label))
            self.ids.minutes.add_widget(key)

    def _give(self, minutes: int, label: str) -> None:
        self.close()
        request = request_for(RulingGiven, offender=None, kind="none", minutes=minutes, answers=False)
        self.app.as_referee(request, f"{self.app.words['extra_time']}: {label}")


class RulingsSheet(Sheet):
    """The rulings of this round; a touched one is put right, whichever game it was about."""

    page = 0

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._shown: tuple[tuple[RulingView, ...], int] | None = None
        super().__init__(app, **kwargs)
        self.title = app.words["rulings_title"]

    def show(self, view: TableView) -> None:
        if (view.rulings, self.page) == self._shown:
            return
        self._shown = view.rulings, self.page
        box = self.ids.rulings
        box.clear_widgets()
        for shown in view.rulings[::-1][self.page * PAGE : (self.page + 1) * PAGE]:
            one, text = shown.ruling, self.app.words
            beside = [text["game_n"].format(game=shown.game)] if shown.game is not None else []
            beside += [text["ruling_taken_back"]] if one.word is None else []
            told = ruling_told(self.app, one.said if one.word is None else one.word)
            key = Key(text=two_lines(told, ", ".join(beside)), tone="ivory")
            key.bind(on_release=lambda _, of=one.event: self.app.sheets.open("ruling", of=of))
            box.add_widget(key)
        self.ids.page_key.shown = len(view.rulings) > PAGE

    def turn(self) -> None:
        """Show earlier rulings, and then the newest again."""
        self.page = (self.page + 1) % -(-len(self.app.view.rulings) // PAGE)
        self.show(self.app.view)


kv(__file__)
