"""The round clock."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.table.clock import BadClock, RoundClock, boot_id


def released(at: float = 1000.0) -> RoundClock:
    return RoundClock.new(120, 0.0, "boot-a").release(at)


def test_time_waits_for_the_release_and_then_runs() -> None:
    clock = RoundClock.new(120, 0.0, "boot-a")
    assert clock.left(5000.0) == 7200
    assert not clock.due(99999.0)
    clock = clock.release(1000.0)
    assert clock.left(1060.0) == 7140
    assert clock.release(2000.0).left(2000.0) == 6200  # a second release changes nothing


def test_the_end_is_due_once() -> None:
    clock = released()
    assert not clock.due(8199.9)
    assert clock.due(8200.0)
    clock = clock.signalled(8201.0)
    assert not clock.due(9000.0)
    assert clock.view(8261.0).over
    assert clock.left(8261.0) == -61


def test_a_book_without_playing_time_never_ends() -> None:
    clock = RoundClock.new(None, 0.0, "b").release(1.0)
    assert not clock.due(1e9)


def test_nachspielzeit_is_the_last_part_of_the_time() -> None:
    clock = released().extend(5, 2000.0)
    assert clock.left(2000.0) == 7200 - 1000 + 300
    assert clock.view(8300.0).extra == 200
    assert clock.due(8500.0)


def test_the_directions_end_leaves_a_table_its_nachspielzeit() -> None:
    clock = released().extend(5, 2000.0).end_official(3000.0)
    assert clock.left(3000.0) == 300
    assert not clock.due(3000.0)
    assert clock.due(3300.0)
    assert released().end_official(3000.0).due(3000.0)


@pytest.mark.parametrize(
    ("ended", "left", "extra"),
    [
        pytest.param(released().signalled(3000.0), 4600, 0, id="by a request"),
        pytest.param(released().extend(5, 2000.0).signalled(3000.0), 4900, 300, id="with its Nachspielzeit"),
        pytest.param(
            released().extend(5, 2000.0).end_official(3000.0).signalled(3300.0),
            4900,
            300,
            id="by the direction's order",
        ),
        pytest.param(released().signalled(3000.0).extend(5, 3100.0).signalled(3400.0), 4900, 300, id="after an end"),
        pytest.param(
            RoundClock.restored(released().signalled(3000.0).kept(3100.0), 3200.0, "boot-a"), 4600, 0, id="restarted"
        ),
    ],
)
def test_an_end_taken_back_gives_the_time_back(ended: RoundClock, left: float, extra: float) -> None:
    """The hall's time has gone on meanwhile: it was released at 1000, and is over at 8200."""
    clock = ended.given_back(3600.0)
    assert (clock.left(3600.0), clock.view(3600.0).extra, clock.over) == (left, extra, False)
    assert clock.due(3600.0 + left) and not clock.due(3599.0 + left)


def test_an_end_in_its_time_taken_back_is_due_again() -> None:
    assert released().signalled(8200.0).given_back(8300.0).due(8300.0)


def test_nachspielzeit_after_the_end_counts_from_the_end() -> None:
    clock = released().signalled(8300.0).extend(5, 8400.0)  # the end was at 8200
    assert not clock.over
    assert clock.left(8400.0) == 100
    assert not clock.due(8499.0)
    assert clock.due(8500.0)
    assert released().signalled(8300.0).extend(1, 8400.0).due(8400.0)


@pytest.mark.parametrize("minutes", [0, -3, float("nan"), float("inf"), 2000])
def test_senseless_extra_time_is_refused(minutes: float) -> None:
    with pytest.raises(BadClock, match="extra time of"):
        released().extend(minutes, 2000.0)


def test_a_restart_of_the_program_loses_no_second() -> None:
    kept = released().extend(5, 1500.0).kept(2000.0)
    assert RoundClock.restored(kept, 2600.0, "boot-a").left(2600.0) == 7500 - 1600


def test_a_restart_of_the_machine_goes_on_from_what_was_kept() -> None:
    kept = released().kept(2000.0)
    clock = RoundClock.restored(kept, 12.0, "boot-b")
    assert clock.left(12.0) == 6200
    assert clock.left(22.0) == 6190
    # off Linux no boot has a name: a clock that went back shows the restart
    assert RoundClock.restored(released().kept(2000.0), 3.0, "boot-a").left(3.0) == 6200


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"boot": "a", "at": "x"}'])
def test_an_unreadable_kept_clock_is_named(text: str) -> None:
    with pytest.raises(BadClock, match="cannot be read"):
        RoundClock.restored(text, 0.0, "b")


@given(
    steps=st.lists(st.tuples(st.floats(0, 2000), st.sampled_from(["wait", "extend", "restart"])), max_size=12),
)
@settings(deadline=None, max_examples=40)
def test_restarts_anywhere_change_nothing(steps: list[tuple[float, str]]) -> None:
    straight = restarting = released(0.0)
    now = 0.0
    for pause, what in steps:
        now += pause
        if what == "extend":
            straight, restarting = straight.extend(3, now), restarting.extend(3, now)
        elif what == "restart":
            restarting = RoundClock.restored(restarting.kept(now), now + 1.0, "boot-a")
        assert restarting.left(now) == pytest.approx(straight.left(now))
        assert restarting.due(now) == straight.due(now) or abs(straight.left(now)) < 1e-6


def test_this_machines_boot_has_one_name() -> None:
    assert boot_id() == boot_id()
