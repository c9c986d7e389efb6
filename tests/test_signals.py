"""Which event gives which signal, what is spoken, and by which way out."""

import datetime
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.loudspeaker import LoudspeakerState, Unheard
from hw.pinmap import NO_PINS, PinMap
from hw.signals import SIGNALS
from kiosk.app.config import SoundConfig
from kiosk.app.herald import Herald, in_hours
from kiosk.app.kept_settings import KEPT, KeptSettings
from kiosk.app.signals import signal_of, signals_of_change, words_of, words_of_change
from kiosk.language import words
from kiosk.table.events.codec import decode
from kiosk.table.events.values import WordCorrected
from kiosk.table.round.fold import fold
from kiosk.table.view.show import view
from kiosk.table.view.table_view import ClockView, DoubtView

OPENED = [
    {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]},
    {"event": "release"},
    {"event": "deal", "dealer": 1},
]
PLAYERS = ("Anna", "Bernd", "Cem", "Dora")


def clock(remaining: float, over: bool = False) -> ClockView:
    return ClockView(running=True, remaining=remaining, extra=0.0, over=over)


def seen(*events: dict[str, Any], remaining: float = 7200.0, over: bool = False) -> Any:
    return view(fold(map(decode, [*OPENED, *events])), clock=clock(remaining, over))


# --- what is a signal


@pytest.mark.parametrize(
    ("before", "after", "signals"),
    [
        (clock(601), clock(600), ("minutes_10",)),
        (clock(600), clock(599), ()),
        (clock(301), clock(299.5), ("minutes_5",)),
        (clock(60.5), clock(59.5), ("minutes_1",)),
        (clock(700), clock(50), ("minutes_1",)),
        (clock(0.5), clock(-0.5), ()),
        (clock(0.5), clock(-0.5, over=True), ("time_up",)),
        (clock(700), clock(0, over=True), ("time_up",)),
        (clock(-5, over=True), clock(-6, over=True), ()),
        (clock(-5, over=True), clock(595), ()),
    ],
)
def test_the_clock_signals(before: ClockView, after: ClockView, signals: tuple[str, ...]) -> None:
    table = seen()
    assert signals_of_change(replace(table, clock=before), replace(table, clock=after)) == signals


def test_a_breach_signals_once() -> None:
    right = seen({"event": "card", "seat": 2, "card": "CA"})
    wrong = seen({"event": "card", "seat": 2, "card": "CA"}, {"event": "card", "seat": 4, "card": "C9"})
    assert signals_of_change(right, wrong) == ("breach",)
    assert signals_of_change(wrong, wrong) == ()


def test_a_card_too_many_is_a_doubt_and_no_breach() -> None:
    laid = [{"event": "card", "seat": int(one[0]), "card": one[1:]} for one in ("2CA", "3CA", "4CK", "1CA")]
    after = seen(*laid)
    assert [one.code for one in after.offences] == ["impossible_card"]
    assert signals_of_change(seen(*laid[:-1]), after) == ("doubt",)


def test_a_breach_ruled_on_before_it_was_proved_signals_nothing() -> None:
    laid = [{"event": "card", "seat": int(one[0]), "card": one[1:]} for one in ("2CA", "3H9", "4CK", "1CT", "2SA")]
    ruled = [
        {"event": "object", "seat": 4, "against": 3, "code": "revoke"},
        {"event": "rule", "offender": 3, "class": "minor"},
    ]
    shown = {"event": "card", "seat": 3, "card": "C9"}
    assert signals_of_change(seen(*laid), seen(*laid, shown)) == ("breach",)
    assert signals_of_change(seen(*laid, *ruled), seen(*laid, *ruled, shown)) == ()


def test_a_game_named_ahead_is_heard_once_all_have_answered() -> None:
    """schaffkopf II 2.3: nothing of the game before the Spielmacher is found."""
    opened = [{**OPENED[0], "rules": "schaffkopf"}, *OPENED[1:]]
    named = {"event": "declare", "seat": 2, "game": "solo", "suit": "G", "ahead": True}
    events = [*opened, {"event": "call", "seat": 2, "call": "spielen"}, named]
    rest = [{"event": "call", "seat": seat, "call": "recht", "implied": True} for seat in (3, 4, 1)]
    views = [view(fold(map(decode, events + rest[:n]))) for n in range(4)]
    assert words_of(decode(named), PLAYERS, "de") == ""
    assert [words_of_change(one, other, "de") for one, other in pairwise(views)] == ["", "", "B: Solo Gras"]
    assert words_of_change(None, views[-1], "de") == "" == words_of_change(views[-1], views[-1], "de")


def test_a_reklamation_signals_that_the_referee_is_called() -> None:
    wrong = [{"event": "card", "seat": 2, "card": "CA"}, {"event": "card", "seat": 4, "card": "C9"}]
    called = seen(*wrong, {"event": "object", "seat": 3, "against": 4, "code": "out_of_turn"})
    assert signals_of_change(seen(*wrong), called) == ("referee",)
    assert signals_of_change(called, called) == ()


