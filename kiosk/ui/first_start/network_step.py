"""Ask into which network this table goes: by cable, or one of the Wi-Fi networks that it hears."""

from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.ui.first_start.network_view import ForgetWifi, JoinWifi, NetworkView, WifiLine
from kiosk.ui.first_start.start_view import StartView
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Key, Sheet, kv, plain, sign, two_lines
from kiosk.ui.parts.typing import TypeSheet

#: Networks on a page.
ON_A_PAGE = 6

#: State → what is said of it.
_STATES = {
    "looking": "wifi_looking",
    "joining": "wifi_joining",
    "password": "wifi_password_wrong",
    "short": "wifi_short",
    "address": "wifi_no_address",
    "gone": "wifi_gone",
    "weak": "wifi_weak",
    "slow": "wifi_slow",
    "busy": "wifi_failed",
    "enterprise": "wifi_enterprise",
    "wep": "wifi_wep",
    "wifi": "wifi_none",
    "denied": "wifi_denied",
    "tools": "wifi_tools",
    "failed": "wifi_failed",
}

#: Strength in percent from which a network has so many bars.
_BARS = ((75, "▂▄▆█"), (50, "▂▄▆"), (25, "▂▄"), (0, "▂"))


class NetworkStep(BoxLayout):
    """What the table is connected to, and keys of the networks, the strongest first."""

    told = StringProperty("")
    page = NumericProperty(0)
    pages = NumericProperty(1)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self._view = NetworkView()
        super().__init__(**kwargs)
        self._keys = [Key(tone="ivory") for _ in range(ON_A_PAGE)]
        for number, key in enumerate(self._keys):
            key.bind(on_release=lambda _, number=number: self._touched(number))
            self.ids.wifis.add_widget(key)
        self._turn_key = Key(text=sign("›"), font_size="26sp", size_hint_x=0.3, on_release=lambda _: self.turn())

    def draw(self, view: StartView) -> None:
        """Show what there is."""
        now = self._view = view.network
        self.told = self._said(now)
        self.pages = max(1, -(-len(now.wifis) // ON_A_PAGE))
        self.page = min(self.page, self.pages - 1)
        if (self.pages > 1) != (self._turn_key.parent is not None):
            others = self.ids.others
            (others.add_widget if self.pages > 1 else others.remove_widget)(self._turn_key)
        for number, key in enumerate(self._keys):
            line = self._line(number)
            key.disabled, key.opacity = line is None, float(line is not None)
            if line is not None:
                key.text = two_lines(plain(line.name), self._below(line))
                key.tone, key.meaning = ("gold" if line.active else "ivory"), line.ssid
        self.ids.by_name.disabled = not now.has_wifi or now.state == "joining"

    def turn(self) -> None:
        """Go to the next page, after the last to the first."""
        self.page = (self.page + 1) % self.pages
        self.draw(StartView(network=self._view))

    def _said(self, now: NetworkView) -> str:
        """Say what the table is connected to, and what became of the last wish."""
        text, about = self.app.words, plain(now.about)
        lines = []
        if now.state in _STATES:
            lines.append(text[_STATES[now.state]].format(name=about, addresses=", ".join(now.addresses) or "–"))
        if now.cable:
            lines.append(text["cable_address" if now.cable_address else "cable_alone"].format(ip=now.cable_address))
        active = next((one for one in now.wifis if one.active), None)
        if active is not None and now.wifi_address:
            lines.append(text["wifi_address"].format(name=plain(active.name), ip=now.wifi_address))
        elif now.state == "joined":
            lines.append(text["wifi_joined"].format(name=about))
        if not lines:
            lines.append(text["wifi_choose" if now.has_wifi else "wifi_none"])
        if now.codes and now.has_wifi and now.state not in ("joining", "joined") and active is None:
            lines.append(text["wifi_code"])
        return "\n".join(lines)

    def _below(self, line: WifiLine) -> str:
        text = self.app.words
        secured = "wifi_open" if line.security in ("open", "owe") else "wifi_secured"
        word = text["wifi_in" if line.active else "wifi_known" if line.known else secured]
        bars = next(bars for least, bars in _BARS if line.strength >= least)
        return f"{sign(bars)}  {word}"

    def _line(self, number: int) -> WifiLine | None:
        place = int(self.page) * ON_A_PAGE + number
        return self._view.wifis[place] if place < len(self._view.wifis) else None

    def _touched(self, number: int) -> None:
        line = self._line(number)
        if line is not None:
            ask_for(self.app, line)

    def by_name(self) -> None:
        """Ask for the name of a network that hides itself."""
        self.app.sheets.open("wifi_name", by=0)


def ask_for(app: Any, line: WifiLine) -> None:
    """Ask what is needed to go into a network; one that is known is offered to be forgotten as well."""
    if line.known:
        app.sheets.open("wifi", by=0, line=line)
    elif line.security in ("wpa", "sae"):
        app.sheets.open("wifi_password", by=0, line=line)
    else:
        app.request(JoinWifi(line.ssid, "", line.security))


class WifiSheet(Sheet):
    """A network that is known: go in, with another password, or forget it."""

    def __init__(self, app: Any, line: WifiLine, **kwargs: Any) -> None:
        self.line = line
        super().__init__(app, **kwargs)
        self.title = plain(line.name)

    def join(self) -> None:
        """Go in with what is known."""
        self.close()
        self.app.request(JoinWifi(self.line.ssid, "", self.line.security))

    def anew(self) -> None:
        """Ask for another password."""
        self.app.sheets.open("wifi_password", by=0, line=self.line)

    def forget(self) -> None:
        """Forget it."""
        self.close()
        self.app.request(ForgetWifi(self.line.ssid))


class WifiNameSheet(TypeSheet):
    """The name of a network that hides itself."""

    most = 32

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, app.words["wifi_name"], **kwargs)

    def done(self) -> None:
        """Ask for its password."""
        if self.typed:
            line = WifiLine(self.typed.encode()[:32], self.typed, 0, "wpa")
            self.app.sheets.open("wifi_password", by=0, line=line, hidden=True)


class WifiPasswordSheet(TypeSheet):
    """The password of a network; of one that hides itself none means that it is open."""

    most = 64

    def __init__(self, app: Any, line: WifiLine, hidden: bool = False, **kwargs: Any) -> None:
        super().__init__(app, app.words["wifi_password"].format(name=plain(line.name)), **kwargs)
        self.line, self.hidden = line, hidden

    def done(self) -> None:
        """Go in."""
        line = self.line
        if not self.typed and not self.hidden:
            return
        self.close()
        security = line.security if self.typed else "open"
        self.app.request(JoinWifi(line.ssid, self.typed, security, self.hidden))


assert issubclass(HoldKey, Key)  # the layout has it
kv(__file__)
