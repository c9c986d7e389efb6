"""Run all targets one after the other and say what was tried and found."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kiosk.bench.fuzz.targets import TARGETS
from kiosk.errors import BadConfig

CORPUS = Path(__file__).parents[3] / "tests" / "corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzed:
    """What a run of one target gave."""

    target: str
    tried: int  # inputs
    found: tuple[str, ...]  # files of the corpus that break it


def fuzz_all(seconds: int) -> Iterator[Fuzzed]:
    """Feed each reader for so many seconds.

    :raises BadConfig: atheris cannot be used here.
    """
    for name in TARGETS:
        before = set((CORPUS / name).glob("find-*"))
        done = subprocess.run(
            [sys.executable, "-m", "kiosk.bench.fuzz", name, str(seconds)], capture_output=True, text=True, check=False
        )
        if "No module named 'atheris'" in done.stderr:
            raise BadConfig("atheris has no wheel for this machine; fuzz on x86_64")
        tried = max((int(one) for one in re.findall(r"^#(\d+)\s", done.stderr, re.MULTILINE)), default=0)
        found = tuple(sorted(path.name for path in set((CORPUS / name).glob("find-*")) - before))
        if done.returncode and not found:  # it could not even begin
            raise BadConfig(f"fuzz {name}: {done.stderr.strip()[-400:]}")
        yield Fuzzed(target=name, tried=tried, found=found)
