"""Feed one reader with inputs that coverage leads to: ``python -m kiosk.bench.fuzz TARGET SECONDS``, by atheris.

What breaks the reader is kept in the corpus as ``find-…``; the suite replays all of it (tests/test_fuzz_corpus.py).
"""

import sys
import tempfile
from pathlib import Path

import atheris

CORPUS = Path(__file__).parents[3] / "tests" / "corpus"

#: Only what reads is followed: the rest would cost most of the time.
_FOLLOWED = [
    *("hw.scanned", "kiosk.app.toml_file", "kiosk.app.config", "kiosk.director.tables.table_events"),
    *("kiosk.rules.engine", "kiosk.table.events", "kiosk.table.round", "kiosk.table.replay", "kiosk.tournament"),
    *("vision.camera.jpeg", "tomllib"),
]

#: What one input may take: seconds, and MB of the whole process.
_LONGEST_S, _MOST_MB = 10, 1500


def main(name: str, seconds: int) -> None:
    """Run the fuzzer; it ends the process itself, with a status that is not 0 where it has found something."""
    with atheris.instrument_imports(include=_FOLLOWED):
        from kiosk.bench.fuzz.targets import TARGETS
    kept = CORPUS / name
    with tempfile.TemporaryDirectory(prefix="stichwart-fuzz-") as found:  # what only leads further stays here
        limits = [f"-max_total_time={seconds}", f"-timeout={_LONGEST_S}", f"-rss_limit_mb={_MOST_MB}", "-max_len=4096"]
        atheris.Setup([sys.argv[0], found, str(kept), *limits, f"-artifact_prefix={kept}/find-"], TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
