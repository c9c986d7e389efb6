"""Choose how signals are given, and how bright the screen is."""

from dataclasses import replace
from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.language import say
from kiosk.ui.hardware.hardware_view import ChooseLight, ChooseSound, LightChoice, SoundChoice
from kiosk.ui.parts.look import Sheet, kv, plain

#: Steps of volume and brightness, percent; of the quiet hours, minutes; of the time until the screen rests, minutes.
STEP, QUIET_STEP, REST_STEPS = 10, 30, (0, 2, 5, 10, 20, 30, 60)

#: The quiet hours that the key for them begins with.
QUIET = "22:00-07:00"


class SettingRow(BoxLayout):
    """A setting with its value and a key to each side."""

    label = StringProperty("")
    value = StringProperty("")
    what = StringProperty("")
    step = NumericProperty(0)


class SoundAndLightSheet(Sheet):
    """Volume, loudspeaker, spoken words, quiet hours; brightness at work and at rest."""

    device = StringProperty("")
    speak = StringProperty("")
    quiet = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = say("technik", "settings", app.language)
        self.sound, self.light = SoundChoice(), LightChoice()
        self.take()

    def take(self) -> None:
        """Draw the settings as the table has them."""
        view = self.app.screen("hardware").view
        self.sound, self.light = view.sound, view.light
        self._draw()

    def _draw(self) -> None:
        word, sound, light = self._word, self.sound, self.light
        begin, _, end = sound.quiet.partition("-")
        values = {
            "volume": f"{sound.volume} %",
            "from": begin or word("never"),
            "to": end or word("never"),
            "brightness": f"{light.brightness} %",
            "rest": f"{light.rest} %",
            "rest_after": word("minutes", n=light.rest_after) if light.rest_after else word("never"),
        }
        for row in self.ids.body.walk(restrict=True):
            if isinstance(row, SettingRow):
                row.label, row.value = word(f"set_{row.what}"), values[row.what]
        self.device = plain(word("device", device=sound.device) if sound.device else word("no_device"))
        self.speak = word("speak_on") if sound.speak else word("speak_off")
        self.quiet = word("quiet_on") if sound.quiet else word("quiet_off")

    def _word(self, code: str, **fill: object) -> str:
        return say("technik", code, self.app.language, **fill)

    def step(self, what: str, by: int) -> None:
        """Change a value by a step."""
        sound, light = self.sound, self.light
        match what:
            case "volume":
                self._sound(replace(sound, volume=_stepped(sound.volume, by, 0)))
            case "from" | "to":
                self._sound(replace(sound, quiet=quiet_stepped(sound.quiet, what, by)))
            case "brightness":
                self._light(replace(light, brightness=_stepped(light.brightness, by, 20)))
            case "rest":
                self._light(replace(light, rest=_stepped(light.rest, by, 10)))
            case "rest_after":
                near = min(range(len(REST_STEPS)), key=lambda n: abs(REST_STEPS[n] - light.rest_after))
                after = REST_STEPS[max(0, min(len(REST_STEPS) - 1, near + by))]
                self._light(replace(light, rest_after=after))

    def next_device(self) -> None:
        """Take the next loudspeaker, after the last one none."""
        devices = ("", *self.app.screen("hardware").view.devices)
        at = devices.index(self.sound.device) if self.sound.device in devices else 0
        self._sound(replace(self.sound, device=devices[(at + 1) % len(devices)]))

    def turn_speech(self) -> None:
        """Switch spoken words on or off."""
        self._sound(replace(self.sound, speak=not self.sound.speak))

    def turn_quiet(self) -> None:
        """Switch the quiet hours off, or on again."""
        self._sound(replace(self.sound, quiet="" if self.sound.quiet else QUIET))

    def _sound(self, choice: SoundChoice) -> None:
        self.sound = choice
        self._draw()
        self.app.request(ChooseSound(choice))

    def _light(self, choice: LightChoice) -> None:
        self.light = choice
        self._draw()
        self.app.request(ChooseLight(choice))


def _stepped(value: int, by: int, least: int) -> int:
    return max(least, min(100, (value // STEP + by) * STEP))


def quiet_stepped(quiet: str, end: str, by: int) -> str:
    """Move the begin (``from``) or the end (``to``) of the quiet hours by half an hour; the two never meet."""
    if not quiet:
        return QUIET
    times = [_minutes(part) for part in quiet.split("-")]
    at = end == "to"
    times[at] = (times[at] // QUIET_STEP + by) * QUIET_STEP % (24 * 60)
    if times[0] == times[1]:
        times[at] = (times[at] + by * QUIET_STEP) % (24 * 60)
    return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in times)


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")[:2]
    return 60 * int(hours) + int(minutes)


kv(__file__)
