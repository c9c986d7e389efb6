"""QR codes of Wi-Fi networks, as routers and telephones write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.wifi_code import WifiCode, read_wifi_code

pytestmark = pytest.mark.hardware


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("WIFI:T:WPA;S:Halle;P:geheim12;;", WifiCode(b"Halle", "geheim12", "wpa")),
        ("WIFI:S:Halle;T:WPA;P:geheim12;H:true;;", WifiCode(b"Halle", "geheim12", "wpa", hidden=True)),
        ("WIFI:T:WPA;S:Halle;P:geheim12;H:false;", WifiCode(b"Halle", "geheim12", "wpa")),
        ("wifi:t:wpa;s:Halle;p:geheim12", WifiCode(b"Halle", "geheim12", "wpa")),
        (r"WIFI:T:WPA;S:A\;B\\C;P:\"p\:q\,r\;\\;;", WifiCode(b"A;B\\C", '"p:q,r;\\', "wpa")),
        ('WIFI:T:WPA;S:"ABCD";P:"12345678";;', WifiCode(b"ABCD", "12345678", "wpa")),
        ("WIFI:T:nopass;S:Gast;P:;;", WifiCode(b"Gast", "", "open")),
        ("WIFI:S:Gast;;", WifiCode(b"Gast", "", "open")),
        ("WIFI:S:Gast;P:geheim12;;", WifiCode(b"Gast", "geheim12", "wpa")),
        ("WIFI:T:SAE;S:Neu;P:x;;", WifiCode(b"Neu", "x", "sae")),
        ("WIFI:T:WPA;R:1;S:Neu;P:geheim12;;", WifiCode(b"Neu", "geheim12", "sae")),
        ("WIFI:T:WEP;S:Alt;P:12345;;", WifiCode(b"Alt", "12345", "wep")),
        ("WIFI:T:WPA2-EAP;S:Uni;E:PEAP;I:me;P:x;;", WifiCode(b"Uni", "x", "enterprise")),
        ("WIFI:T:WPA;S:Café;P:äöüßäöüß;;", WifiCode("Café".encode(), "äöüßäöüß", "wpa")),
        ("WIFI:T:WPA;S:A;S:B;P:geheim12;;", WifiCode(b"A", "geheim12", "wpa")),
        ("WIFI:T:WPA;P:geheim12;;", None),
        ("WIFI:T:WPA;S:" + "x" * 33 + ";;", None),
        ("https://example.org", None),
        ("", None),
        ("WIFI:", None),
    ],
)
def test_what_a_code_says(text, code):
    assert read_wifi_code(text) == code


@pytest.mark.slow
@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=63))
def test_what_a_telephone_guards_comes_back(ssid, password):
    def guarded(text):
        return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)

    code = read_wifi_code(f"WIFI:T:WPA;S:{guarded(ssid)};P:{guarded(password)};;")
    wanted = ssid.encode("utf-8", "surrogateescape")
    assert code is not None and (code.ssid, code.password) == (wanted, password)


@given(st.text(max_size=200))
def test_nothing_breaks_the_reader(text):
    code = read_wifi_code(f"WIFI:{text}")
    assert code is None or 1 <= len(code.ssid) <= 32


def test_nobody_reads_the_password_in_a_log():
    assert "geheim12" not in repr(read_wifi_code("WIFI:T:WPA;S:Halle;P:geheim12;;"))
