"""Every file of the fuzzers' corpus is read again: what once broke a reader must not do so any more."""

from pathlib import Path

import pytest

from kiosk.bench.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(CORPUS.glob("*/*"))


def test_each_target_has_a_corpus_of_small_files() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
    assert all(path.stat().st_size <= 16_384 for path in FILES)


@pytest.mark.parametrize("file", FILES, ids=[f"{path.parent.name}/{path.name}" for path in FILES])
def test_is_read_or_refused_on_purpose(file: Path) -> None:
    TARGETS[file.parent.name](file.read_bytes())
