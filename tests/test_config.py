"""Configuration files: what loads, and what each mistake is told."""

import tomllib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import get_type_hints

import pytest

from kiosk.app.config import DirectorConfig, TableConfig, load, load_director, load_table
from kiosk.errors import BadConfig

EXAMPLES = Path(__file__).parents[1] / "systemd"
TABLE = 'table = 7\n[deck]\nname = "blatt"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "blatt.npz").touch()
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "file.toml"
    path.write_text(text, encoding="utf-8")
    return path


def keys(kind: type) -> set[str]:
    """Every key of a configuration, dotted."""
    names = set()
    for item in fields(kind):
        hint = get_type_hints(kind)[item.name]
        names |= {f"{item.name}.{inner}" for inner in keys(hint)} if is_dataclass(hint) else {item.name}
    return names


def flat(content: dict) -> dict:
    """A nested TOML table, dotted; a section that the program keeps whole stays one."""
    found = {}
    for name, value in content.items():
        found |= (
            {f"{name}.{inner}": deep for inner, deep in flat(value).items()}
            if isinstance(value, dict) and name != "options"
            else {name: value}
        )
    return found


@pytest.mark.parametrize(("name", "kind"), [("table.toml", TableConfig), ("director.toml", DirectorConfig)])
def test_example_names_every_key_and_loads(name, kind):
    content = tomllib.loads((EXAMPLES / name).read_text(encoding="utf-8"))
    assert set(flat(content)) == keys(kind)
    assert isinstance(load(EXAMPLES / name, kind), kind)


def test_example_values_are_the_defaults(folder):
    table = load(EXAMPLES / "table.toml", TableConfig)
    least = load_table(written(folder, TABLE))
    assert table.minutes == least.minutes
    table = replace(table, round=replace(table.round, minutes=None))
    for section in ("director", "round", "screen", "referee", "camera", "mat", "pins", "display", "scanner", "pads"):
        assert getattr(table, section) == getattr(least, section), section
    director = load(EXAMPLES / "director.toml", DirectorConfig)
    short = load_director(written(folder, 'tournament = "turnier"\ndata = "/var/lib/stichwart"\n'))
    assert director == short


def test_least_table(folder):
    config = load_table(written(folder, TABLE))
    assert config.table == 7
    assert config.data == folder
    assert config.deck_folder == folder / "decks"
    assert config.round.rules == "eppstein"
    assert config.minutes == 120


def test_paths_are_relative_to_the_file(folder):
    (folder / "learned").mkdir()
    (folder / "learned" / "blatt.npz").touch()
    config = load_table(written(folder, TABLE + 'folder = "learned"\n'))
    assert config.deck_folder == folder / "learned"


def test_own_minutes_and_options(folder):
    text = TABLE + "[round]\nminutes = 90\n[round.options]\nagainst_queens_in_solo = true\n"
    config = load_table(written(folder, text))
    assert config.minutes == 90
    assert config.round.options == {"against_queens_in_solo": True}


def test_deck_file_is_where_vision_keeps_it(folder):
    from vision.deck.folder import deck_path

    config = load_table(written(folder, TABLE))
    assert deck_path(config.deck.name, config.deck_folder).is_file()


def test_none_takes_a_part_away(folder):
    config = load_table(written(folder, TABLE + '[pins]\nbuzzer = "none"\nlamps = []\n'))
    assert config.pins.buzzer is None
    assert config.pins.lamps == ()
    assert config.pins.display == "ht16k33"


def test_file_from_the_time_of_bare_digits_means_them(folder: Path) -> None:
    old = "segments = [5, 6, 13, 19, 26, 21, 20]\ndot = 16\ndigits = [17, 27, 22, 10]\nlamps = []\nbuzzer = 18\n"
    assert load_table(written(folder, TABLE + "[pins]\n" + old)).pins.display == "digits"
    new = '[pins]\ndisplay = "none"\nlamps = []\n[display]\nbrightness = 15\naddress = 0x71\n'
    config = load_table(written(folder, TABLE + new))
    assert (config.pins.display, config.display.brightness, config.display.address) == ("none", 15, 0x71)