def test_each_doubt_signals_once() -> None:
    table = seen()
    first, second = (DoubtView(event=n, seat=1, choices=("CA",), picture=None, game=1, trick=1) for n in (7, 9))
    assert signals_of_change(table, replace(table, doubts=(first,))) == ("doubt",)
    assert signals_of_change(replace(table, doubts=(first,)), replace(table, doubts=(first, second))) == ("doubt",)
    assert signals_of_change(replace(table, doubts=(first, second)), replace(table, doubts=(second,))) == ()


def test_a_start_and_another_round_signal_nothing() -> None:
    over = seen(remaining=0, over=True)
    assert signals_of_change(None, over) == ()
    assert signals_of_change(replace(over, round=2, clock=clock(7200)), over) == ()


def test_every_signal_has_a_word_for_the_screen() -> None:
    assert set(words("signals")) == set(SIGNALS)


@pytest.mark.parametrize(
    ("event", "signal", "german", "english"),
    [
        ({"event": "announce", "seat": 2, "call": "keine90"}, "taken", "Bernd: keine 90", "Bernd: no 90"),
        ({"event": "announce", "seat": 2, "call": "re"}, "taken", "Bernd: Re", "Bernd: Re"),
        (
            {"event": "announce", "seat": 2, "call": "keine90", "side": "re"},
            "taken",
            "Bernd: Re keine 90",
            "Bernd: Re no 90",
        ),
        ({"event": "call", "seat": 1, "call": "vorbehalt"}, "", "Anna: Vorbehalt", "Anna: Vorbehalt"),
        ({"event": "call", "seat": 1, "call": "gesund"}, "", "", ""),
        (
            {"event": "declare", "seat": 3, "game": "farbsolo", "suit": "H"},
            "",
            "Cem: Farbsolo Herz",
            "Cem: suit solo hearts",
        ),
        ({"event": "bid", "seat": 4, "class": None}, "", "Dora: kein höheres", "Dora: no higher"),
        ({"event": "bid", "seat": 4, "class": "wenz"}, "", "Dora: Wenz", "Dora: Wenz"),
        ({"event": "object", "seat": 4}, "", "Dora: Reklamation", "Dora: objection"),
        ({"event": "card", "seat": 4, "card": "CA"}, "", "", ""),
    ],
    ids=lambda value: value["event"] if isinstance(value, dict) else None,
)
def test_what_an_event_sounds_like(event: dict[str, Any], signal: str, german: str, english: str) -> None:
    decoded: Any = decode(event)
    assert signal_of(decoded) == signal
    assert words_of(decoded, PLAYERS, "de") == german
    assert words_of(decoded, PLAYERS, "en") == english


CALL = decode({"event": "announce", "seat": 2, "call": "keine90"})


@pytest.mark.parametrize(
    ("was", "word", "spoken"),
    [
        (CALL, None, "Bernd: keine 90 – zurückgenommen"),
        (CALL, decode({"event": "announce", "seat": 2, "call": "re"}), "Bernd: Re"),
        (decode({"event": "call", "seat": 1, "call": "gesund"}), None, ""),
        (decode({"event": "sign", "seat": 1}), None, ""),
    ],
    ids=["taken back", "another word", "a word that nobody repeats", "no word"],
)
def test_what_was_put_right_is_spoken_too(was: Any, word: Any, spoken: str) -> None:
    assert words_of(WordCorrected(of=9, word=word), PLAYERS, "de", was) == spoken


# --- by which way out


class FakeSpeaker:
    def __init__(self, works: bool) -> None:
        self.works, self.played, self.said, self.closed = works, [], [], False

    def play(self, signal: str, volume: int) -> None:
        self.played.append((signal, volume))

    def say(self, text: str, language: str, volume: int) -> None:
        self.said.append((text, language, volume))

    def close(self) -> None:
        self.closed = True


class FakePanel:
    def __init__(self, pins: PinMap, mock: bool) -> None:
        self.pins, self.mock, self.rung = pins, mock, []

    def ring(self, signal: str) -> None:
        self.rung.append(signal)


class FakeScreen:
    def __init__(self) -> None:
        self.flashes: list[str] = []

    def flash(self, signal: str) -> None:
        self.flashes.append(signal)


def table_with(
    speaker: bool | None = None, buzzer: str = "", at: str = "20:00", **settings: Any
) -> tuple[Herald, Any, Any, FakeScreen]:
    """A herald: with a loudspeaker that works (True) or not (False), with a buzzer that is wired, mock or not there."""
    panel: Any = FakePanel(PinMap() if buzzer else NO_PINS, buzzer == "mock")
    screen, voice = FakeScreen(), FakeSpeaker(bool(speaker))
    sound = SoundConfig(device="" if speaker is None else "default", **settings)
    opened: Any = lambda device: voice  # noqa: E731
    herald = Herald(lambda: panel, lambda: screen, sound, opened, lambda: datetime.time.fromisoformat(at))
    return herald, voice, panel, screen


