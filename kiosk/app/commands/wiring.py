"""Draw the circuit of a table and list its wires, parts and currents."""

from dataclasses import replace
from pathlib import Path

from hw.circuit import draw_circuit
from hw.pinmap import BARE_DIGITS, FEW_PINS, PinMap
from hw.wiring import Wiring, current_rows, part_rows, wire_rows
from kiosk.app.config import load_table
from kiosk.errors import KioskError

#: Titles of the two levels at which something is wired.
TITLES = {2: "Clock display and buzzer", 3: "Clock display, buzzer, lamps and button"}


def level_pins(level: int, display: str | None) -> PinMap:
    """Give the default wiring of a build level, with another clock display if one is named."""
    pins = FEW_PINS if level == 2 else PinMap()
    if display is None:
        return pins
    bare = {name: getattr(BARE_DIGITS, name) for name in ("segments", "dot", "digits")} if display == "digits" else {}
    return replace(pins, display=display, **bare)


def show_wiring(config: Path | None, level: int, display: str | None, svg: Path | None) -> int:
    """Print the tables, write the picture if a file is named, and return an exit status.

    :param config: a ``table.toml`` whose pins are drawn instead of a level's.
    :raises BadConfig: the configuration cannot be used.
    :raises KioskError: the picture cannot be written.
    """
    pins = level_pins(level, display) if config is None else load_table(config).pins
    title = f"Stichwart: {TITLES[level]}" if config is None else f"Stichwart, as wired by {config.name}"
    wiring = Wiring(pins)
    print("\n\n".join("\n".join(rows(wiring)) for rows in (wire_rows, part_rows, current_rows)))
    if svg is not None:
        try:
            svg.write_text(draw_circuit(wiring, title), encoding="utf-8")
        except OSError as error:
            raise KioskError(f"{svg}: cannot be written: {error.strerror}; name another file") from error
        print(f"\n{svg}: the circuit")
    return 0
