"""Do something in a child process, so that what it needs for it is no memory of this one."""

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar, cast

Result = TypeVar("Result")


def apart(work: Callable[..., Result], *given: object) -> Result:
    """Call ``work`` in a fork of this process and return what it returns; with more than one thread it is called here,
    for a fork has but one of them and may wait for another for ever.

    :raises Exception: what it raises.
    :raises EOFError: the child ended before it had an answer.
    """
    if threading.active_count() > 1:
        return work(*given)
    ours, its = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_answer, args=(its, work, given), daemon=True)
    child.start()
    its.close()
    try:
        result = ours.recv()
    finally:
        child.join()
        ours.close()
    if isinstance(result, Exception):
        raise result
    return cast(Result, result)


def _answer(its: Connection, work: Callable[..., object], given: tuple[object, ...]) -> None:
    try:
        its.send(work(*given))
    except Exception as error:  # noqa: BLE001  whatever it is, the other process raises it
        its.send(error)
