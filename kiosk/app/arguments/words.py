"""Define the commands of words: check, new."""

import argparse
from pathlib import Path

from kiosk.app.arguments.types import Commands, command, language
from kiosk.language.own_words import FOLDER


def add_commands(commands: Commands) -> None:
    """Add the commands of this subject."""
    text = "a club's own words: correct some, or add a language (docs/words.md)"
    words = commands.add_parser("words", help=text, description=text, allow_abbrev=False).add_subparsers(
        dest="what", metavar="WHAT", required=True
    )
    p = command("check", check, "what is at fault in catalogues of words, with line and way out", words)
    p.add_argument("files", nargs="*", type=Path, metavar="FILE", help=f"(default: all in {FOLDER})")
    p.add_argument("--language", type=language, default="de")
    p = command("new", new, "begin a catalogue, or add to one the texts that it lacks", words)
    p.add_argument("name", metavar="LANGUAGE", help="its code: bar; or de, to correct German words")
    p.add_argument("--to", type=Path, default=Path(), metavar="FOLDER", help="where it is written (default: here)")
    p.add_argument("--language", type=language, default="de")


def check(args: argparse.Namespace) -> int:
    """Check catalogues."""
    from kiosk.app.commands.words import check as check_words
    from kiosk.app.fitting import measure

    return check_words(args.files, FOLDER, args.language, measure=measure)


def new(args: argparse.Namespace) -> int:
    """Begin a catalogue."""
    from kiosk.app.commands.words import new as new_words

    return new_words(args.name, args.to, FOLDER, args.language)
