"""Define the commands of a running tournament: demo, table, wiring, keycaps, director."""

import argparse
from pathlib import Path

from kiosk.app.arguments.types import Commands, chance, command, language, positive, speed


def add_commands(commands: Commands) -> None:
    """Add the commands of this subject."""
    p = command("demo", demo, "a table at work: a simulated round before a simulated camera, and a director", commands)
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
    p.add_argument(
        "--people",
        metavar="NAME",
        help="what people do besides: all of it, or one alone, such as thrown or last-trick; docs/measurements.md "
        "has them all (default: nothing)",
    )
    p.add_argument("--untaught", action="store_true", help="nobody has taught the deck: it is learned in play")
    p.add_argument("--time-up", action="store_true", help="the playing time ends before all games are played")
    p.add_argument("--rules", metavar="BOOK", help="the rule book (default: the first that `rules` lists)")
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
    p.add_argument("--fps", type=float, default=15.0, help="the camera's pictures a second (default %(default)g)")
    p.add_argument("--language", type=language, default="de")
    p.add_argument("--record", type=Path, metavar="FILE", help="an animation (.webp, .gif) of table and mat, no screen")
    p.add_argument("--seconds", type=float, default=20.0, help="how long the animation is (default %(default)s)")

    p = command("table", table, "the kiosk of one table", commands)
    p.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table's TOML file (docs/install.md)")
    p.add_argument("--headless", action="store_true", help="no screen: the log and the line only")

    p = command("wiring", wiring, "wires, parts and currents of a table, and the circuit as a picture", commands)
    p.add_argument("--config", type=Path, metavar="FILE", help="of this table's TOML file (default: as delivered)")
    p.add_argument("--level", type=int, choices=(2, 3), default=3, help="2: display and buzzer; 3: all (default)")
    p.add_argument(
        "--display", choices=("ht16k33", "max7219", "tm1637", "digits", "none"), help="another clock display"
    )
    p.add_argument("--svg", type=Path, metavar="FILE", help="write the picture there")

    command("referee-code", referee_code, "hash a code for the referee, as the table's file takes it", commands)

    command("director-pin", director_pin, "hash a PIN for the director's file", commands)

    p = command("keycaps", keycaps, "key caps for the number pads at the seats, as PDF in true size", commands)
    p.add_argument("--pdf", type=Path, required=True, metavar="FILE", help="where it goes")
    p.add_argument("--seats", type=int, choices=(4, 5), default=4)
    p.add_argument("--language", type=language, default="de")

    p = command("director", director, "the director's service and page", commands)
    p.add_argument("--config", type=Path, metavar="FILE", help="the director's TOML file (docs/director.md)")
    p.add_argument("--host", help="address to listen on (default: the configuration's, else 127.0.0.1)")
    p.add_argument("--port", type=int, help="port to listen on (default: the configuration's, else 8377)")
    p.add_argument("--data", type=Path, metavar="FOLDER", help="where the director keeps the lists")
    p.add_argument("--leashed", action="store_true", help="end when standard input is closed: with whoever started it")
    p.add_argument("--new-code", action="store_true", help="print a code that makes another director's account")
    p.add_argument("--restore", type=Path, metavar="ZIP", help="put a backup of the page into the empty database first")


def demo(args: argparse.Namespace) -> int:
    from kiosk.demo.demo_table import Demo
    from kiosk.demo.run import run
    from kiosk.rules.books import DEFAULT

    return run(
        Demo(
            rules=args.rules or DEFAULT,
            seed=args.seed,
            games=args.games,
            players=args.players,
            offences=args.offences,
            mishaps=args.mishaps,
            people=args.people,
            time_up=args.time_up,
            deck=args.deck,
            camera=args.camera,
            light=args.light,
            wear=args.wear,
            jpeg=args.jpeg,
            fps=args.fps,
            speed=args.speed,
            headless=args.headless,
            language=args.language,
            untaught=args.untaught,
            record=args.record,
            seconds=args.seconds,
        )
    )


def table(args: argparse.Namespace) -> int:
    from kiosk.app.start import run_table

    return run_table(args.config, headless=args.headless)


def wiring(args: argparse.Namespace) -> int:
    from kiosk.app.commands.wiring import show_wiring

    return show_wiring(args.config, args.level, args.display, args.svg)


def referee_code(args: argparse.Namespace) -> int:
    from kiosk.app.commands.referee_code import make_code

    return make_code()


def director_pin(args: argparse.Namespace) -> int:
    from kiosk.app.commands.director_pin import make_pin

    return make_pin()


def keycaps(args: argparse.Namespace) -> int:
    from kiosk.app.commands.keycaps import print_key_caps

    return print_key_caps(args.pdf, args.seats, args.language)


def director(args: argparse.Namespace) -> int:
    from kiosk.app.direction import run_director
    from kiosk.app.leash import end_with_starter

    if args.leashed:
        end_with_starter()
    return run_director(
        args.config, host=args.host, port=args.port, data=args.data, new_code=args.new_code, backup=args.restore
    )
