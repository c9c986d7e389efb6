"""The comments of a file stay when the form writes its next state."""

import pytest

from kiosk.rules.composed.comments import with_comments
from kiosk.rules.composed.file import LARGEST_FILE, Source, digest, read_text
from kiosk.rules.composed.new import written_out

BEFORE = """# Unser Buch
base = "bsv"  # das nächste
title = "Bei # Anna"
source = 'Aushang # 3' # im Vereinsheim

# Zahlen
[options]
# seit 2019
value_fuchs = 2  # war 1
# games = 20

[[rule]]
about = ["value_fuchs"]
section = "1"  # erste
[[rule]]
# zweite
about = ["games"]
section = "2"
# Ende
"""


def written(**changes: object) -> str:
    return with_comments(written_out(read_text(BEFORE, Source("b")) | changes), BEFORE)


def test_they_stand_where_they_stood() -> None:
    assert written(date="2026") == (
        '# Unser Buch\nbase = "bsv"  # das nächste\ntitle = "Bei # Anna"\n'
        'source = "Aushang # 3"  # im Vereinsheim\ndate = "2026"\n\n'
        '# Zahlen\n[options]\n# seit 2019\n"value_fuchs" = 2  # war 1\n\n'
        '# games = 20\n[[rule]]\n"about" = ["value_fuchs"]\n"section" = "1"  # erste\n\n'
        '[[rule]]\n# zweite\n"about" = ["games"]\n"section" = "2"\n\n# Ende\n'
    )  # fmt: skip


@pytest.mark.parametrize("gone", ["options", "rule", "source"])
def test_those_of_what_is_gone_stand_at_the_end(gone: str) -> None:
    content = {key: value for key, value in read_text(BEFORE, Source("b")).items() if key != gone}
    text = with_comments(written_out(content), BEFORE)
    assert digest(read_text(text, Source("b"))) == digest(content)
    said = ("Unser Buch", "das nächste", "im Vereinsheim", "Zahlen", "seit 2019", "war 1", "erste", "zweite", "Ende")
    assert all(f"# {one}" in text for one in said)


def test_it_goes_on_from_state_to_state() -> None:
    once = written()
    assert with_comments(written_out(read_text(once, Source("b"))), once) == once


def test_without_any_nothing_changes_and_a_file_never_becomes_too_large() -> None:
    text = written_out(read_text(BEFORE, Source("b")))
    assert with_comments(text, "") == text
    assert with_comments(text, "# x\n" * (LARGEST_FILE // 4) + 'base = "bsv"\n') == text
