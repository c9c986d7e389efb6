"""Make what a maker needs to find a fault: journal and settings, with the names of people and all secrets taken out.

Names are taken out thrice: those that are known here, in every spelling and each of their words; whatever stands in
quotation marks and is no path or code, for there our messages put what people wrote; and of settings only what is on a
list of harmless ones is shown at all.
"""

import io
import json
import os
import re
import subprocess
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

#: Lines of the journal, bytes of the whole.
_LINES, LARGEST = 4000, 4_000_000

#: Units whose words are wanted, and those of the kernel, where power and disks speak.
_UNITS = ("stichwart-table", "stichwart-director", "stichwart-update", "systemd-logind", "NetworkManager")

#: Settings whose text is shown, by section and key; of all others only numbers, truth values and whether they are set.
SHOWN = frozenset(
    {
        *("camera.source", "camera.light", "mat.paper", "round.rules", "screen.language", "scanner.port"),
        *("scanner.keyboard", "scanner.layout", "sound.device", "sound.quiet", "director.tls", "tls"),
        *("rules", "host", "start"),
    }
)

#: What stands for a name, and for a secret.
NAME, SECRET = "[Name]", "[…]"

#: Letters of the shortest word of a name that is taken out by itself: "von" and "de" are in every second line.
_SHORTEST = 3

_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})

_QUOTED = re.compile(r"""(['"„»‚‘“])((?:(?!['"“«‘”\n]).){1,300})(['"“«‘”])""")

#: Of what is quoted, what may stay: codes, paths, addresses, versions, numbers.
_CODE = re.compile(r"[A-Za-z0-9_.:/+@=<>%-]*[0-9_./:<=][A-Za-z0-9_.:/+@=<>%-]*|[a-z_]{1,24}")

#: Secrets by their form: tables' codes, long hexadecimal or base64 words with letters and digits, hashes, addresses.
_SECRETS = (
    re.compile(r"\b[A-HJ-NP-Z2-9]{4}[ -]?[A-HJ-NP-Z2-9]{4}\b(?<![A-Z]{8})"),
    re.compile(r"(?i)\b(code|pin)\b[^\n:=]{0,30}[:= ]\s*\S*\d\S*"),
    re.compile(r"(?i)\b(token|secret|password|passwort|kennwort|psk|bearer)\b[^\n:=]{0,30}[:= ]\s*\S+"),
    re.compile(r"\$[a-z0-9-]+\$[^\s'\"]+"),
    re.compile(r"(?=[A-Za-z+/_-]*\d)(?=[\d+/_-]*[A-Za-z])[A-Za-z0-9+_=-]{20,}(?:\.[A-Za-z0-9+_=-]{10,})?"),
    re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"),
)


class Scrubber:
    """Takes names and secrets out of text.

    :param names: of people, clubs and tournaments that are known here.
    """

    def __init__(self, names: Iterable[str]) -> None:
        words: set[str] = set()
        for name in names:
            whole = " ".join(str(name).split())
            parts = [
                part for part in re.split(r"[\s\-–.,;_/()]+", whole) if len(part) >= _SHORTEST and not part.isdigit()
            ]
            for word in (whole, *parts):
                words |= spellings(word)
        found = sorted((re.escape(word) for word in words if word), key=len, reverse=True)
        # A name is a word by itself; "_" stands between words in the names of files.
        self._names = re.compile(rf"(?<![^\W_])(?:{'|'.join(found)})(?![^\W_])", re.IGNORECASE) if found else None

    def text(self, text: str) -> str:
        """Return a text without them."""
        text = unicodedata.normalize("NFC", _unescaped(text))
        for secret in _SECRETS:
            text = secret.sub(SECRET, text)
        if self._names is not None:
            text = self._names.sub(NAME, text)
        return _QUOTED.sub(lambda found: found[0] if _CODE.fullmatch(found[2]) else f"{found[1]}{NAME}{found[3]}", text)


def spellings(name: str) -> set[str]:
    """List how a name may be written in a log: as it is, without umlauts and accents, as a part of a file's name."""
    composed = unicodedata.normalize("NFC", name)
    plain = "".join(one for one in unicodedata.normalize("NFKD", composed) if not unicodedata.combining(one))
    written = {one.replace("ß", "ss") for one in (composed, plain, composed.translate(_GERMAN))} | {composed, plain}
    return written | {one.replace(" ", between) for one in written for between in "_-.+"}


def _unescaped(text: str) -> str:
    """Write what is escaped as it was: ``\\u00f6``, ``\\xf6``, ``\\xc3\\xb6``, ``%C3%B6``."""
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return re.sub(r"(?:(?:\\x|%)[0-9a-fA-F]{2})+", lambda found: _from_bytes(found[0]), text)


def _from_bytes(escaped: str) -> str:
    content = bytes(int(one, 16) for one in re.findall(r"[0-9a-fA-F]{2}", escaped.replace("\\x", "%")))
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def settings_shown(settings: Mapping[str, Any], inside: str = "") -> dict[str, Any]:
    """Return settings of which only what is harmless is shown: numbers, truth values, and texts of ``SHOWN``."""
    found: dict[str, Any] = {}
    for key, value in settings.items():
        name = f"{inside}.{key}" if inside else str(key)
        if isinstance(value, Mapping):
            found[str(key)] = settings_shown(value, name)
        elif isinstance(value, bool | int | float) or value is None or name in SHOWN:
            found[str(key)] = value if isinstance(value, bool | int | float | str) or value is None else str(value)
        else:
            found[str(key)] = "set" if value else ""
    return found


def journal() -> str:
    """Read the journal of this start of the machine: our units, then the kernel's warnings; or why not."""
    units = [word for unit in _UNITS for word in ("-u", unit)]
    ours = _run(["journalctl", "--no-pager", "--boot", "--output=short-iso", f"--lines={_LINES}", *units])
    kernel = [
        "journalctl",
        "--no-pager",
        "--boot",
        "--dmesg",
        "--priority=warning",
        "--output=short-iso",
        "--lines=400",
    ]
    return f"{ours}\n--- kernel\n{_run(kernel)}"


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=60, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}\n"
    return (done.stdout if not done.returncode else done.stderr)[-LARGEST:].decode(errors="replace")


def make_log_bundle(
    names: Iterable[str],
    settings: Mapping[str, Any],
    machine: Mapping[str, Any],
    read_journal: Callable[[], str] = journal,
) -> bytes:
    """Make a ZIP file of journal, settings and what the machine says of itself.

    :param names: of people, clubs and tournaments that are known here.
    """
    scrubber = Scrubber(names)
    parts = {
        "journal.txt": read_journal(),
        "settings.json": json.dumps(settings_shown(settings), ensure_ascii=False, indent=1),
        "machine.json": json.dumps(dict(machine), ensure_ascii=False, indent=1, default=str),
    }
    return _zipped({name: scrubber.text(text) for name, text in parts.items()})


def scrubbed_again(bundle: bytes, names: Iterable[str]) -> bytes:
    """Take names out of a bundle that another machine has made, which did not know them.

    :raises ValueError: it is no such bundle, or larger than any.
    """
    scrubber = Scrubber(names)
    try:
        with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
            entries = opened.infolist()
            if len(entries) > 10 or sum(one.file_size for one in entries) > 4 * LARGEST:
                raise ValueError("larger than any log bundle")
            parts = {one.filename: opened.read(one).decode(errors="replace") for one in entries}
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise ValueError(f"no log bundle: {error}") from error
    return _zipped({os.path.basename(name): scrubber.text(text) for name, text in parts.items()})


def _zipped(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in parts.items():
            made.writestr(name, text)
    return out.getvalue()
