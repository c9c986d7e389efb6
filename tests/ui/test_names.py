"""Names as they fit: whole where there is room, and never written as another player's may be."""

import pytest

pytestmark = pytest.mark.render

FAMILY = ("Jürgen Ackermann", "Friederike Ackermann", "Çelik Ackermann", "Dörte Ackermann")
SIZE = 32.0


@pytest.mark.parametrize(
    ("name", "among", "as_wide_as", "written"),
    [
        pytest.param("Hans Maier", (), "Hans Maier", "Hans Maier", id="whole"),
        pytest.param("Hans Maier", (), "H. Maier", "H. Maier", id="initial"),
        pytest.param("Hans Maier", ("Grete Huber",), "Maier", "Maier", id="family alone"),
        pytest.param("Hans von der Au", (), "H. Au", "H. Au", id="of a family the first name"),
        pytest.param("Hans Maier-Leibnitz", (), "Maier-L.", "Maier-L.", id="double name"),
        pytest.param("Maximilian", (), "Maxi.", "Maxi.", id="a word loses its end"),
        pytest.param(FAMILY[3], FAMILY, "D. Ackermann", "D. Ackermann", id="namesakes: initial"),
        pytest.param(FAMILY[1], FAMILY, "Ackermann", "Friederike", id="namesakes: given name"),
        pytest.param(FAMILY[1], FAMILY, "Friede.", "Friede.", id="namesakes: its beginning"),
        pytest.param("Anna Ott", ("Anja Ott",), "A. Ott", "Anna", id="namesakes with one initial"),
        pytest.param("Eva Schmidthuber", ("Ina Schmidt-Rau",), "Schmid.", "Eva", id="families that begin alike"),
        pytest.param("Anna Ott", ("Anna Ott",), "Ott", "Ott", id="who cannot be told apart"),
    ],
)
def test_a_name_in_its_room(name: str, among: tuple[str, ...], as_wide_as: str, written: str) -> None:
    from kiosk.ui.parts.fit import fit_name, width_of

    room = width_of(as_wide_as, SIZE, True)
    assert fit_name(name, room, SIZE, among=among) == written


@pytest.mark.parametrize("units", [60, 100, 137, 200, 300])
def test_four_of_a_family_are_told_apart_in_any_room(units: float) -> None:
    from kiosk.ui.parts.fit import fit_name

    assert len({fit_name(name, units, SIZE, among=FAMILY) for name in FAMILY}) == 4
