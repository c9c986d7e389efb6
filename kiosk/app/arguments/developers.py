"""Define the commands about Stichwart itself: rules, bench, image, test."""

import argparse
import os
import sys
from pathlib import Path

from kiosk.app.arguments.types import Commands, command, language, natural
from kiosk.errors import BadConfig

#: Where Linux keeps files in memory.
MEMORY = "/dev/shm"


def add_commands(commands: Commands) -> None:
    """Add the commands of this subject."""
    p = command("rules", rules, "the rule books; a book's rules and options; what differs between two", commands)
    p.add_argument(
        "books",
        nargs="*",
        metavar="BOOK",
        help="none: the books there are; a club's own: its file NAME.toml; two: what differs, 'base': from its own",
    )
    p.add_argument("--json", action="store_true", help="as data")
    p.add_argument("--html", type=Path, metavar="OUT", help="write one book as a page for a browser")
    p.add_argument("--pdf", type=Path, metavar="OUT", help="write one book as A4 pages")
    p.add_argument("--new", metavar="NAME", help="begin a club's own book: write NAME.toml here")
    p.add_argument("--from", dest="base", default="", metavar="BOOK", help="of --new: the book on which it stands")
    p.add_argument("--language", type=language, default="de")

    p = command("bench", bench, "measure recognition, speed and memory on this machine", commands)
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
    ways = ("finger", "camera", "mixed")
    p.add_argument("--minutes", type=float, default=0.0, metavar="N", help="of rest: play rounds at least so long")
    p.add_argument("--seed", type=natural, metavar="N", help="of faults: let them come as they did with this seed")
    p.add_argument("--by", action="append", default=[], choices=ways, help="of evenings: only those played so")

    p = command("image", image, "make a card image: a whole machine that starts into Stichwart", commands)
    # Named here, for parsing needs nothing of the recipe, which the installed service has not.
    p.add_argument("--for", dest="target", required=True, nargs="+", choices=("pi4", "pi5", "generic-arm64", "amd64"))
    told = "the image; beside it FILE.packages; of several machines each has its name in it"
    p.add_argument("--out", type=Path, required=True, metavar="FILE", help=told)
    p.add_argument("--role", choices=("table", "director"), default="table", help="what it is where no file says else")
    p.add_argument("--mirror", metavar="URL", help="of Debian (default: as this machine's apt has it)")
    p.add_argument("--cache", type=Path, metavar="FOLDER", help="keep there what was downloaded, for the next image")

    p = command("test", test, "the whole test suite", commands)
    p.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="handed on to pytest")


def rules(args: argparse.Namespace) -> int:
    from kiosk.rules.describe.command import run

    if args.new is not None or args.base:
        from kiosk.app.commands.own_book import begin

        return begin(args.new or "", args.base, Path(), args.language)
    if args.html or args.pdf:
        from kiosk.app.commands.own_book import print_book

        return print_book(args.books, args.html, args.pdf, args.language)
    return run(args.books, args.language, args.json)


def bench(args: argparse.Namespace) -> int:
    try:
        from kiosk.bench.command import run
    except ModuleNotFoundError as error:
        if error.name != "kiosk.bench":
            raise
        raise BadConfig("benchmarks are not installed with the service; run them from a clone") from error
    return run(
        args.part,
        quick=args.quick,
        only=args.only,
        jobs=args.jobs,
        results=args.results,
        mixed=args.mixed,
        json_file=args.json,
        by=args.by,
        minutes=args.minutes,
        seed=args.seed,
    )


def image(args: argparse.Namespace) -> int:
    try:
        from kiosk.image.build import build
        from kiosk.image.mirror import Mirror, usual_mirror
    except ModuleNotFoundError as error:
        if error.name != "kiosk.image":
            raise
        raise BadConfig("the recipe of images is not installed with the service; use a clone") from error
    mirror = Mirror(args.mirror.rstrip("/")) if args.mirror else usual_mirror()
    build(args.target, args.role, args.out, mirror, args.cache)
    return 0


def test(args: argparse.Namespace) -> int:
    root = Path(__file__).parents[3]
    os.chdir(root)
    # A worker a core, and one more, for a fifth of the time one waits for a browser or a process (two more take
    # longer); what is fast waits for nothing. At most four: each has a window and perhaps a browser. '-n 0': no worker.
    cores = len(os.sched_getaffinity(0)) + ("fast" not in args.arguments)
    workers = ("-n", str(min(4, cores)), "--dist", "worksteal")
    environment = dict(os.environ)
    if "fast" in args.arguments and os.access(MEMORY, os.W_OK):
        # What they keep on a disk is small, and that it is there they would wait for: a fifth of the time.
        environment.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        # Every process that a test starts would compile all modules anew: ten seconds each. The tree stays as it is.
        import platformdirs

        kept = platformdirs.user_cache_path("stichwart", appauthor=False) / "bytecode"
        environment["PYTHONPYCACHEPREFIX"] = str(kept)
    os.execve(sys.executable, [sys.executable, "-m", "pytest", *workers, *args.arguments], environment)
