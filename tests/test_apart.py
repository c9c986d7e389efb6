"""What a table needs for a moment is no memory of it for an evening."""

import os
import subprocess
import sys
import threading

import pytest

from kiosk.app.apart import apart
from kiosk.errors import BadConfig

#: Modules that a table at work can do without: 3 to 50 MB each.
SELDOM = ("pydantic", "PIL", "numpy", "cv2", "reportlab", "fastapi", "sqlalchemy", "zeroconf")


def _refuse(value: int) -> int:
    raise BadConfig(f"no {value}")


def _end() -> None:
    os._exit(3)


def test_another_process_does_the_work_and_its_answer_comes_back() -> None:
    assert apart(os.getpid) != os.getpid()
    assert apart(divmod, 17, 5) == (3, 2)


def test_what_the_work_raises_is_raised_here() -> None:
    with pytest.raises(BadConfig, match="no 7"):
        apart(_refuse, 7)


def test_a_child_that_ends_without_an_answer_is_an_error() -> None:
    with pytest.raises(EOFError):
        apart(_end)


def test_beside_another_thread_nothing_is_forked() -> None:
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        assert apart(os.getpid) == os.getpid()
    finally:
        over.set()
        other.join()


@pytest.mark.slow
def test_a_table_loads_its_configuration_without_keeping_what_reads_it() -> None:
    program = (
        "import sys\n"
        "from kiosk.app.apart import apart\n"
        "from kiosk.app.config import load_table\n"
        "import kiosk.app.start\n"
        "config = apart(load_table, 'systemd/table.toml')\n"
        f"print(config.table, *(name for name in {SELDOM!r} if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"], done.stdout
