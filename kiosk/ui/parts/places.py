"""Place the seats around a table of four or five."""

#: Panel's and card's centre for each seat, as parts of the free half-width and half-height: x right, y up.
FOUR: dict[int, tuple[float, float]] = {1: (0, -1), 2: (-1, 0), 3: (0, 1), 4: (1, 0)}
FIVE: dict[int, tuple[float, float]] = {1: (0, -1), 2: (-1, 0), 3: (-0.5, 1), 4: (0.5, 1), 5: (1, 0)}