MISTAKES = {
    "broken TOML names the line": ("table = 7\nname = \n", ["is not TOML", "line 2"]),
    "unknown key, near one": (TABLE + "[screen]\nhieght = 480\n", ["screen.hieght", "did you mean 'height'?"]),
    "unknown key, none near": ("zzz = 1\n" + TABLE, ["zzz", "unknown key", "table, data, words, director"]),
    "unknown section": (TABLE + "[scaner]\nbaud = 9600\n", ["scaner", "did you mean 'scanner'?"]),
    "missing key": ('[deck]\nname = "blatt"\n', ["table is missing"]),
    "missing section": ("table = 7\n", ["section [deck] is missing"]),
    "deck outside of its folder": ('table = 7\n[deck]\nname = "../blatt"\n', ["deck.name", '"../blatt"', "letters"]),
    "text for a number": ('table = "7"\n[deck]\nname = "blatt"\n', ["table", '"7"', "a whole number"]),
    "truth for a number": ('table = true\n[deck]\nname = "blatt"\n', ["table = true", "a whole number"]),
    "number for text": (TABLE + "[referee]\npin = 2468\n", ["referee.pin = 2468", "text in quotes"]),
    "number for truth": (TABLE + "[screen]\nfullscreen = 1\n", ["screen.fullscreen = 1", "true or false"]),
    "fraction for a whole number": (TABLE + "[camera]\nwidth = 640.5\n", ["camera.width = 640.5"]),
    "value for a section": ('screen = "big"\n' + TABLE, ["screen", '"big"', "[screen]"]),
    "text for a list": (TABLE + '[round]\nplayers = "Anna"\n', ["round.players", "a list"]),
    "wrong item in a list": (TABLE + '[pins]\nlamps = [1, "x"]\n', ["pins.lamps", '"x"', "a whole number"]),
    "three players": (TABLE + '[round]\nplayers = ["A", "B", "C"]\n', ["round.players", "3 names", "4 or 5"]),
    "namesakes": (TABLE + '[round]\nplayers = ["A", "B", "C", "A"]\n', ["round.players", "same name"]),
    "nameless": (TABLE + '[round]\nplayers = ["A", "B", "C", " "]\n', ["round.players", "empty"]),
    "five on a mat for four": (
        TABLE + '[round]\nplayers = ["A", "B", "C", "D", "E"]\n',
        ["mat.seats = 4", "5 players"],
    ),
    "seats": (TABLE + "[mat]\nseats = 6\n", ["mat.seats = 6", "4, 5"]),
    "paper": (TABLE + '[mat]\npaper = "A4"\n', ["mat.paper", '"A4"', "A3, A2"]),
    "unknown book": (TABLE + '[round]\nrules = "epstein"\n', ["round.rules", '"epstein"', "did you mean 'eppstein'?"]),
    "unknown option": (TABLE + "[round.options]\nschneller = true\n", ["round.options", "'schneller'", "it has"]),
    "option's value": (
        TABLE + "[round.options]\nagainst_queens_in_solo = 1\n",
        ["round.options", "against_queens_in_solo", "cannot be 1"],
    ),
    "language": (TABLE + '[screen]\nlanguage = "Deutsch"\n', ["screen.language", "de, en"]),
    "playing time": (TABLE + "[round]\nminutes = 0\n", ["round.minutes = 0", "between 1 and 999"]),
    "no number": (TABLE + "[round]\nminutes = nan\n", ["round.minutes = nan", "between"]),
    "address": (TABLE + '[director]\nurl = "192.168.1.10"\n', ["director.url", "http://"]),
    "PIN": (TABLE + '[referee]\npin = "12"\n', ["referee.pin", "4 to 12 digits"]),
    "token": (TABLE + '[director]\ntoken = "a b"\n', ["director.token", "blanks"]),
    "baud": (TABLE + "[scanner]\nbaud = 9601\n", ["scanner.baud = 9601", "9600"]),
    "pin twice": (TABLE + "[pins]\nbuzzer = 4\n", ["pins.button = 4", "already buzzer"]),
    "reserved pin": (TABLE + "[pins]\nbuzzer = 14\n", ["pins.buzzer = 14", "serial console"]),
    "display of an unknown kind": (TABLE + '[pins]\ndisplay = "lcd"\n', ["pins.display", '"lcd"', "ht16k33"]),
    "display too bright": (TABLE + "[display]\nbrightness = 99\n", ["display.brightness = 99", "15"]),
    "pin off the header": (TABLE + "[pins]\nbuzzer = 40\n", ["pins.buzzer = 40", "GPIO 2 to 27"]),
}


