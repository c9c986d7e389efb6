"""Define the commands of decks, mats and pictures: deck, mat, recognise."""

import argparse
import sys
from pathlib import Path

from platformdirs import user_data_path

from kiosk.app.arguments.types import Commands, card_size, command, language, scale


def add_commands(commands: Commands) -> None:
    """Add the commands of this subject."""
    # Where decks live unless a configuration says otherwise.
    folder = user_data_path("stichwart", appauthor=False) / "decks"
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
        help="with --camera: the back too, for books with cards laid face down",
    )
    p.add_argument("--headless", action="store_true", help="with --camera: on the terminal instead of a screen")
    p.add_argument("--language", type=language, default="de")
    p = command("check", deck_check, "which two faces of a deck may be taken for each other", decks)
    p.add_argument("name", metavar="NAME")
    p.add_argument(
        "--scale", type=scale, default=2.2, metavar="PX", help="px a mm of the camera (default %(default)s: 720p on A3)"
    )
    p.add_argument("--language", type=language, default="de")
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

    p = command("recognise", recognise, "name the cards in pictures and films", commands)
    p.add_argument("images", nargs="+", type=Path, metavar="FILE", help="pictures (JPEG, PNG …) and films (MP4 …)")
    p.add_argument("--deck", metavar="NAME", help="a learned deck; without, French cards are read by their indices")
    p.add_argument("--folder", type=Path, default=folder, help="where decks are")
    p.add_argument("--json", action="store_true", help="one JSON object a line for each picture, or change in a film")
    p.add_argument("--hand", action="store_true", help="a hand of French cards laid open on the mat, fan or row")
    p.add_argument("--draw", type=Path, metavar="DIR", help="write annotated pictures and films into this folder")


def deck_learn(args: argparse.Namespace) -> int:
    if args.labels:
        from vision.teaching.from_labels import learn_from_labels

        learn_from_labels(args.name, args.labels, args.only, args.folder)
        return 0
    if args.pictures:
        from kiosk.app.commands.lesson import learn_from_pictures

        return learn_from_pictures(args.name, args.pictures, args.folder, args.size, language=args.language)
    from kiosk.app.teach import run_lesson

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
    from kiosk.app.commands.lesson import check_deck

    return check_deck(args.name, args.folder, args.scale, sys.stdout, args.language)


def deck_list(args: argparse.Namespace) -> int:
    from kiosk.app.commands.deck import list_decks

    return list_decks(args.folder)


def deck_show(args: argparse.Namespace) -> int:
    from kiosk.app.commands.deck import show_deck

    show_deck(args.name, args.folder, args.picture)
    return 0


def mat_print(args: argparse.Namespace) -> int:
    from kiosk.app.commands.mat import print_mat

    return print_mat(args.out, args.paper, args.seats, args.tiles)


def mat_calibrate(args: argparse.Namespace) -> int:
    from kiosk.app.commands.mat import calibrate_camera

    return calibrate_camera(args.camera, args.paper, args.seats, args.picture)


def recognise(args: argparse.Namespace) -> int:
    from kiosk.app.commands.recognise import recognise_files

    return recognise_files(args.images, args.deck, args.folder, args.json, sys.stdout, sys.stderr, args.draw, args.hand)
