"""Find whom it concerns that stands between the seats: on a screen that lies flat it is turned towards him."""

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.places import ScreenPlace


def reader(view: TableView) -> int | None:
    """Find the seat that has to read what stands between the seats: who owes, acts, deals; None for nobody."""
    if view.phase in ("waiting", "dealing", "scored"):
        return view.next_dealer or next((seat.seat for seat in view.seats if seat.dealer), None)
    if view.phase == "resting" and view.objection is not None:
        against = view.objection.get("against")
        return against if isinstance(against, int) else None
    owing = [seat.seat for seat in view.seats if seat.owes is not None and view.phase == "playing"]
    acting = [seat.seat for seat in view.seats if seat.turn and not seat.sits_out]
    return next(iter([*owing, *acting]), None)


def upside_down(view: TableView, place: ScreenPlace) -> bool:
    """Report whether what stands between the seats is turned by 180 degrees.

    Only towards who sits opposite: at the sides there is no room for lines of that length.
    """
    places = place.places(len(view.seats))
    return place.flat and place.turn(places.get(reader(view) or 0, (0, -1))) == 180
