"""Keep a folder that goes with the process that asked for it, however that ends."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Waits until its standard input is closed, which the system does when the process at the other end has ended, and then
#: removes the folder, again if somebody still writes there.
_WATCH = """
cat >/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    rm -rf -- "$1" && [ ! -e "$1" ] && exit 0
    sleep 0.5
done
exit 1
"""


@contextmanager
def passing_folder(prefix: str) -> Iterator[Path]:
    """Make a folder for temporary files that is gone after this, and after a kill or a crash of this process as well.

    Another process watches, in a session of its own: what ends all of a terminal's processes leaves it.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    watch = subprocess.Popen(
        ["/bin/sh", "-c", _WATCH, "sh", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield folder
    finally:
        assert watch.stdin is not None
        watch.stdin.close()
        watch.wait()
