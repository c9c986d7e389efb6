"""End with the program that started this one, however that ended: killed, too."""

import os
import signal
import threading
import time

#: Seconds after which a process that was asked to end is ended.
_PATIENCE_S = 10.0


def end_with_starter() -> None:
    """Watch standard input, a pipe to the program that started this one, and end as by SIGTERM once it is closed."""
    threading.Thread(target=_watch, name="leash", daemon=True).start()


def _watch() -> None:
    try:
        while os.read(0, 4096):
            pass
    except OSError:  # it was closed from the beginning
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_PATIENCE_S)
    os._exit(1)
