"""The line's logic against the real store, with everything lost that can get lost."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.director.key import ListKey
from kiosk.director.refusals import Contradiction, Gap
from kiosk.director.storage.store import Store
from kiosk.sync.outbox import Outbox, Post

KEY = ListKey("herbst", 1, 7)


class MemoryLog:
    """A log that survives the table's restarts, since the test holds it."""

    def __init__(self, events: list[dict[str, Any]] | None = None) -> None:
        self.events = events or []

    def read(self, after: int = -1) -> list[tuple[int, dict[str, Any]]]:
        return [(number, event) for number, event in enumerate(self.events) if number > after]

    def grow(self) -> None:
        number = len(self.events)
        self.events.append(
            {"event": "open", "table": 7} if number == 0 else {"event": "card", "card": "HT", "n": number}
        )


def deliver(store: Store, post: Post) -> tuple[int, str]:
    """What the director answers, through JSON as on the line."""
    message = json.loads(json.dumps(post.json()))
    stand = store.append(KEY, message["after"], message["chain"], message["events"])
    return stand.last, stand.chain


def run_dry(store: Store, outbox: Outbox) -> None:
    for _ in range(1000):
        post = outbox.post()
        if post is None:
            return
        outbox.took(*deliver(store, post))
    raise AssertionError("the outbox never ends")


FATES = st.lists(
    st.sampled_from(
        ["grow", "grow", "grow", "arrives", "arrives", "request lost", "answer lost", "arrives twice", "arrives late",
         "table restarts", "director restarts"]
    ),
    max_size=60,
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(fates=FATES, batch=st.integers(1, 4))
@pytest.mark.slow
def test_whatever_breaks_the_director_ends_with_the_tables_list(tmp_path_factory, fates, batch):  # noqa: C901 - every fate that a message may have
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'director.sqlite'}"
    store, log = Store(url), MemoryLog()
    outbox = Outbox(log, batch)
    late: list[Post] = []
    for fate in fates:
        if fate == "grow":
            log.grow()
        elif fate == "table restarts":
            outbox = Outbox(log, batch)
        elif fate == "director restarts":
            store.close()
            store = Store(url)
        elif (post := outbox.post()) is not None:
            if fate == "request lost":
                continue
            if fate == "arrives late":
                late.append(post)
                continue
            answer = deliver(store, post)
            if fate == "arrives twice":
                answer = deliver(store, post)
            if fate != "answer lost":
                outbox.took(*answer)
        stored = store.read(KEY)
        assert stored == log.events[: len(stored)]
    for post in late:  # messages from long ago come out of the network after all
        deliver(store, post)
    run_dry(store, outbox)
    assert store.read(KEY) == log.events
    assert outbox.waiting == 0
    store.close()


@pytest.fixture
def store(tmp_path):
    made = Store(f"sqlite:///{tmp_path / 'director.sqlite'}")
    yield made
    made.close()


def log_of(count: int, word: str = "card") -> MemoryLog:
    return MemoryLog([{"event": "open"}, *({"event": word, "n": n} for n in range(1, count))])


def test_a_director_that_lost_its_disk_gets_everything_again(store, tmp_path):
    log = log_of(9)
    outbox = Outbox(log, 4)
    run_dry(store, outbox)
    fresh = Store(f"sqlite:///{tmp_path / 'fresh.sqlite'}")
    log.grow()
    post = outbox.post()
    assert post is not None
    with pytest.raises(Gap):
        deliver(fresh, post)
    outbox.ask()
    run_dry(fresh, outbox)
    assert fresh.read(KEY) == log.events
    fresh.close()


@pytest.mark.parametrize("mine", [3, 5, 8], ids=["shorter", "as long", "longer"])
def test_another_list_there_is_named_and_left_alone(store, mine):
    theirs, log = log_of(5), log_of(mine, "call")
    run_dry(store, Outbox(theirs))
    outbox = Outbox(log)
    with pytest.raises(Contradiction) as caught:
        run_dry(store, outbox)
    assert caught.value.number == 1
    assert store.read(KEY) == theirs.events


def test_a_table_that_lost_events_says_how_many(store):
    run_dry(store, Outbox(log_of(9)))
    outbox = Outbox(log_of(6))
    run_dry(store, outbox)
    assert outbox.missing_here == 3
    assert outbox.post() is None
    assert len(store.read(KEY)) == 9


def test_waiting_counts_what_the_director_lacks(store):
    log = log_of(5)
    outbox = Outbox(log, batch=2)
    assert outbox.post() is not None
    assert outbox.waiting == 5
    outbox.took(*deliver(store, Post(after=-1, chain="", events=())))
    post = outbox.post()
    assert post is not None and len(post.events) == 2
    outbox.took(*deliver(store, post))
    assert outbox.waiting == 3
