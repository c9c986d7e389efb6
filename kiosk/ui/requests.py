"""What people ask for on the touchscreen, as frozen values."""

from typing import TypeAlias

from kiosk.table.events.values import TableRequest
from kiosk.ui.camera.set_up_requests import SetUpRequest
from kiosk.ui.devices.device_requests import DeviceRequest
from kiosk.ui.earlier.earlier_requests import RoundsRequest
from kiosk.ui.earlier.stick_view import WriteToStick
from kiosk.ui.first_start.start_view import StartRequest
from kiosk.ui.hardware.hardware_view import HardwareRequest
from kiosk.ui.hardware.parcels_view import ParcelsRequest
from kiosk.ui.hardware.release_view import ReleaseRequest
from kiosk.ui.parts.played_view import LookAtGame
from kiosk.ui.parts.preview_request import ShowPreview
from kiosk.ui.play.claim_question import CheckRest, ShowHand
from kiosk.ui.referee.calling import RefereeRequest
from kiosk.ui.seats.seats_requests import TakeList

#: The table's own requests, to open its round while nobody sits there, what one would change, whether a rest holds,
#: that a hand is laid open, and to go through a game; those about its rounds and for a stick; those about the referee;
#: those of the people who set it up, teach a scanner or number pad, or answer the first start.
ScreenRequest: TypeAlias = (
    TableRequest
    | ShowPreview
    | CheckRest
    | ShowHand
    | LookAtGame
    | TakeList
    | RoundsRequest
    | WriteToStick
    | RefereeRequest
    | SetUpRequest
    | HardwareRequest
    | ReleaseRequest
    | ParcelsRequest
    | DeviceRequest
    | StartRequest
)
