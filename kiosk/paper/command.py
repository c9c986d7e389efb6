"""Run ``stichwart list``: write the list of event files as text, CSV or PDF."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from kiosk.errors import BadEvent, PaperError
from kiosk.language import Language
from kiosk.table.replay import read
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_csv, as_text


def list_files(
    paths: Sequence[Path],
    *,
    pdf: Path | None,
    csv: Path | None,
    tournament: str | None,
    language: Language,
    out: TextIO,
    err: TextIO,
) -> int:
    """Write the lists of event files: text on ``out``, or files.

    A file that cannot be replayed is named on ``err``, as is one that is cut off; the others are listed all the same.

    :param tournament: what stands in the lists' heads.
    :returns: the exit status: 0, or 2 if a file could not be replayed.
    :raises PaperError: if a file cannot be written or is one of ``paths``, or --csv is to hold several lists.
    """
    if csv is not None and len(paths) > 1:
        raise PaperError(f"--csv {csv}: a CSV file holds one list, but {len(paths)} files are given; name one of them")
    refuse_overwriting(paths, {"--pdf": pdf, "--csv": csv})
    named = {} if tournament is None else {"tournament": tournament}
    lists = [data | named for path in paths if (data := _list_of(path, language, err)) is not None]
    status = 0 if len(lists) == len(paths) else 2
    if not lists:
        return status
    if pdf is not None:
        from kiosk.paper.spielliste import list_pdf  # text needs no fonts

        write(pdf, list_pdf(lists))
        print(f"{pdf}: {len(lists)} list{'s' if len(lists) > 1 else ''}", file=out)
    if csv is not None:
        write(csv, b"\xef\xbb\xbf" + as_csv(lists[0]).encode())
        print(f"{csv}: {len(lists[0]['rows'])} games", file=out)
    if pdf is None and csv is None:
        out.write("\n".join(map(as_text, lists)))
    return status


def _list_of(path: Path, language: Language, err: TextIO) -> dict[str, Any] | None:
    """The list of an event file; None if it cannot be replayed, which is said on ``err``."""
    try:
        round_, warning = read(path.read_bytes())
        data = list_data(round_, language)
    except OSError as error:
        print(f"cannot read {path}: {error.strerror or error}", file=err)
    except BadEvent as error:
        print(f"{error} ({path})", file=err)
    else:
        if warning:
            print(f"{warning} ({path})", file=err)
        return data
    return None


def refuse_overwriting(inputs: Sequence[Path], outputs: Mapping[str, Path | None]) -> None:
    """Refuse to overwrite event files.

    :param outputs: files to be written, by their option.
    :raises PaperError: one of them is an event file that is read, or two are the same.
    """
    read_from = {path.resolve() for path in inputs}
    named = {option: path.resolve() for option, path in outputs.items() if path is not None}
    for option, path in named.items():
        if path in read_from:
            raise PaperError(f"{option} {outputs[option]} is an event file that is read here; choose another file")
    if len(set(named.values())) < len(named):
        raise PaperError(f"{' and '.join(named)} name the same file {outputs[next(iter(named))]}; choose two")


def write(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all: an older one stays if there is no room for the new one.

    :raises PaperError: if it cannot be written.
    """
    target = path.resolve()
    try:
        if target.exists() and not target.is_file():
            path.write_bytes(content)  # a pipe or a device; a folder refuses
            return
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            beside.write_bytes(content)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise PaperError(f"cannot write {path}: {error.strerror}; choose another file") from error
