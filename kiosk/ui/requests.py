"""What people ask for on the touchscreen, as frozen values."""

from typing import TypeAlias

from kiosk.table.events.values import FinishGame, Request, RoundOpened
from kiosk.ui.camera.set_up_requests import SetUpRequest

#: ``RoundOpened`` while nobody sits at the table; the table's own requests; those of the people who set it up.
ScreenRequest: TypeAlias = RoundOpened | Request | FinishGame | SetUpRequest
