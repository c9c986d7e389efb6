"""Take another release from a USB stick: what lies there, what becomes of it, and why it is not taken."""

from collections.abc import Mapping
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty

from kiosk.language import say
from kiosk.ui.hardware.release_view import BundleLine, LookForReleases, ReleaseView, TakeRelease
from kiosk.ui.parts.look import Key, Sheet, kv, plain, sign, two_lines

#: Bundles that are shown; more have no room.
MOST = 3


class ReleaseSheet(Sheet):
    """The bundles on the sticks, a key each; then how far the one is that is taken.

    :param referee: the referee has opened it: a list may be open.
    """

    told = StringProperty("")
    below = StringProperty("")
    wrong = BooleanProperty(False)
    percent = NumericProperty(-1)  # of what is being done; -1: nothing that has a share

    def __init__(self, app: Any, referee: bool = False, **kwargs: Any) -> None:
        self._referee = referee
        self._shown: tuple[BundleLine, ...] | None = None
        super().__init__(app, **kwargs)
        self.title = self.word("title")
        app.request(LookForReleases())
        self.draw()

    def draw(self) -> None:
        """Draw the bundles and what becomes of the one that is taken."""
        view = self.app.release_view or ReleaseView()
        self.wrong = view.state == "refused"
        self.percent = view.percent if view.state in ("copying", "fetching", "unpack") else -1
        self.told, self.below = self.words_about(view)
        lines = () if view.busy else view.found[: MOST - (view.state == "refused")]
        if lines == self._shown:
            return
        self._shown = lines
        box = self.ids.bundles
        box.clear_widgets()
        for line in lines:
            key = Key(
                text=two_lines(*self._words_of(line)), tone="dark" if line.code else "gold", disabled=bool(line.code)
            )
            key.meaning = line
            key.bind(on_release=lambda _, line=line: self._take(line))
            box.add_widget(key)

    def words_about(self, view: ReleaseView) -> tuple[str, str]:
        """Say what becomes of a bundle, and what people should do."""
        match view.state:
            case "":
                return self._invitation(view)
            case "waits":
                return f"{sign('✓')} {self.word('waits', version=view.release)}", self.word("waits_hint")
            case "refused":
                return self.reason(view.code, view.values), self.word("unchanged", version=view.runs)
        below = "stay" if view.state == "copying" else "plays_on"
        return self.word(view.state, version=view.release, n=view.percent), self.word(below)

    def _invitation(self, view: ReleaseView) -> tuple[str, str]:
        runs = self.word("runs", version=view.runs)
        if view.searching:
            return self.word("searching"), runs
        if view.found:
            return self.word("choose"), runs
        return self.word("empty" if view.sticks else "none"), runs

    def _words_of(self, line: BundleLine) -> tuple[str, str]:
        head = plain(line.release or line.file or line.stick)
        if line.code:
            return head, self.reason(line.code, line.values)
        return head, self.word("on_stick", stick=line.stick)

    def _take(self, line: BundleLine) -> None:
        self.app.request(TakeRelease(device=line.device, file=line.file, referee=self._referee))

    def reason(self, code: str, values: Mapping[str, Any]) -> str:
        """Say why a bundle is not taken; what is wrong with a stick has the words of every stick."""
        if code.startswith("stick_"):
            return str(self.app.words[code])
        return plain(say("bundles", code, self.app.language, **values))

    def word(self, code: str, **values: Any) -> str:
        """Look up a word of this page."""
        return plain(say("releases", code, self.app.language, **values))


kv(__file__)
