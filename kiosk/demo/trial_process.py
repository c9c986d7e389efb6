"""Try a club's book in a process of its own: ``python -m kiosk.demo.trial_process``.

Standard input is one JSON object: ``name`` and ``content`` of the book, ``games``, ``seed``, ``language``. Standard
output gets a line of JSON after each round, ``{"games": 120}``, and as the last one what came of it, ``{"rows": …}``,
or why it cannot be played, ``{"refused": …}``. The process takes a bounded share of the machine.
"""

import json
import os
import resource
import sys

from kiosk.demo.trial import trial_rows, tried
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook, Source
from kiosk.rules.composed.make import compose

#: Seconds of a processor, and bytes of memory, that a trial may take.
MOST_SECONDS, MOST_BYTES = 240, 1_000_000_000


def main() -> None:
    """Try the book that standard input holds."""
    os.nice(10)  # the hall goes first
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    asked = json.load(sys.stdin)
    try:
        book = BOOKS.met(compose(asked["name"], asked["content"], Source(asked["name"])))
    except BadBook as error:
        _say({"refused": error.told(asked["language"])})
        return
    trial = tried(book, asked["games"], asked["seed"], book.tables[0], told=lambda games: _say({"games": games}))
    _say({"rows": trial_rows(trial, asked["language"]), "games": trial.games, "name": book.name})


def _say(told: object) -> None:
    print(json.dumps(told, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
