"""Define the commands of lists and standings: replay, list, simulate, standings, cash, year."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.app.arguments.types import Commands, chance, coming, command, language, positive, time_of_day

if TYPE_CHECKING:
    from kiosk.paper.reckon import Form


def add_commands(commands: Commands) -> None:
    """Add the commands of this subject."""
    p = command("replay", replay, "what a table's event files say: games, scores, offences and the list", commands)
    p.add_argument("files", nargs="+", metavar="FILE")
    p.add_argument("--json", action="store_true", help="one JSON object a line")

    p = command(
        "list", list_, "the list of event files as its book wants it: text, CSV, or an A4 page to hand in", commands
    )
    p.add_argument("files", nargs="+", type=Path, metavar="FILE", help="event files, one for each table's list")
    p.add_argument("--pdf", type=Path, metavar="OUT", help="write all lists into one PDF, a page each")
    p.add_argument("--csv", type=Path, metavar="OUT", help="write the list of one file as a spreadsheet")
    p.add_argument("--tournament", metavar="NAME", help="the tournament's name, for the head")
    p.add_argument("--language", type=language, default="de")

    p = command("simulate", simulate, "a plausible round as an event file; the same seed gives the same file", commands)
    p.add_argument("rules", metavar="BOOK", help="the rule book")
    p.add_argument("--seed", type=int, default=1, help="which round is played (default %(default)s)")
    p.add_argument("--games", type=positive, help="how many games (default: the whole round)")
    p.add_argument("--players", type=int, choices=(4, 5), default=4)
    p.add_argument("--offences", type=chance, metavar="CHANCE", help="of a breach, for each card (default 0.002)")
    p.add_argument("--time-up", action="store_true", help="the playing time ends before all games are played")
    p.add_argument("--out", type=Path, metavar="FILE", help="where it goes (default: standard output)")
    p.add_argument("--tell", action="store_true", help="no file: how often each rule counted, what games were worth")
    p.add_argument("--language", type=language, default="de")

    p = command(
        "standings", standings, "who is first: the standing of a tournament from its tables' event files", commands
    )
    _reckons(p)
    p.add_argument(
        "--substitute", action="append", default=[], metavar="NAME", help="played as a substitute: has no place"
    )
    p.add_argument("--left", action="append", default=[], metavar="NAME", help="did not play a round to the end")
    p.add_argument(
        "--lot", action="append", default=[], metavar="NAME,NAME", help="a lot drawn by hand, names in the order drawn"
    )
    p.add_argument("--draw", metavar="SEED", help="draw the lots that are needed from this word or number")
    p.add_argument(
        "--equal",
        choices=("shared", "lot", "games_won"),
        help="what decides between equal sums where the book is silent (default: as the tables' options say)",
    )
    p.add_argument("--rounds", type=positive, metavar="N", help="how many rounds the tournament has")

    p = command("cash", cash, "the cash book: fines of an evening, who pays whom, what is owed", commands)
    _reckons(p)
    p.add_argument("--start", type=time_of_day, metavar="TIME", help="when the evening began, for coming late: 19:30")
    p.add_argument(
        "--checkin", action="append", default=[], type=coming, metavar="NAME=TIME", help="when somebody came: Cem=19:41"
    )

    p = command("year", year, "the ranking of a year (Jahreswertung) from the event files of its evenings", commands)
    _reckons(p)
    p.add_argument("--year", type=positive, metavar="YEAR", help="only this year (default: each that the files are of)")
    p.add_argument("--substitute", action="append", default=[], metavar="NAME", help="a guest: has no place")


def _reckons(p: argparse.ArgumentParser) -> None:
    """What the commands over many lists have in common."""
    p.add_argument("files", nargs="+", type=Path, metavar="FILE")
    p.add_argument("--json", action="store_true", help="one JSON object")
    p.add_argument("--csv", type=Path, metavar="FILE", help="write a table for a spreadsheet")
    p.add_argument("--pdf", type=Path, metavar="FILE", help="write a page to be printed")
    p.add_argument("--language", type=language, default="de")


def replay(args: argparse.Namespace) -> int:
    from kiosk.table.replay import replay_files

    return replay_files(args.files, args.json, sys.stdout, sys.stderr)


def list_(args: argparse.Namespace) -> int:
    from kiosk.paper.command import list_files

    return list_files(
        args.files,
        pdf=args.pdf,
        csv=args.csv,
        tournament=args.tournament,
        language=args.language,
        out=sys.stdout,
        err=sys.stderr,
    )


def simulate(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from kiosk.demo.people import PLAUSIBLE
    from kiosk.demo.play import write_simulation

    habits = replace(PLAUSIBLE, time_up=args.time_up)
    if args.offences is not None:
        habits = replace(habits, offences=args.offences)
    if args.tell:
        from kiosk.demo.trial import run

        return run(args.rules, args.games or 1000, args.seed, args.players, habits, args.language)
    return write_simulation(args.rules, args.seed, args.games, args.players, habits, args.out)


def _form(args: argparse.Namespace) -> "Form":
    from kiosk.paper.command import refuse_overwriting
    from kiosk.paper.reckon import Form

    refuse_overwriting(args.files, {"--csv": args.csv, "--pdf": args.pdf})
    return Form(json=args.json, csv=args.csv, pdf=args.pdf, language=args.language)


def standings(args: argparse.Namespace) -> int:
    from kiosk.paper.reckon import standings_files

    return standings_files(
        args.files,
        sys.stdout,
        form=_form(args),
        substitutes=args.substitute,
        left=args.left,
        lots=args.lot,
        seed=args.draw,
        equal=args.equal,
        of_rounds=args.rounds,
    )


def cash(args: argparse.Namespace) -> int:
    from kiosk.paper.reckon import cash_files

    return cash_files(args.files, sys.stdout, form=_form(args), start=args.start, came=dict(args.checkin))


def year(args: argparse.Namespace) -> int:
    from kiosk.paper.reckon import year_files

    return year_files(args.files, sys.stdout, form=_form(args), only=args.year, substitutes=args.substitute)
