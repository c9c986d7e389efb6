"""Turn what is in it towards somebody at another side of the screen; touches arrive where they are seen."""

from typing import Any

from kivy.properties import AliasProperty
from kivy.uix.scatter import Scatter

#: Kivy computes a rotation from a matrix, degrees.
_ROUNDING = 0.01


def turn(holder: Scatter, degrees: int) -> None:
    """Turn what is in a holder counterclockwise, unless it is turned so: to be turned by nothing costs as much."""
    if abs(holder.rotation - degrees) > _ROUNDING:
        holder.rotation = degrees


class Turned(Scatter):
    """A holder of one widget, turned counterclockwise by ``degrees``; it is placed by its lower left on the screen."""

    # As Kivy's, but computed once for each place: eight properties ask for it at every change, and at each look.
    bbox = AliasProperty(lambda me: me._get_bbox(), bind=("transform", "width", "height"), cache=True)

    def __init__(self, content: Any, degrees: int = 0) -> None:
        super().__init__(
            size_hint=(None, None),
            do_rotation=False,
            do_scale=False,
            do_translation=False,
            auto_bring_to_front=False,
        )
        self.content = content
        self.degrees = degrees
        turn(self, degrees)
        self.add_widget(content)
        content.bind(size=self._fit)
        self._fit()

    def _fit(self, *_: object) -> None:
        self.size = self.content.size

    def put(self, x: float, y: float) -> None:
        """Place the lower left of what is seen."""
        self.pos = x, y


class TurnedSheet(Turned):
    """A sheet over the whole stage that can be turned; towards the sides it is as wide as the stage is high."""

    def __init__(self, sheet: Any) -> None:
        sheet.size_hint, sheet.turns = (None, None), True
        super().__init__(sheet)
        self.degrees = 0
        self._stage: Any = None

    def on_parent(self, _: Any, stage: Any) -> None:
        """Stay as large as the stage; once it is closed nothing holds it any more."""
        if self._stage is not None:
            self._stage.unbind(size=self._again, pos=self._again)
        self._stage = stage
        if stage is not None:
            stage.bind(size=self._again, pos=self._again)

    def _again(self, *_: object) -> None:
        self.turn(self.degrees)

    def turn(self, degrees: int) -> None:
        """Turn it counterclockwise."""
        stage, sheet = self.parent, self.content
        if stage is None:
            return
        self.degrees = sheet.degrees = degrees
        sheet.size = stage.size if self.degrees in (0, 180) else stage.size[::-1]
        turn(self, degrees)
        self.put(*stage.pos)
