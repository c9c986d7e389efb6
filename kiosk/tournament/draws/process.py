"""Draw in a process of its own: a wish comes in as JSON, the seats go out, or why it cannot be."""

import json
import os
import sys
from dataclasses import asdict

from kiosk.tournament.draws.draw import draw
from kiosk.tournament.draws.tables import NoDraw
from kiosk.tournament.draws.wish import noted_wish


def main() -> None:
    """Read one wish, write one result."""
    os.nice(5)  # the hall goes first
    try:
        told: object = asdict(draw(noted_wish(json.load(sys.stdin))))
    except NoDraw as error:
        told = {"refused": {"code": error.code, "text": str(error), "values": error.values}}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
