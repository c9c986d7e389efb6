"""Ask for the language, each in its own words."""

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from kiosk.language import languages, say
from kiosk.ui.first_start.start_view import KeepLanguage, StartView
from kiosk.ui.parts.look import Key, kv


class LanguageStep(BoxLayout):
    """A key for each language."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        super().__init__(**kwargs)
        self._keys: dict[str, Key] = {}
        for language in languages():
            key = Key(text=f"[b]{say('language', 'name', language)}[/b]", font_size="24sp", meaning=language)
            key.bind(on_release=lambda _, language=language: self._choose(language))
            self._keys[language] = key
            self.ids.languages.add_widget(key)

    def draw(self, _: StartView) -> None:
        """Mark the language that is spoken."""
        for language, key in self._keys.items():
            key.tone = "gold" if language == self.app.language else "ivory"

    def _choose(self, language: str) -> None:
        self.app.speak(language)
        self.app.request(KeepLanguage(language))


kv(__file__)
