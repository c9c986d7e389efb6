"""A browser's page of the direction as somebody uses it: by what its buttons, fields and links are called.

Each press must change something that people see; errors of scripts, of the content policy and of the service, and
anything that stands out at the side, are kept as faults.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Response, expect

#: What somebody sees who looks for an answer: where he is, a dialog, what was said, and the page's text.
_SEEN = """() => {
  const text = id => document.getElementById(id)?.innerText ?? "";
  const fields = [...document.querySelectorAll("#main input, #main textarea, #main select")]
    .map(one => one.type === "checkbox" ? one.checked : one.value);
  return [location.hash, text("dialog"), text("toasts"), text("top"), text("main"), fields.join("|"),
    document.querySelectorAll("#main button[disabled]").length].join("\\n");
}"""

#: How far something stands out at the side, px, and texts that are cut off and stand nowhere whole.
_CUT = """() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const cut = [...document.querySelectorAll("body *")].filter(one => {
    const style = getComputedStyle(one);
    return one.clientWidth && one.scrollWidth > one.clientWidth + 1 && ["hidden", "clip"].includes(style.overflowX)
      && style.clipPath === "none" && !one.closest("[title]");
  }).map(one => `${one.className || one.tagName}: ${one.innerText.slice(0, 60)}`);
  return [Math.max(0, wide), [...new Set(cut)]];
}"""

_PATIENCE_MS = 60_000


class Person:
    """Somebody at a browser.

    :param faults: what is wrong is added here, with who saw it.
    """

    def __init__(
        self, browser: Browser, url: str, who: str, size: tuple[int, int], pictures: Path, faults: list[str]
    ) -> None:
        self.who, self.url, self.faults = who, url, faults
        self.presses, self.views = 0, 0
        self.away = False  # the service is: that requests fail is known
        self._pictures = pictures
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale="de-DE",
            timezone_id="Europe/Berlin",
            ignore_https_errors=True,  # as who has read /zertifikat and goes on
            accept_downloads=True,
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(_PATIENCE_MS)
        self.page.on("pageerror", lambda error: self._fault(f"script: {error}"))
        self.page.on("console", self._heard)
        self.page.on("response", self._answered)

    def _fault(self, text: str) -> None:
        self.faults.append(f"{self.who}: {text}")

    def _heard(self, message: ConsoleMessage) -> None:
        refused = "status of 4" in message.text  # the page words it, or the step fails
        if message.type == "error" and not refused and not (self.away and "net::" in message.text):
            self._fault(f"console: {message.text}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= 500:
            self._fault(f"{answer.status} for {answer.url}")

    # --- where

    def go(self, where: str) -> None:
        """Open a page by its address after #."""
        self.page.goto(f"{self.url}/#/{where}")
        expect(self.page.locator("#main")).not_to_be_empty(timeout=_PATIENCE_MS)

    def turn_to(self, link: str, within: str = "") -> None:
        """Follow a link of the page by its name; ``within``: of the navigation that is called so."""
        place: Any = self.page.get_by_role("navigation", name=within, exact=True) if within else self.page
        place.get_by_role("link", name=link, exact=True).first.click()

    def set_up(self, view: str) -> None:
        """Turn to one of the views of the tournament: Leute, Plätze, Ablauf, Regelwerk."""
        self.turn_to("Turnier", "Seiten")
        self.turn_to(view, "Turnier")

    # --- acts

    def press(self, name: str, within: Locator | None = None) -> None:
        """Press the button of this name, and see that something comes of it."""
        place: Any = within if within is not None else self.page
        button = place.get_by_role("button", name=name, exact=True).first
        expect(button).to_be_enabled(timeout=_PATIENCE_MS)
        before = self.page.evaluate(_SEEN)
        button.click()
        self.presses += 1
        for _ in range(100):
            if self.page.evaluate(_SEEN) != before:
                return
            self.page.wait_for_timeout(50)
        self._fault(f"pressed {name!r}, and nothing changed")
        self.shot(f"without-effect-{name}")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def fill(self, fields: Mapping[str, str], within: Locator | None = None) -> None:
        """Fill fields by their labels; of a choice the text that is to be chosen."""
        for label, value in fields.items():
            field = self.field(label, within)
            if field.evaluate("one => one.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)

    def field(self, label: str, within: Locator | None = None) -> Locator:
        """Find a field by its label; a choice's own words are not part of it."""
        place: Any = within if within is not None else self.page
        found: Locator = place.get_by_role("combobox", name=label, exact=True)
        return found.or_(place.get_by_label(label, exact=True)).first

    def answer(self, yes: str, fields: Mapping[str, str] | None = None, shot: str = "") -> None:
        """Fill the dialog that is open, and press its button; it must be gone then."""
        expect(self.dialog).to_be_visible(timeout=_PATIENCE_MS)
        self.fill(fields or {}, self.dialog)
        if shot:
            self.shot(shot)
        self.dialog.get_by_role("button", name=yes, exact=True).click()
        self.presses += 1
        expect(self.dialog).to_be_hidden(timeout=_PATIENCE_MS)

    def read(self, text: str) -> None:
        """Wait until this text stands somewhere on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=_PATIENCE_MS)

    def log_in(self, name: str, password: str) -> None:
        """Log in by the page's button."""
        self.page.goto(f"{self.url}/")
        self.press("Anmelden")
        self.answer("Anmelden", {"Name": name, "Passwort oder PIN": password})
        expect(self.page.get_by_role("button", name="Abmelden")).to_be_visible(timeout=_PATIENCE_MS)

    def ask(self, path: str) -> Any:
        """Fetch JSON with this person's session, for checks alone."""
        answer = self.context.request.get(f"{self.url}{path}")
        if not answer.ok:
            self._fault(f"{answer.status} for {path}")
            return None
        return answer.json()

    def download(self, name: str) -> bytes:
        """Follow a link that gives a file, and return it."""
        link = self.page.get_by_role("link", name=name, exact=True).first
        answer = self.context.request.get(f"{self.url}{link.get_attribute('href')}")
        if not answer.ok:
            self._fault(f"{answer.status} for the file {name!r}")
        return answer.body()

    # --- looking

    def shot(self, name: str) -> None:
        """Keep a picture of what is seen, and look whether something stands out or is cut."""
        self.views += 1
        width, cut = self.page.evaluate(_CUT)
        if width:
            self._fault(f"{name}: {width} px stand out at the side")
        for text in cut:
            self._fault(f"{name}: cut: {text!r}")
        at = self.page.evaluate("scrollY")
        self.page.evaluate("scrollTo(0, 0)")
        whole = self.page.evaluate("document.querySelector('dialog[open]') === null")
        safe = name.replace("/", "-").replace(" ", "-")
        self.page.screenshot(path=self._pictures / f"{safe}-{self.who}.png", full_page=whole)
        self.page.evaluate("at => scrollTo(0, at)", at)
