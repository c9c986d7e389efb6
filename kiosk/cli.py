"""The commands. Each imports what it needs when it runs, so that ``replay`` starts without a screen or a camera."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.errors import KioskError

if TYPE_CHECKING:
    from kiosk.paper.reckon import Form

PROGRAM = "stichwart"


def default_data_folder() -> Path:
    """Where decks, logs and the director's store live unless a command or a configuration says otherwise."""
    from platformdirs import user_data_path

    return user_data_path(PROGRAM, appauthor=False)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 upwards")
    return number


def natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 upwards")
    return number


def chance(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no chance from 0 to 1")
    return number


def speed(text: str) -> float | None:
    """Simulated seconds a second; ``max`` as fast as the machine can."""
    if text == "max":
        return None
    number = float(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text} is neither a speed above 0 nor max")
    return number


def card_size(text: str) -> tuple[float, float]:
    """``59x91``."""
    width, _, height = text.lower().replace("×", "x").partition("x")
    try:
        return float(width), float(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size of a card; write width and height, like 59x91") from None


def scale(text: str) -> float:
    number = float(text)
    if not 0.5 <= number <= 20:
        raise argparse.ArgumentTypeError(f"{text} px a mm cannot be; a camera at work has 1.2 to 6")
    return number


def time_of_day(text: str) -> time:
    from kiosk.paper.reckon import clock_time

    try:
        return clock_time(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def coming(text: str) -> tuple[str, time]:
    """``Cem=19:41``."""
    name, is_given, moment = text.rpartition("=")
    if not is_given or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not like Cem=19:41")
    return name.strip(), time_of_day(moment)


def demo(args: argparse.Namespace) -> int:
    from kiosk.demo.run import Demo, run

    return run(
        Demo(
            rules=args.rules,
            seed=args.seed,
            games=args.games,
            players=args.players,
            offences=args.offences,
            mishaps=args.mishaps,
            time_up=args.time_up,
            deck=args.deck,
            camera=args.camera,
            light=args.light,
            wear=args.wear,
            jpeg=args.jpeg,
            speed=args.speed,
            headless=args.headless,
            language=args.language,
        )
    )


def table(args: argparse.Namespace) -> int:
    from kiosk.start import run_table

    return run_table(args.config, headless=args.headless)


def director(args: argparse.Namespace) -> int:
    from kiosk.direction import run_director

    return run_director(args.config, host=args.host, port=args.port, data=args.data)


def deck_learn(args: argparse.Namespace) -> int:
    if args.labels:
        from vision.commands import learn_from_labels

        learn_from_labels(args.name, args.labels, args.only, args.folder)
        return 0
    if args.pictures:
        from vision.lesson_terminal import learn_from_pictures

        return learn_from_pictures(args.name, args.pictures, args.folder, args.size, language=args.language)
    from kiosk.teach import run_lesson

    return run_lesson(
        args.name,
        camera=args.camera,
        folder=args.folder,
        faces=args.faces,
        back=args.back,
        headless=args.headless,
        language=args.language,
    )


def deck_check(args: argparse.Namespace) -> int:
    from vision.lesson_terminal import check_deck

    return check_deck(args.name, args.folder, args.scale, sys.stdout, args.language)


def deck_list(args: argparse.Namespace) -> int:
    from vision.commands import list_decks

    return list_decks(args.folder)


def deck_show(args: argparse.Namespace) -> int:
    from vision.commands import show_deck

    show_deck(args.name, args.folder, args.picture)
    return 0


def mat_print(args: argparse.Namespace) -> int:
    from vision.matsheet import print_mat

    print_mat(args.out, args.paper, args.seats, args.tiles)
    print(f"{args.out}: {args.paper}, {args.seats} seats; print it at 100 %, then check the 100 mm line")
    return 0


def mat_calibrate(args: argparse.Namespace) -> int:
    from vision.calibrate import calibrate_camera

    return calibrate_camera(args.camera, args.paper, args.seats, args.picture)


def recognise(args: argparse.Namespace) -> int:
    from vision.recognise_files import recognise_files

    return recognise_files(args.images, args.deck, args.folder, args.json, sys.stdout, sys.stderr, args.draw)


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


def rules(args: argparse.Namespace) -> int:
    from kiosk.rules.describe.command import run

    return run(args.books, args.language, args.json)


def bench(args: argparse.Namespace) -> int:
    from kiosk.bench.command import run

    return run(
        args.part,
        quick=args.quick,
        only=args.only,
        jobs=args.jobs,
        results=args.results,
        mixed=args.mixed,
        json_file=args.json,
    )


def test(args: argparse.Namespace) -> int:
    root = Path(__file__).parents[1]
    os.chdir(root)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *args.arguments])


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog=PROGRAM, description="A kiosk for the tables of German card tournaments.", allow_abbrev=False
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(
        name: str,
        run: Callable[[argparse.Namespace], int],
        text: str,
        among: "argparse._SubParsersAction[argparse.ArgumentParser]" = commands,
    ) -> argparse.ArgumentParser:
        made = among.add_parser(name, help=text, description=text, allow_abbrev=False)
        made.set_defaults(run=run)
        return made

    p = command("demo", demo, "a table at work: a simulated round before a simulated camera, and a director")
    p.add_argument("--headless", action="store_true", help="no screen: progress, the final list and the figures")
    p.add_argument("--games", type=positive, help="how many games (default: the whole round)")
    p.add_argument("--seed", type=int, default=1, help="which round is played (default %(default)s)")
    p.add_argument(
        "--speed", type=speed, help="simulated seconds a second, or max (default: 1 with a screen, max without)"
    )
    p.add_argument(
        "--deck",
        metavar="NAME",
        help="the cards: stichwart, stichwart-bavarian, or a deck of Debian's such as lattmann (default: one of the "
        "project's own that the book is played with)",
    )
    p.add_argument("--players", type=int, choices=(4, 5), default=4)
    p.add_argument(
        "--offences", type=chance, default=0.0, metavar="CHANCE", help="of a breach, for each card (default 0)"
    )
    p.add_argument(
        "--mishaps",
        type=chance,
        default=0.0,
        metavar="CHANCE",
        help="for each deal: that it is void, that a game is struck, that somebody leaves (default 0)",
    )
    p.add_argument("--time-up", action="store_true", help="the playing time ends before all games are played")
    p.add_argument("--rules", default="eppstein", metavar="BOOK", help="the rule book (default %(default)s)")
    p.add_argument(
        "--camera",
        default="sim:",
        metavar="SOURCE",
        help="watch another source instead of the simulated one (see docs/camera.md)",
    )
    p.add_argument("--light", default="lamp", metavar="NAME", help="over the simulated table (default %(default)s)")
    p.add_argument("--wear", metavar="NAME", help="of the simulated cards, such as old or sleeved (default: new)")
    p.add_argument(
        "--jpeg",
        type=int,
        metavar="QUALITY",
        help="the simulated camera gives JPEG pictures, as real ones do (1 to 100)",
    )
    p.add_argument("--language", choices=("de", "en"), default="de")

    p = command("table", table, "the kiosk of one table")
    p.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table's TOML file (docs/install.md)")
    p.add_argument("--headless", action="store_true", help="no screen: the log and the line only")

    p = command("director", director, "the director's service and page")
    p.add_argument("--config", type=Path, metavar="FILE", help="the director's TOML file (docs/director.md)")
    p.add_argument("--host", help="address to listen on (default: the configuration's, else 127.0.0.1)")
    p.add_argument("--port", type=int, help="port to listen on (default: the configuration's, else 8377)")
    p.add_argument("--data", type=Path, metavar="FOLDER", help="where the director keeps the lists")

    folder = default_data_folder() / "decks"
    deck = commands.add_parser("deck", help="teach, list and show decks")
    deck.add_argument("--folder", type=Path, default=folder, help="where decks are kept (default %(default)s)")
    decks = deck.add_subparsers(dest="what", metavar="WHAT", required=True)
    p = command("learn", deck_learn, "teach a deck: show every face to a camera, or give labelled pictures", decks)
    p.add_argument("name", metavar="NAME")
    how = p.add_mutually_exclusive_group(required=True)
    how.add_argument("--camera", metavar="SOURCE", help="a camera: each face is asked for in turn")
    how.add_argument("--labels", type=Path, metavar="FILE", help="a labels.json with the cards' outlines")
    how.add_argument(
        "--from",
        dest="pictures",
        type=Path,
        metavar="FOLDER",
        help="scans or photographs, one card a file, named like HT.jpg",
    )
    p.add_argument(
        "--size", type=card_size, metavar="MM", help="with --from: a card's size, like 59x91 (default: by its shape)"
    )
    p.add_argument("--only", default="", metavar="PREFIX", help="with --labels: only pictures whose file begins so")
    p.add_argument(
        "--faces",
        choices=("doppelkopf", "doppelkopf-40", "schafkopf"),
        default="doppelkopf",
        help="with --camera: which faces the deck has (default %(default)s)",
    )
    p.add_argument(
        "--back",
        action="store_true",
        help="with --camera: the back too, for books with cards laid face down (durchgaenge)",
    )
    p.add_argument("--headless", action="store_true", help="with --camera: on the terminal instead of a screen")
    p.add_argument("--language", choices=("de", "en"), default="de")
    p = command("check", deck_check, "which two faces of a deck may be taken for each other", decks)
    p.add_argument("name", metavar="NAME")
    p.add_argument(
        "--scale", type=scale, default=2.2, metavar="PX", help="px a mm of the camera (default %(default)s: 720p on A3)"
    )
    p.add_argument("--language", choices=("de", "en"), default="de")
    p = command("list", deck_list, "the decks there are", decks)
    p = command("show", deck_show, "a deck's faces and facts", decks)
    p.add_argument("name", metavar="NAME")
    p.add_argument("--picture", type=Path, metavar="PNG", help="write all faces into one picture")
    for p in decks.choices.values():  # behind the subcommand too, where people write it
        p.add_argument("--folder", type=Path, default=argparse.SUPPRESS, help="where decks are kept")

    mats = commands.add_parser("mat", help="print and calibrate the mat").add_subparsers(
        dest="what", metavar="WHAT", required=True
    )
    p = command("print", mat_print, "the mat as a PDF sheet", mats)
    p.add_argument("--out", type=Path, default=Path("mat.pdf"), metavar="PDF")
    p.add_argument("--tiles", choices=("A4", "A3"), help="cut into pages of this paper, to be glued together")
    p = command("calibrate", mat_calibrate, "look for the mat before a camera and say what is seen", mats)
    p.add_argument("--camera", required=True, metavar="SOURCE")
    p.add_argument("--picture", type=Path, metavar="PNG", help="write what was seen")
    for p in mats.choices.values():
        p.add_argument("--paper", choices=("A3", "A2"), default="A3")
        p.add_argument("--seats", type=int, choices=(4, 5), default=4)

    p = command("recognise", recognise, "name the cards in pictures and films")
    p.add_argument("images", nargs="+", type=Path, metavar="FILE", help="pictures (JPEG, PNG …) and films (MP4 …)")
    p.add_argument("--deck", metavar="NAME", help="a learned deck; without, French cards are read by their indices")
    p.add_argument("--folder", type=Path, default=folder, help="where decks are")
    p.add_argument("--json", action="store_true", help="one JSON object a line for each picture, or change in a film")
    p.add_argument("--draw", type=Path, metavar="DIR", help="write annotated pictures and films into this folder")

    p = command("replay", replay, "what a table's event files say: games, scores, offences and the list")
    p.add_argument("files", nargs="+", metavar="FILE")
    p.add_argument("--json", action="store_true", help="one JSON object a line")

    p = command("list", list_, "the list of event files as its book wants it: text, CSV, or an A4 page to hand in")
    p.add_argument("files", nargs="+", type=Path, metavar="FILE", help="event files, one for each table's list")
    p.add_argument("--pdf", type=Path, metavar="OUT", help="write all lists into one PDF, a page each")
    p.add_argument("--csv", type=Path, metavar="OUT", help="write the list of one file as a spreadsheet")
    p.add_argument("--tournament", metavar="NAME", help="the tournament's name, for the head")
    p.add_argument("--language", choices=("de", "en"), default="de")

    p = command("simulate", simulate, "a plausible round as an event file; the same seed gives the same file")
    p.add_argument("rules", metavar="BOOK", help="the rule book")
    p.add_argument("--seed", type=int, default=1, help="which round is played (default %(default)s)")
    p.add_argument("--games", type=positive, help="how many games (default: the whole round)")
    p.add_argument("--players", type=int, choices=(4, 5), default=4)
    p.add_argument("--offences", type=chance, metavar="CHANCE", help="of a breach, for each card (default 0.002)")
    p.add_argument("--time-up", action="store_true", help="the playing time ends before all games are played")
    p.add_argument("--out", type=Path, metavar="FILE", help="where it goes (default: standard output)")

    p = command("standings", standings, "who is first: the standing of a tournament from its tables' event files")
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

    p = command("cash", cash, "the cash book: fines of an evening, who pays whom, what is owed")
    _reckons(p)
    p.add_argument("--start", type=time_of_day, metavar="TIME", help="when the evening began, for coming late: 19:30")
    p.add_argument(
        "--checkin", action="append", default=[], type=coming, metavar="NAME=TIME", help="when somebody came: Cem=19:41"
    )

    p = command("year", year, "the ranking of a year (Jahreswertung) from the event files of its evenings")
    _reckons(p)
    p.add_argument("--year", type=positive, metavar="YEAR", help="only this year (default: each that the files are of)")
    p.add_argument("--substitute", action="append", default=[], metavar="NAME", help="a guest: has no place")

    p = command("rules", rules, "the rule books; a book's rules and options; what differs between two")
    p.add_argument("books", nargs="*", metavar="BOOK", help="none: the books there are; two: what differs")
    p.add_argument("--json", action="store_true", help="as data")
    p.add_argument("--language", choices=("de", "en"), default="de")

    p = command("bench", bench, "measure recognition, speed and memory on this machine")
    p.add_argument("part", nargs="*", help="only these parts, whole (default: all, the long ones quickly)")
    p.add_argument("--quick", action="store_true", help="fewer scenes and games")
    p.add_argument("--only", action="append", default=[], metavar="ROW", help="of vision and rounds: only this row")
    p.add_argument(
        "--jobs",
        type=natural,
        default=1,
        metavar="N",
        help="processes for vision and rounds (default: 1; 0: only tell what the file of results holds)",
    )
    p.add_argument("--results", type=Path, metavar="FILE", help="keep what is measured here, and go on from there")
    p.add_argument("--mixed", action="store_true", help="results of other versions of Stichwart count too")
    p.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")

    p = command("test", test, "the whole test suite")
    p.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="handed on to pytest")
    return top


def _reckons(p: argparse.ArgumentParser) -> None:
    """What the commands over many lists have in common."""
    p.add_argument("files", nargs="+", type=Path, metavar="FILE")
    p.add_argument("--json", action="store_true", help="one JSON object")
    p.add_argument("--csv", type=Path, metavar="FILE", help="write a table for a spreadsheet")
    p.add_argument("--pdf", type=Path, metavar="FILE", help="write a page to be printed")
    p.add_argument("--language", choices=("de", "en"), default="de")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line, taken apart. What follows ``test`` is pytest's: argparse would take its options for ours."""
    if arguments[:1] == ["test"] and arguments[1:2] not in (["-h"], ["--help"]):
        args = parser().parse_args(["test"])
        args.arguments = list(arguments[1:])
        return args
    return parser().parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status. An error on purpose is one line on standard error and status 2."""
    args = parse(sys.argv[1:] if arguments is None else list(arguments))
    from hw.errors import HardwareError
    from vision.errors import VisionError

    try:
        return args.run(args)
    except (KioskError, VisionError, HardwareError) as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
