"""Define the commands of releases: bundle (for makers), update (on a machine, as root)."""

import argparse
from pathlib import Path

from kiosk.app.arguments.types import Commands, command


def add_commands(commands: Commands) -> None:
    """Add the commands of this subject."""
    text = "releases as signed files: make a key, make one, look into one (docs/updates.md)"
    bundles = commands.add_parser("bundle", help=text, description=text, allow_abbrev=False).add_subparsers(
        dest="what", metavar="WHAT", required=True
    )
    p = command("key", key, "a maker's key pair: NAME.key, which nobody else may have, and NAME.pub", bundles)
    p.add_argument("name", type=Path, metavar="NAME")
    p = command("make", make, "a bundle of this checkout with all packages for one kind of machine", bundles)
    p.add_argument("--key", type=Path, required=True, metavar="FILE", help="the maker's private key")
    p.add_argument("--for", dest="machine", choices=("x86_64", "aarch64"), default="aarch64")
    p.add_argument("--python", choices=("3.11", "3.12", "3.13"), default="3.11", help="Debian 12 has 3.11, 13 has 3.13")
    p.add_argument("--out", type=Path, default=Path("build"), metavar="FOLDER")
    p = command("check", check, "what a bundle holds, and whether it is whole and its maker's", bundles)
    p.add_argument("bundle", type=Path, metavar="FILE")
    p.add_argument("--key", type=Path, required=True, metavar="FILE", help="the maker's public key")

    p = command("update", update, "take a bundle: it is laid beside what runs and starts at rest", commands)
    which = p.add_mutually_exclusive_group(required=True)
    which.add_argument("bundle", type=Path, nargs="?", metavar="FILE")
    which.add_argument("--incoming", action="store_true", help="what the services' user has laid down; for systemd")
    p.add_argument("--role", choices=("table", "director"), default="table")
    p.add_argument("--older", action="store_true", help="it may be older than what runs")
    p.add_argument("--program", type=Path, default=Path("/opt/stichwart"), metavar="FOLDER")
    p.add_argument("--state", type=Path, default=Path("/var/lib/stichwart"), metavar="FOLDER")


def key(args: argparse.Namespace) -> int:
    from kiosk.app.commands.bundle import make_key

    return make_key(args.name)


def make(args: argparse.Namespace) -> int:
    from kiosk.app.commands.bundle import make_bundle

    return make_bundle(args.key, args.machine, args.python, args.out)


def check(args: argparse.Namespace) -> int:
    from kiosk.app.commands.bundle import check_bundle

    return check_bundle(args.bundle, args.key)


def update(args: argparse.Namespace) -> int:
    from kiosk.app.commands.bundle import take_bundle, take_laid_down

    if args.incoming:
        return take_laid_down(args.program, args.state)
    return take_bundle(args.bundle, args.program, args.state, args.role, older=args.older)
