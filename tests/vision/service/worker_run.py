"""A vision worker over a folder of pictures, in this process."""

import multiprocessing
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vision.mat.layout import MatLayout
from vision.messages import VisionSettings
from vision.service.worker import Worker


def messages_over(folder: Path, commands: Iterable[Any]) -> list[Any]:
    """Run a worker over the pictures to their end, and return what it has sent; commands are there from the start."""
    words, there = multiprocessing.Pipe(duplex=False)
    orders, here = multiprocessing.Pipe(duplex=False)
    heard = []
    with words, there, orders, here:
        for command in commands:
            here.send(command)
        Worker(VisionSettings(deck="", source=f"folder:{folder}", speed=50.0), there, orders, MatLayout()).run()
        while words.poll(0):
            heard.append(words.recv())
    return heard
