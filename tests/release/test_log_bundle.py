"""A log bundle: names of people stand everywhere, and none is in it; what a maker needs is."""

import io
import json
import unicodedata
import zipfile
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.release.log_bundle import NAME, Scrubber, make_log_bundle, scrubbed_again, settings_shown

NAMES = [
    "Anna Ott",
    "Jörg Weißgerber",
    "Ayşe Öztürk-Müller",
    "Dr. Bernd von der Heyden",
    "Élodie D'Arcy",
    "Šárka Novák",
]
CLUB, FEST = "Skatfreunde Hinterpfuiteufel", "2026-11-22 Geburtstag Xaverl"

#: Lines as our program, Python, the kernel and NetworkManager write them.
LINES = [
    "INFO kiosk.app.kiosk: scanner: {name!r}: no badge of this evening",
    "INFO kiosk.sync: noted: {{'note': 'enter', 'names': ['{name}', 'Somebody Else'], 'here': True}}",
    'INFO x: {{"event": "open", "players": ["{name}"]}}',
    "ERROR films: /var/lib/stichwart/films/{file}.mp4: No space left on device",
    "GET /api/{url}/setup HTTP/1.1",
    "KeyError: {name!a}",
    "{json} is not a seat",
    "Tisch 7: {name} hat gegeben, dann {upper}, dann {name}.",
    "table 3 ({name}): away",
]


def lines_with(name: str) -> str:
    told = {"name": name, "file": name.replace(" ", "_"), "url": quote(name), "json": json.dumps(name)}
    told["upper"] = name.upper()
    return "\n".join(f"2026-11-22T20:00:00 tisch7 python[400]: {line.format(**told)}" for line in LINES)


def content(bundle: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


SETTINGS: dict[str, Any] = {
    "table": 7,
    "director": {"url": "https://leitung.local:8377", "tournament": FEST, "token": "f3a9c2.GeheimesWortVomTisch42"},
    "round": {"rules": "bsv", "players": NAMES, "options": {"games": 16}},
    "referee": {"code": "$argon2id$v=19$m=1,t=1$c2FsdA$aGFzaA", "pin": "246813"},
    "camera": {"source": "v4l2:/dev/video0"},
    "words": "/home/anna.ott/words",
}


def test_no_name_and_no_secret_is_in_it_and_the_rest_is() -> None:
    told = "\n".join(lines_with(name) for name in [*NAMES, CLUB, FEST])
    told += (
        "\ncode for the direction's page: K7QF 2MTX"
        "\ncode for the first account: 482913"
        "\nauthorization: Bearer 0123456789abcdef0123456789abcdef.Zm9vYmFyYmF6cXV4Zm9vYmFy"
        "\nwpa psk=meinWlanKennwort"
        "\nfrom anna@example.org"
        "\nmmcblk0: error -110 transferring data, sector 8192, hwmon1: Undervoltage detected!"
        "\nvision: frame 1402 took 63 ms, /dev/video0 at 29.7 fps; release 0.3.0+1a2b3c4"
    )
    machine = {"version": "0.3.0+1a2b3c4", "free_mb": 1234, "names": NAMES, "update": {"code": "bundle_machine"}}
    made = content(make_log_bundle([*NAMES, CLUB, FEST], SETTINGS, machine, lambda: told))
    whole = "\n".join(made.values())
    assert set(made) == {"journal.txt", "settings.json", "machine.json"}
    folded = whole.casefold()
    for name in [*NAMES, CLUB, "Xaverl"]:
        for part in (name, *name.replace("-", " ").split()):
            if len(part) >= 3 and part != "von" and part != "der":
                assert part.casefold() not in folded, part
                assert json.dumps(part)[1:-1].casefold() not in folded, part
                assert quote(part).casefold() not in folded, part
    secrets = "K7QF 2MTX 482913 0123456789abcdef Zm9v meinWlan argon2id 246813 GeheimesWort example.org"
    for secret in secrets.split():
        assert secret not in whole, secret
    for kept in ("Undervoltage detected!", "sector 8192", "/dev/video0 at 29.7 fps", "0.3.0+1a2b3c4", "bundle_machine",
                 "No space left on device", "no badge of this evening", "v4l2:/dev/video0"):  # fmt: skip
        assert kept in whole, kept


LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyzäöüßçéèøåłšžığñ")
WORDS = st.builds(
    lambda first, rest: first.upper() + "".join(rest), LETTERS, st.lists(LETTERS, min_size=3, max_size=12)
)
PEOPLE = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


@pytest.mark.slow
@given(names=PEOPLE)
def test_any_name_goes_however_it_is_written(names: list[str]) -> None:
    scrubber = Scrubber(names)
    for name in names:
        for form in ("NFC", "NFD"):
            told = unicodedata.normalize(
                "NFC", scrubber.text(unicodedata.normalize(form, f"A {name}, {name!a} and {name}!"))
            )
            assert name not in told and json.dumps(name)[1:-1] not in told
            assert NAME in told


@given(name=st.lists(WORDS, min_size=2, max_size=3).map(" ".join))
def test_a_name_that_nobody_knows_goes_where_our_messages_quote_it(name: str) -> None:
    told = Scrubber([]).text(f'scanner: {name!r}: no badge; names: ["{name}"]; of „{name}“')
    assert name not in told and "no badge" in told


@pytest.mark.parametrize(
    "text", ["", "Table 7: game 12, Re", "nobody", "'v4l2:/dev/video0'", "'not_now'", "100 % of 3 MB"]
)
def test_what_is_no_name_stays(text: str) -> None:
    assert Scrubber(["Anna Ott", "von der Heyden"]).text(text) == text


def test_of_settings_only_what_is_harmless_is_shown() -> None:
    shown = settings_shown(SETTINGS)
    assert shown["table"] == 7 and shown["camera"]["source"] == "v4l2:/dev/video0" and shown["round"]["rules"] == "bsv"
    assert shown["referee"] == {"code": "set", "pin": "set"} and shown["director"]["token"] == "set"
    assert shown["round"]["players"] == "set" and shown["round"]["options"] == {"games": 16}
    assert shown["words"] == "set", "a folder may be named after somebody"


def test_the_direction_takes_out_who_is_known_to_it_alone() -> None:
    made = make_log_bundle([], {}, {}, lambda: "Tisch 3: Anna Ott kommt")
    assert "Anna" in content(made)["journal.txt"]
    assert "Anna" not in content(scrubbed_again(made, ["Anna Ott"]))["journal.txt"]
    for bad in (b"", b"PK", b"no zip at all"):
        with pytest.raises(ValueError, match="no log bundle"):
            scrubbed_again(bad, [])
