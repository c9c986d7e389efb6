"""Draw the circuit of a pin map as SVG: header, wires, parts; the same list of wires that the tables are made from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from hw.pinmap import HEADER
from hw.wiring import BUTTON, DRIVER, POWER, RAIL, Load, Wire, Wiring

Point = tuple[float, float]

#: Hex values of the wires' colours; light ones have a dark edge like all others.
PAINT = {
    "red": "#d62728",
    "orange": "#ff8c1a",
    "black": "#222222",
    "green": "#2ca02c",
    "blue": "#1f77ff",
    "yellow": "#f2d600",
    "violet": "#8e44c8",
    "brown": "#8c5a2b",
    "grey": "#9a9a9a",
    "white": "#ffffff",
    "pink": "#ff8fc7",
    "turquoise": "#19c8c8",
    "lime": "#a6e22e",
    "navy": "#1b2a7a",
    "olive": "#808000",
}

WIDTH, ROW, TOP = 1240.0, 27.0, 118.0
ODD_X, EVEN_X = 596.0, 644.0  # the header's columns
LEFT_X, RIGHT_X = 520.0, 720.0  # where the channels begin, outside the labels
CHANNEL = 10.0
LEFT_PART, RIGHT_PART = 200.0, 930.0  # the parts' terminals
PITCH = 34.0
RAIL_X = 1200.0
HEADER_END = TOP + 20 * ROW

#: What stands in a part's box below its name.
NOTES = {
    "HT16K33": "clock display, I²C 0x70",
    "TM1637": "clock display, 3.3 V",
    "MAX7219": "clock display, 5 V, SPI",
    "4 digits": "common cathode",
    BUTTON: "calls the referee",
}


@dataclass(frozen=True, slots=True)
class Box:
    """A part on the sheet with its terminals from above."""

    name: str
    side: str  # "left" or "right" of the header
    top: float
    terminals: tuple[str, ...]

    def place(self, terminal: str) -> Point:
        """Say where a terminal lies."""
        x = LEFT_PART if self.side == "left" else RIGHT_PART
        return x, self.top + PITCH * (self.terminals.index(terminal) + 1)

    @property
    def bottom(self) -> float:
        return self.top + PITCH * (len(self.terminals) + 0.6)


def draw_circuit(wiring: Wiring, title: str) -> str:
    """Draw the sheet, as the text of an SVG file."""
    boxes = _boxes(wiring)
    routes = _routes(wiring.wires, boxes)
    under = [y for points in routes.values() for _, y in points]
    height = max([HEADER_END, *(box.bottom for box in boxes.values()), *under]) + 74
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" font-family="DejaVu Sans, '
        'Arial, sans-serif" font-size="12">',
        f'<rect width="{WIDTH:.0f}" height="{height:.0f}" fill="#fbfaf6"/>',
        _text(40, 36, title, size=20, weight="bold"),
        _header(),
    ]
    parts += [_box(box) for box in boxes.values() if box.name != RAIL]
    if RAIL in boxes:
        parts.append(_rail(wiring.loads, boxes))
    parts += [_wire(wire, routes[wire]) for wire in wiring.wires]
    used = {wire.position for wire in wiring.wires}
    parts += [_numbered(position, used=position in used) for position in range(1, 41)]  # above the wires' ends
    sums = (
        f"All lit: GPIO together {wiring.pins_ma:.0f} mA of 50, 3V3 {wiring.rail_3v3_ma:.0f} mA, "
        f"5 V {wiring.rail_5v_ma:.0f} mA. Lay every wire with the power off."
    )
    parts += [_text(40, height - 24, sums), "</svg>"]
    return "\n".join(parts) + "\n"


def _boxes(wiring: Wiring) -> dict[str, Box]:
    """The parts; those of display and button at the left, what the driver switches at the right."""
    terminals: dict[str, list[str]] = {}
    for wire in wiring.wires:
        terminals.setdefault(wire.part, []).append(wire.terminal)
    boxes = {}
    left = TOP - 26
    for name, found in terminals.items():
        if name == RAIL:
            boxes[name] = Box(name, "right", TOP - 26 - PITCH, ("rail",))
        elif name == DRIVER:
            boxes[name] = Box(name, "right", TOP + 2 * ROW, tuple(found))
        else:
            top = max(left, HEADER_END - PITCH * (len(found) + 0.6)) if name == BUTTON else left
            boxes[name] = Box(name, "left", top, tuple(found))
            left = boxes[name].bottom + 60
    return boxes


def _pin(position: int) -> Point:
    return (ODD_X if position % 2 else EVEN_X), TOP + ROW * ((position - 1) // 2)


def _routes(wires: Iterable[Wire], boxes: dict[str, Box]) -> dict[Wire, list[Point]]:
    """Lead each wire along channels of its own, so that no two lie on each other."""
    left, right, below = 0, 0, 0
    routes: dict[Wire, list[Point]] = {}
    for wire in sorted(wires, key=_from_the_header(boxes)):
        (x, y), (end_x, end_y) = _pin(wire.position), boxes[wire.part].place(wire.terminal)
        starts_left, ends_left = wire.position % 2 == 1, boxes[wire.part].side == "left"
        points = [(x, y)]
        if starts_left:
            channel, left = LEFT_X - CHANNEL * left, left + 1
        else:
            channel, right = RIGHT_X + CHANNEL * right, right + 1
        points.append((channel, y))
        if starts_left != ends_left:
            deep, below = HEADER_END + 10 + CHANNEL * below, below + 1
            points.append((channel, deep))
            if ends_left:
                channel, left = LEFT_X - CHANNEL * left, left + 1
            else:
                channel, right = RIGHT_X + CHANNEL * right, right + 1
            points.append((channel, deep))
        routes[wire] = [*points, (channel, end_y), (end_x, end_y)]
    return routes


def _from_the_header(boxes: dict[str, Box]) -> Callable[[Wire], tuple[bool, bool, float]]:
    """Order wires so that those that lie inside take the channels next to the header, and few cross."""

    def key(wire: Wire) -> tuple[bool, bool, float]:
        _, y = _pin(wire.position)
        side = boxes[wire.part].side
        _, end = boxes[wire.part].place(wire.terminal)
        crosses = (wire.position % 2 == 1) != (side == "left")
        down = end > y
        return crosses, not down, (-y if down else y)

    return key


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        f'fill="#222">{escape(text)}</text>'
    )


def _header() -> str:
    return (
        f'<rect x="{ODD_X - 22:.0f}" y="{TOP - 22:.0f}" width="{EVEN_X - ODD_X + 44:.0f}" '
        f'height="{20 * ROW + 18:.0f}" rx="6" fill="#1f3b2d"/>'
        + _text((ODD_X + EVEN_X) / 2, TOP - 30, "Raspberry Pi", anchor="middle", weight="bold")
    )


def _numbered(position: int, *, used: bool) -> str:
    (x, y), odd = _pin(position), position % 2 == 1
    gpio = {place: f"GPIO {number}" for number, place in HEADER.items()}
    name = POWER.get(position) or gpio[position]
    return (
        f'<circle class="pin" data-position="{position}" cx="{x:.0f}" cy="{y:.0f}" r="9" '
        f'fill="{"#e8c15a" if used else "#6f7f76"}"/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle" font-size="10">{position}</text>'
        f'<text x="{x - 26 if odd else x + 26:.0f}" y="{y - 4:.0f}" text-anchor="{"end" if odd else "start"}" '
        f'font-size="11" fill="{"#222" if used else "#aaa"}">{escape(name)}</text>'
    )


def _box(box: Box) -> str:
    left = box.side == "left"
    x, width = (40.0, LEFT_PART - 40) if left else (RIGHT_PART, 70.0)
    middle = x + width / 2
    parts = [
        f'<rect x="{x:.0f}" y="{box.top:.0f}" width="{width:.0f}" height="{box.bottom - box.top:.0f}" rx="5" '
        'fill="#e6ecf5" stroke="#445"/>',
        _text(middle, box.top - 22 if box.name in NOTES else box.top - 8, box.name, anchor="middle", weight="bold"),
        _text(middle, box.top - 7, NOTES.get(box.name, ""), anchor="middle", size=11),
    ]
    for terminal in box.terminals:
        tx, ty = box.place(terminal)
        label = tx - 10 if left else tx + 10
        parts.append(_text(label, ty + 4, terminal, anchor="end" if left else "start"))
        parts.append(_terminal(box.name, terminal, tx, ty))
    return "\n".join(parts)


def _terminal(part: str, terminal: str, x: float, y: float) -> str:
    return (
        f'<circle class="terminal" data-part="{escape(part)}" data-terminal="{escape(terminal)}" '
        f'cx="{x:.0f}" cy="{y:.0f}" r="4" fill="#222"/>'
    )


def _rail(loads: Iterable[Load], boxes: dict[str, Box]) -> str:
    """The 5 V rail at the far right, and what hangs between it and the driver."""
    driver, (x, y) = boxes[DRIVER], boxes[RAIL].place("rail")
    out = RIGHT_PART + 70
    common = driver.bottom - 8
    thick = f'stroke="{PAINT["red"]}" stroke-width="4" fill="none"'
    parts = [
        f'<path d="M{x:.0f} {y:.0f}H{RAIL_X:.0f}V{common:.0f}H{out:.0f}" {thick}/>',
        _text(RAIL_X - 4, y - 8, "5 V", anchor="end", weight="bold"),
        _text(out + 8, common - 6, "COM", size=11),
        _terminal(RAIL, "rail", x, y),
    ]
    for load in loads:
        _, row = driver.place(load.terminal)
        parts.append(_load(load, out, row))
    return "\n".join(parts)


def _load(load: Load, out: float, y: float) -> str:
    """A resistor and an LED, or the buzzer, from the driver's output to the rail."""
    parts = [
        f'<path d="M{out:.0f} {y:.0f}H{RAIL_X:.0f}" stroke="#555" stroke-width="2"/>',
        _text(out + 4, y - 5, load.terminal.replace("B", "C"), size=10),
    ]
    if load.through:
        parts += [
            f'<rect x="{out + 26:.0f}" y="{y - 6:.0f}" width="40" height="12" fill="#f3e3c0" stroke="#222"/>',
            _text(out + 46, y - 10, load.through, anchor="middle", size=10),
            f'<path d="M{out + 104:.0f} {y - 8:.0f}v16l-16 -8z" fill="#d62728" stroke="#222"/>'
            f'<path d="M{out + 88:.0f} {y - 8:.0f}v16" stroke="#222" stroke-width="2"/>',
        ]
    else:
        parts.append(f'<circle cx="{out + 96:.0f}" cy="{y:.0f}" r="11" fill="#ddd" stroke="#222" stroke-width="2"/>')
    return "\n".join([*parts, _text(RAIL_X - 6, y - 6, load.name, anchor="end", size=11)])


def _wire(wire: Wire, points: list[Point]) -> str:
    path = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)
    (x, y), left = points[-1], points[-1][0] < ODD_X
    told = f"pin {wire.position}, {wire.colour}" + (f", {wire.through}" if wire.through else "")
    gpio = "" if wire.gpio is None else f' data-gpio="{wire.gpio}"'
    return (
        f'<g class="wire" data-wire="{escape(wire.name)}"{gpio} data-position="{wire.position}" '
        f'data-part="{escape(wire.part)}" data-terminal="{escape(wire.terminal)}" data-colour="{wire.colour}">'
        f'<path d="{path}" fill="none" stroke="#333" stroke-width="5" stroke-linejoin="round"/>'
        f'<path d="{path}" fill="none" stroke="{PAINT[wire.colour]}" stroke-width="3" stroke-linejoin="round"/>'
        + _text(x + 10 if left else x - 10, y - 6, told, anchor="start" if left else "end", size=11)
        + "</g>"
    )
