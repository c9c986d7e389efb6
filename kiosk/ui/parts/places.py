"""Place the seats around a table of four or five, as they lie seen from the screen."""

from dataclasses import dataclass

#: Panel's and card's centre for each place, as parts of the free half-width and half-height: x right, y up. Place 1 is
#: before the screen, the others follow clockwise.
FOUR: dict[int, tuple[float, float]] = {1: (0, -1), 2: (-1, 0), 3: (0, 1), 4: (1, 0)}
FIVE: dict[int, tuple[float, float]] = {1: (0, -1), 2: (-1, 0), 3: (-0.5, 1), 4: (0.5, 1), 5: (1, 0)}


@dataclass(frozen=True, slots=True)
class ScreenPlace:
    """How the screen stands at the table."""

    seat: int = 1  # who sits before it, and reads it upright
    flat: bool = False  # it lies, in the middle or at a corner: each panel is turned towards its seat

    def places(self, players: int) -> dict[int, tuple[float, float]]:
        """Return each seat's place on the screen; at a table of four nobody sits on seat 5."""
        around = FOUR if players == 4 else FIVE
        before = self.seat if self.seat <= players else 1
        return {(before + place - 2) % players + 1: at for place, at in around.items()}

    def turn(self, place: tuple[float, float]) -> int:
        """Return by how many degrees, counterclockwise, what stands at a place is turned towards its seat."""
        if not self.flat:
            return 0
        x, y = place
        return {-1: 270, 1: 90}[int(x)] if abs(x) == 1 else 180 if y > 0 else 0