@pytest.mark.parametrize(("text", "told"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_is_told(folder, text, told):
    path = written(folder, text)
    with pytest.raises(BadConfig) as caught:
        load_table(path)
    message = str(caught.value)
    for part in [str(path), *told]:
        assert part in message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('tournament = "T"\nport = 0\n', "port = 0: it must lie between 1 and 65535"),
        ('tournament = "T"\nport = 65536\n', "port = 65536"),
        ('tournament = " "\n', "must not be empty"),
        ('tournament = "Herbst 2025/26"\n', "write 2025-26"),
        ("port = 8377\n", "tournament is missing"),
        ('tournament = "T"\nround = 3\n', "did you mean 'rounds'?"),
    ],
)
def test_director_mistake_is_told(folder, text, told):
    with pytest.raises(BadConfig, match=r"file\.toml") as caught:
        load_director(written(folder, text))
    assert told in str(caught.value)


def test_unreadable_files_are_told(folder):
    with pytest.raises(BadConfig, match=r"nowhere\.toml: cannot be read: No such file"):
        load_table(folder / "nowhere.toml")
    with pytest.raises(BadConfig, match="cannot be read: Is a directory"):
        load_table(folder)
    path = folder / "latin.toml"
    path.write_bytes('tournament = "Köln"'.encode("latin-1"))
    with pytest.raises(BadConfig, match="not UTF-8 text"):
        load_director(path)


#: Settings that name a folder or a file, as they stand in a file.
PATHS = {
    "data": TABLE.replace("\n", "\ndata = {}\n", 1),
    "words": TABLE.replace("\n", "\nwords = {}\n", 1),
    "deck.folder": TABLE + "folder = {}\n",
    "director.authority": TABLE + "[director]\nauthority = {}\n",
    "camera.source": TABLE + "[camera]\nsource = {}\n",
    "scanner.port": TABLE + "[scanner]\nport = {}\n",
}
DIRECTOR_PATHS = {
    name: f'tournament = "t"\n{name} = {{}}\n' for name in ("data", "words", "database", "clubs", "certificate")
}
FOLDERS = ("data", "words", "deck.folder", "clubs")
NO_PATHS = {
    "NUL": (r'"\u0000"', r'"\u0000"', "the control character U+0000"),
    "line end": (r'"a\nb"', r'"a\u000ab"', "the control character U+000A"),
    "escape": (r'"\u001b[31m"', r'"\u001b[31m"', "the control character U+001B"),
    "turned round": (r'"a\u202eb"', r'"a\u202eb"', "the control character U+202E"),
}
NO_FOLDERS = {
    "empty": ("", '""', "it is empty; write a path, or delete the line"),
    "blank": (" ", '" "', "it is empty; write a path, or delete the line"),
    "long name": ("x" * 256, "xxx", "it is too long"),
    "long path": ("x/" * 2048, "x/x", "it is too long"),
    "a file": ("here", "here", "is a file; name a folder"),
    "below a file": ("here/decks", "here", "is a file; name a folder"),
    "nobody's": ("~nobody-of-that-name/x", "~nobody", "write the whole path, beginning with /"),
    "in a circle": ("round/x", "round/x", "write the whole path, beginning with /"),
}


def told_of(folder: Path, name: str, value: str) -> str:
    text = PATHS.get(name) or DIRECTOR_PATHS[name]
    with pytest.raises(BadConfig) as error:
        (load_table if name in PATHS else load_director)(written(folder, text.format(value)))
    return str(error.value)


@pytest.mark.parametrize(("value", "shown", "told"), NO_PATHS.values(), ids=NO_PATHS)
@pytest.mark.parametrize("name", [*PATHS, *DIRECTOR_PATHS])
def test_what_nobody_can_see_is_in_no_path(folder, name, value, shown, told):
    said = told_of(folder, name, value)
    assert f"{name} = {shown}" in said and told in said and "write it without" in said and said.isprintable()


@pytest.mark.parametrize(("value", "shown", "told"), NO_FOLDERS.values(), ids=NO_FOLDERS)
@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_cannot_be_is_told(folder, name, value, shown, told):
    (folder / "here").touch()
    (folder / "round").symlink_to(folder / "round")
    said = told_of(folder, name, f'"{value}"')
    assert f"{name} = " in said and shown in said and told in said and len(said) < 600


def test_a_folder_that_is_not_there_yet_may_be_named(folder):
    config = load_table(written(folder, PATHS["deck.folder"].format('"new/decks"')))
    assert config.deck_folder == folder / "new" / "decks"


def test_a_start_number_has_its_bounds(folder):
    text = 'tournament = "t"\n[[players]]\nname = "Anna"\nnumber = 10000000000000000000000000000000\n'
    with pytest.raises(BadConfig, match="between 1 and 99999"):
        load_director(written(folder, text))