@pytest.mark.parametrize(
    ("here", "way"),
    [
        ({"speaker": True, "buzzer": "wired"}, "loudspeaker"),
        ({"speaker": True}, "loudspeaker"),
        ({"speaker": False, "buzzer": "wired"}, "buzzer"),
        ({"buzzer": "wired"}, "buzzer"),
        ({"speaker": True, "volume": 0, "buzzer": "wired"}, "buzzer"),
        ({"buzzer": "mock"}, "buzzer and screen"),
        ({"speaker": False}, "screen"),
        ({}, "screen"),
        ({"speaker": True, "buzzer": "wired", "quiet": "19:00-21:00"}, "screen"),
        ({"speaker": True, "buzzer": "wired", "quiet": "21:00-19:00"}, "loudspeaker"),
    ],
    ids=str,
)
def test_a_signal_takes_the_first_way_out_there_is(here: dict[str, Any], way: str) -> None:
    herald, speaker, panel, screen = table_with(**here)
    herald.give("breach")
    ways = [
        name
        for name, given in (("loudspeaker", speaker.played), ("buzzer", panel.rung), ("screen", screen.flashes))
        if given
    ]
    assert " and ".join(ways) == way


@pytest.mark.parametrize(
    ("here", "said"),
    [
        ({"speaker": True, "speak": True}, 1),
        ({"speaker": True}, 0),
        ({"speaker": False, "speak": True}, 0),
        ({"speaker": True, "speak": True, "quiet": "19:00-21:00"}, 0),
    ],
    ids=str,
)
def test_words_are_spoken_only_where_they_are_wanted_and_heard(here: dict[str, Any], said: int) -> None:
    herald, speaker, _, screen = table_with(**here)
    herald.say("Bernd: Re", "de")
    assert (len(speaker.said), screen.flashes) == (said, [])


def test_a_signal_that_the_loudspeaker_could_not_play_goes_to_the_buzzer() -> None:
    herald, _, panel, screen = table_with(speaker=True, buzzer="wired")
    herald.heard(LoudspeakerState(works=False, why="unplugged"))
    herald.heard(Unheard(signal="director"))
    assert (panel.rung, screen.flashes) == (["director"], [])


@pytest.mark.parametrize(
    ("here", "way"),
    [
        ({"speaker": True, "speak": True, "quiet": "19:00-21:00"}, "loudspeaker and words"),
        ({"speaker": True}, "loudspeaker"),
        ({"buzzer": "wired"}, "buzzer"),
        ({}, "screen"),
    ],
    ids=str,
)
def test_a_trial_is_heard_or_seen_wherever_signals_are_given(here: dict[str, Any], way: str) -> None:
    herald, speaker, panel, screen = table_with(**here)
    herald.try_out("keine 90", "de")
    given = {"loudspeaker": speaker.played, "words": speaker.said, "buzzer": panel.rung, "screen": screen.flashes}
    assert " and ".join(name for name, what in given.items() if what) == way


def test_another_device_closes_the_one_before() -> None:
    herald, speaker, _, _ = table_with(speaker=True)
    herald.change(replace(herald.settings, volume=30))
    assert not speaker.closed
    herald.change(replace(herald.settings, device=""))
    assert speaker.closed
    herald.give("breach")
    assert speaker.played == []


HOURS = st.builds(lambda minute: f"{minute // 60:02}:{minute % 60:02}", st.integers(0, 24 * 60 - 1))


@given(HOURS, HOURS, HOURS)
def test_a_time_lies_in_hours_or_in_the_others(begin: str, end: str, at: str) -> None:
    moment = datetime.time.fromisoformat(at)
    if begin != end:
        assert in_hours(f"{begin}-{end}", moment) != in_hours(f"{end}-{begin}", moment)
    assert not in_hours("", moment)


# --- what the screen has set is kept


def test_what_was_set_on_the_screen_outlives_a_restart_and_the_rest_follows_the_file(tmp_path: Path) -> None:
    file = SoundConfig(device="default", volume=70)
    KeptSettings(tmp_path).keep("sound", file, replace(file, volume=40))
    assert KeptSettings(tmp_path).over("sound", file) == replace(file, volume=40)
    assert KeptSettings(tmp_path).over("sound", replace(file, speak=True)) == replace(file, volume=40, speak=True)
    KeptSettings(tmp_path).keep("sound", file, file)
    assert KeptSettings(tmp_path).over("sound", replace(file, volume=90)).volume == 90


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"sound": 7}', '{"sound": {"volume": 400}}', '{"sound": {"volume": "loud"}}', '{"other": {}}'],
)
def test_a_damaged_file_leaves_the_configuration_as_it_is(tmp_path: Path, text: str) -> None:
    (tmp_path / KEPT).write_text(text)
    assert KeptSettings(tmp_path).over("sound", SoundConfig(volume=60)) == SoundConfig(volume=60)


def test_a_folder_that_cannot_be_written_keeps_for_this_evening(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = KeptSettings(tmp_path / "file")
    kept.keep("sound", SoundConfig(), SoundConfig(volume=10))
    assert kept.over("sound", SoundConfig()).volume == 10
