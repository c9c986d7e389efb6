"""Run ``stichwart`` commands. Each imports what it needs when it runs: ``replay`` starts without screen and camera."""

import argparse
import os
import sys
from collections.abc import Sequence

from kiosk.app.arguments import cameras, developers, lists, releases, tables, words
from kiosk.errors import KioskError, SpokenError
from kiosk.language.own_words import FOLDER, take_words

PROGRAM = "stichwart"


def parser() -> argparse.ArgumentParser:
    """Define the whole command line."""
    top = argparse.ArgumentParser(
        prog=PROGRAM, description="A kiosk for the tables of German card tournaments.", allow_abbrev=False
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for subject in (tables, cameras, lists, words, releases, developers):
        subject.add_commands(commands)
    return top


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line. What follows ``test`` is pytest's: argparse would take its options for ours."""
    if arguments[:1] == ["test"] and arguments[1:2] not in (["-h"], ["--help"]):
        args = parser().parse_args(["test"])
        args.arguments = list(arguments[1:])
        return args
    return parser().parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. An error on purpose is one line on standard error and status 2."""
    take_words(FOLDER)  # a command that has a configuration takes those of its folder, and tells their faults
    args = parse(sys.argv[1:] if arguments is None else list(arguments))
    from hw.errors import HardwareError
    from vision.errors import VisionError

    try:
        status: int = args.run(args)
        return status
    except (KioskError, VisionError, HardwareError) as error:
        told = error.told(getattr(args, "language", "en")) if isinstance(error, SpokenError) else error
        print(f"{PROGRAM}: {told}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
