"""Make up requests that no program of ours sends: for ``stichwart bench attack`` and the director's tests.

Each is the bytes that go over one connection. They follow the service's own description, so that many get past its door
with a valid session or a table's secret and fail further in.
"""

import base64
import json
import os
import random
import struct
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "G\x00T", "💥")

#: What very long texts are made of: answers are searched for it.
LONG_LETTER = b"a"
_TEXTS = (
    "", " ", "x", "t", "Anna", "a" * 61, LONG_LETTER.decode() * 5000,
    "\x00", "\n\r", "\u202eabc", "\ud800", "💥" * 20, "ä",
    "../../etc/passwd",
    *("' OR 1=1 --", "<script>alert(1)</script>", "%s%n", "{{7*7}}", "${x}", "=1+1", "null", "NaN", "-1", "1e999"),
)  # fmt: skip
_NUMBERS = (0, 1, -1, 7, 8, 999, 1000, 9999, 10_000, 2**31, 2**53, 2**63, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308)

#: Messages that no JSON reader makes.
_NO_JSON = (
    b"", b"{", b"[]", b"null", b'"x"', b"0", b"{'a':1}", b'{"a":NaN}', b'{"a":1e999}', b'{"a":-Infinity}',
    b"\xff\xfe", b'{"a":"\\ud800"}', b'{"a":"\\u0000"}', b"[" * 5000, b'{"a":' * 2000 + b"1" + b"}" * 2000,
    b"1" * 5000, b"\x00" * 100,
    *(b'{"a":1}{"a":2}', '{"a":1}'.encode("utf-16"), '{"a":1}'.encode("utf-8-sig"), b'{"a":"' + b"x" * 100_000 + b'"}'),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attack:
    """Bytes for one connection."""

    kind: str
    content: bytes
    closes: bool = False  # the sender closes its side at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Prey:
    """What is known of the service that is attacked."""

    host: str
    described: Mapping[str, Any]  # its OpenAPI description
    session: str  # of a director, for the cookie
    secret: str  # of a table's device
    tournament: str
    table: int


def bad_requests(prey: Prey, seed: int) -> Iterator[Attack]:
    """Make up requests without end; the same for the same seed."""
    rng = random.Random(seed)
    makers = (_bad_message, _bad_message, _bad_message, _bad_path, _bad_head, _bad_length, _bad_socket, _garbage)
    while True:
        yield rng.choice(makers)(prey, rng)


def operations(described: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """List what a description names: method, path and what it says of it."""
    return [
        (method.upper(), path, told) for path, methods in described["paths"].items() for method, told in methods.items()
    ]


#: What would end the director's session, begin another tournament or put the lists of all tables by: that is a
#: director's right, and nothing would be reached any more.
_LEFT_OUT = ("/api/logout", "/api/password", "/api/begin", "/api/accounts/change", "/api/{tournament}/{round_}/aside")


def _chosen(prey: Prey, rng: random.Random) -> tuple[str, str, Mapping[str, Any]]:
    return rng.choice([one for one in operations(prey.described) if one[1] not in _LEFT_OUT])


def _value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(8 if depth < 3 else 5)
    if kind < 2:
        return rng.choice(_TEXTS)
    if kind < 4:
        return rng.choice(_NUMBERS)
    if kind == 4:
        return rng.choice((None, True, False))
    if kind == 5:
        return [_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(_TEXTS): _value(rng, depth + 1) for _ in range(rng.randrange(4))}


#: Words of the protocol, so that messages get further than their first key.
_WORDS = {
    "event": (
        "open",
        "deal",
        "card",
        "call",
        "rule",
        "strike",
        "time_up",
        "sign",
        "close",
        "correct",
        "release",
        "void",
    ),
    "note": (
        "undo",
        "book",
        "people",
        "draw",
        "berichtigung",
        "paper",
        "paper_row",
        "lot",
        "payment",
        "swap",
        "publish",
    ),
    "what": ("points", "name", "seat", "row", "penalty", "signatures", "disqualified"),
    "role": ("director", "referee", "desk", "viewer"),
}
_KEYS = (
    "event", "note", "what", "table", "seat", "game", "number", "last", "after", "chain", "events", "body", "names",
    "name",
    *("reason", "section", "seen", "of", "word", "player", "people", "seats", "order", "round", "tournament", "class"),
)  # fmt: skip


def _message(rng: random.Random, told: Mapping[str, Any]) -> bytes:
    if rng.random() < 0.15:
        return rng.choice(_NO_JSON)
    content = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    keys = [*content.get("properties", {}), *rng.sample(_KEYS, 4)]
    body: dict[str, Any] = dict(content.get("example") or {})
    for key in rng.sample(keys, min(len(keys), rng.randrange(1, 6))):
        body[key] = rng.choice(_WORDS[key]) if key in _WORDS and rng.random() < 0.7 else _value(rng)
    if rng.random() < 0.2:
        body["body"] = {"event": rng.choice(_WORDS["event"]), **{key: _value(rng) for key in rng.sample(_KEYS, 3)}}
    return json.dumps(body, ensure_ascii=rng.random() < 0.5).encode(errors="surrogatepass")


def _filled(prey: Prey, rng: random.Random, path: str, told: Mapping[str, Any], odd: float) -> str:
    """A path with its places filled in, some of them oddly, and odd questions behind it."""
    right = {"tournament": prey.tournament, "round_": "1", "table": str(prey.table), "number": "1", "kind": "json"}
    for one in told.get("parameters", ()):
        if one["in"] == "path":
            value = right.get(one["name"], "x") if rng.random() > odd else str(rng.choice((*_TEXTS, *_NUMBERS)))
            path = path.replace(f"{{{one['name']}}}", urllib.parse.quote(value, safe="", errors="surrogatepass"))
    asked = {
        one["name"]: str(rng.choice((*_TEXTS, *_NUMBERS)))
        for one in told.get("parameters", ())
        if one["in"] == "query" and rng.random() < 0.5
    }
    return path + ("?" + urllib.parse.urlencode(asked, errors="surrogatepass") if asked else "")


def _request(prey: Prey, method: str, path: str, body: bytes, *more: str, session: bool = True) -> bytes:
    head = [
        f"{method} {path} HTTP/1.1",
        f"Host: {prey.host}",
        "Connection: close",
        f"Content-Length: {len(body)}",
        *more,
    ]
    if path.startswith(("/line/", "/enrol")):
        head.append(f"Authorization: Bearer {prey.secret}")
    elif session:
        head.append(f"Cookie: stichwart={prey.session}")
    return "\r\n".join(head).encode("latin-1", "replace") + b"\r\n\r\n" + body


def _bad_message(prey: Prey, rng: random.Random) -> Attack:
    method, path, told = _chosen(prey, rng)
    place = _filled(prey, rng, path, told, 0.1)
    body = _message(rng, told) if method == "POST" or rng.random() < 0.1 else b""
    kind = rng.choice(("application/json", "text/plain", "multipart/form-data", "x" * 300, ""))
    return Attack("message", _request(prey, method, place, body, f"Content-Type: {kind}", session=rng.random() < 0.9))


def _bad_path(prey: Prey, rng: random.Random) -> Attack:
    method, path, told = _chosen(prey, rng)
    path = _filled(prey, rng, path, told, 0.7)
    odd = rng.randrange(5)
    if odd == 0:
        path = "/" + "".join(rng.choice("/.%20é?#&=;\\a1") for _ in range(rng.randrange(200)))
    elif odd == 1:
        path = (
            rng.choice(("/page/", "/page/../", "//", "/api/", "/line/")) + "%2e%2e/" * rng.randrange(6) + "etc/passwd"
        )
    elif odd == 2:
        path += "/" * rng.randrange(4000)
    return Attack("path", _request(prey, rng.choice((method, *_METHODS)), path, b""))


def _bad_head(prey: Prey, rng: random.Random) -> Attack:
    _, path, told = _chosen(prey, rng)
    odd = rng.choice(
        (
            "Cookie: stichwart=" + rng.choice(("", "x" * 9000, '"', "a;b=c;;;=", "\x01")),
            "Cookie: " + "; ".join(f"c{n}=x" for n in range(800)),
            "Origin: " + rng.choice(("null", "http://evil.example", "http://[", "x" * 5000)),
            "Host: " + rng.choice(("", "evil.example", "a b", "[::1", "x" * 3000)),
            "Accept-Language: " + "de," * 2000,
            "Content-Type: application/json; charset=" + "x" * 500,
            "X-Forwarded-For: " + rng.choice(("1.2.3.4", "x", ", " * 500)),
            "Range: bytes=0-,5-1,-9",
            "Expect: 100-continue",
            "Content-Encoding: gzip",
            "Authorization: " + rng.choice(("Bearer", "Bearer " + "a." * 3000, "Basic x", "bearer é")),
            "X: " + "y" * rng.choice((100, 70_000)),
            "\r\n".join(f"X-{n}: 1" for n in range(rng.choice((100, 3000)))),
            " folded: x",
            "no colon",
        )
    )
    return Attack(
        "head", _request(prey, "GET", _filled(prey, rng, path, told, 0.3), b"", odd, session=rng.random() < 0.5)
    )


def _bad_length(prey: Prey, rng: random.Random) -> Attack:
    """What comes is not what was said: smuggled, cut off, in pieces that are none."""
    _, path, told = _chosen(prey, rng)
    place = _filled(prey, rng, path, told, 0.1)
    start = f"POST {place} HTTP/1.1\r\nHost: {prey.host}\r\nCookie: stichwart={prey.session}\r\n"
    body = _message(rng, told)[:2000]
    chunked = "Transfer-Encoding: chunked\r\n\r\n"
    said, sent = rng.choice(
        (
            ("Content-Length: -5\r\n\r\n", body),
            ("Content-Length: 99999999999999999999\r\n\r\n", body),
            (f"Content-Length: {len(body)}\r\nContent-Length: 1\r\n\r\n", body),
            (f"Content-Length: {len(body) + 10}\r\n\r\n", body),  # cut off
            (f"Content-Length: {len(body)}\r\n{chunked}", b"0\r\n\r\nGET /api/accounts HTTP/1.1\r\n\r\n"),
            (chunked, b"zz\r\n" + body),
            (chunked, b"%x\r\n" % len(body) + body + b"\r\n0\r\nX: 1\r\n\r\n"),
            (chunked, b"ffffffffffffffff\r\n" + body),
            ("Transfer-Encoding: gzip, chunked\r\n\r\n", b"0\r\n\r\n"),
        )
    )
    return Attack("length", (start + said).encode("latin-1", "replace") + sent, closes=True)


def _bad_socket(prey: Prey, rng: random.Random) -> Attack:
    """A WebSocket that is opened properly, or nearly, and then says what none says (RFC 6455)."""
    line = f"/line/{prey.tournament}/1/{prey.table}?device=attack"
    path = rng.choice(("/live", "/live", line, line, "/line/x/1/1", "/api/me"))
    key = base64.b64encode(rng.randbytes(16)).decode() if rng.random() < 0.9 else "x"
    head = (
        _request(
            prey,
            "GET",
            path,
            b"",
            f"Sec-WebSocket-Key: {key}",
            f"Sec-WebSocket-Version: {rng.choice(('13', '13', '13', '8', 'x'))}",
            "Upgrade: websocket",
        )
        .replace(b"Connection: close", b"Connection: Upgrade")
        .replace(b"Content-Length: 0\r\n", b"")
    )
    return Attack("socket", head + b"".join(_frame(rng) for _ in range(rng.randrange(1, 4))), closes=rng.random() < 0.5)


def _frame(rng: random.Random) -> bytes:
    text = rng.choice(
        (
            *(
                b"",
                b"{",
                b"[]",
                b"null",
                b"\xff\xfe\x80",
                b'{"ping": NaN}',
                b'{"answer": "x"}',
                b'{"status": 5}',
                b'{"plan": 1}',
            ),
            *(
                b'{"tournament": "t"}',
                b'{"tournament": [], "round": {}, "table": "x"}',
                b'{"answer": 1e999}',
                b'{"ping":' * 500,
            ),
            *(
                b'{"tournament": "t", "round": 1e300, "table": null}',
                b'{"status": {"seats": "x", "clock": [1], "camera": {}}}',
            ),
            *(
                b'{"status": {"clock": {"running": 1, "remaining": "x"}}}',
                b'{"answer": 99999999999999999999, "refused": {}}',
            ),
            json.dumps({rng.choice(("ping", "answer", "status", "plan", "tournament")): _value(rng)}).encode(),
            b"x" * rng.choice((200, 70_000)),
        )
    )
    if rng.random() < 0.1:
        return os.urandom(rng.randrange(1, 200))
    opcode = rng.choice((1, 1, 1, 1, 2, 0, 3, 8, 9, 11))
    first = bytes([(0x80 if rng.random() < 0.9 else 0) | (0x40 if rng.random() < 0.05 else 0) | opcode])
    masked = rng.random() < 0.9
    length = len(text) if rng.random() < 0.9 else 2**40
    if length < 126:
        size = bytes([(0x80 if masked else 0) | length])
    elif length < 65536:
        size = bytes([(0x80 if masked else 0) | 126]) + struct.pack("!H", length)
    else:
        size = bytes([(0x80 if masked else 0) | 127]) + struct.pack("!Q", length)
    mask = rng.randbytes(4) if masked else b""
    return (
        first + size + mask + bytes(sign ^ mask[n % 4] for n, sign in enumerate(text))
        if masked
        else first + size + text
    )


def _garbage(prey: Prey, rng: random.Random) -> Attack:
    content = rng.choice(
        (
            rng.randbytes(rng.randrange(1, 3000)),
            b"\x16\x03\x01" + rng.randbytes(300),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET\r\n\r\n",
            b"\r\n" * 1000,
            b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            b"A" * 100_000,
            b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 50,
        )
    )
    return Attack("garbage", content, closes=True)
