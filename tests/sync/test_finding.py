"""Directions found by mDNS: what is read of an announcement, and the whole in a network of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.director.announcement import reached_at
from kiosk.sync.finding import KIND, reachable_first, texts_of

NETWORK = Path(__file__).with_name("mdns_network.py")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        pytest.param({b"name": "Klub Äpfel".encode()}, {"name": "Klub Äpfel"}, id="a name"),
        pytest.param({b"name": b"A\x1b[31m\n B\xe2\x80\xaeC "}, {"name": "A[31m BC"}, id="signs that nobody sees"),
        pytest.param({b"name": b"x" * 250}, {"name": "x" * 60}, id="too long"),
        pytest.param({b"name": b"\xff\xfe"}, {"name": "��"}, id="no UTF-8"),
        pytest.param({b"fp": b"a" * 200}, {"fp": "a" * 64}, id="a fingerprint"),
        pytest.param({b"name": None}, {"name": ""}, id="without a value"),
        pytest.param({b"at": b"leitung.example"}, {"at": "leitung.example"}, id="a name in an address"),
        pytest.param({b"at": b"x@evil.example/"}, {}, id="what is no name in an address"),
    ],
)
def test_what_an_announcement_says(said, read):
    assert texts_of(said) == read


@pytest.mark.parametrize(
    ("told", "tried"),
    [
        pytest.param(["fe80::1%1", "fd00::2", "10.0.0.2"], ["10.0.0.2", "fd00::2", "fe80::1%lo"], id="order"),
        pytest.param(["fe80::1"], [], id="of an unknown cable"),
        pytest.param(["127.0.0.1", "::1", "0.0.0.0", "224.0.0.251"], [], id="never this machine itself"),
    ],
)
def test_addresses_are_tried_in_an_order(told, tried):
    assert reachable_first(told) == tried


@pytest.mark.parametrize(
    ("host", "found"),
    [("127.0.0.1", ()), ("::1", ()), ("192.0.2.99", ("192.0.2.99",))],
)
def test_a_service_is_announced_where_it_listens(host, found):
    assert reached_at(host) == found


def test_both_sides_name_the_same_kind():
    from kiosk.director import announcement

    assert announcement.KIND == KIND


@pytest.mark.slow
def test_directions_come_go_and_move_in_a_network(tmp_path):
    """In a network of its own, on an interface that carries nothing outside."""
    ready = (
        "ip link set lo up && ip link add d0 type veth peer name d1 && ip addr add 10.9.0.1/24 dev d0 && "
        "ip link set d0 up && ip link set d1 up"
    )
    alone = ["unshare", "-n", "sh", "-c", f"{ready} && exec {sys.executable} {NETWORK}"]
    tried = subprocess.run(["unshare", "-n", "sh", "-c", ready], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no network of its own to be had here: {tried.stderr.strip()}")
    done = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "two of one name stand apart",
        "one that says goodbye goes",
        "one that says nothing more goes",
        "one that has another address is found there",
        "one by its cable alone answers",
        "a stranger's forty names leave room",
    ]
