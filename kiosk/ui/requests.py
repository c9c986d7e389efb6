"""What people ask for on the touchscreen, as frozen values."""

from typing import TypeAlias

from kiosk.table.events.values import RoundOpened, TableRequest
from kiosk.ui.camera.set_up_requests import SetUpRequest
from kiosk.ui.earlier.earlier_requests import RoundsRequest
from kiosk.ui.referee.calling import RefereeRequest

#: ``RoundOpened`` while nobody sits at the table; the table's own requests; those about its rounds; those about the
#: referee; those of the people who set it up.
ScreenRequest: TypeAlias = RoundOpened | TableRequest | RoundsRequest | RefereeRequest | SetUpRequest
