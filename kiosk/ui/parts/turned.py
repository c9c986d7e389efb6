"""Turn what is in it towards somebody at another side of the screen; touches arrive where they are seen."""

from typing import Any

from kivy.uix.scatter import Scatter


class Turned(Scatter):
    """A holder of one widget, turned counterclockwise by ``degrees``; it is placed by its lower left on the screen."""

    def __init__(self, content: Any, degrees: int = 0) -> None:
        super().__init__(
            size_hint=(None, None),
            do_rotation=False,
            do_scale=False,
            do_translation=False,
            auto_bring_to_front=False,
        )
        self.content = content
        self.rotation = degrees
        self.add_widget(content)
        content.bind(size=self._fit)
        self._fit()

    def _fit(self, *_: object) -> None:
        self.size = self.content.size

    def put(self, x: float, y: float) -> None:
        """Place the lower left of what is seen."""
        self.pos = x, y
