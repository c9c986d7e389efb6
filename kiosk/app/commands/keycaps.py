"""Write the sheet of key caps for the number pads."""

from pathlib import Path

from kiosk.language import Language
from kiosk.paper.command import write
from kiosk.paper.key_caps import key_caps


def print_key_caps(path: Path, seats: int, language: Language) -> int:
    """Write the sheet as PDF in true size, print its path and return an exit status.

    :raises PaperError: it cannot be written.
    """
    write(path, key_caps(seats, language))
    print(f"{path}: key caps for {seats} seats; print it at 100 %, then check the 100 mm line")
    return 0
