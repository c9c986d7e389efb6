"""Say on the screen what is wrong with a device, with the line to the direction, or with what was set up."""

import logging
from typing import TypeAlias, get_args

from hw.clock_display import DisplayBack, DisplayGone
from hw.loudspeaker import LoudspeakerState, Unheard
from hw.scanner import Plugged, Unplugged
from kiosk.app.desk import Desk
from kiosk.app.inbox import PinsMissing, WordsAtFault
from kiosk.app.outputs import Outputs
from kiosk.language import has, say
from kiosk.sync.state import LineState
from vision.messages import CameraTrouble

log = logging.getLogger(__name__)

#: What the desk hears.
Trouble: TypeAlias = (
    CameraTrouble
    | LineState
    | Plugged
    | Unplugged
    | DisplayGone
    | DisplayBack
    | LoudspeakerState
    | Unheard
    | PinsMissing
    | WordsAtFault
)


class TroubleDesk(Desk):
    """Notices that stand until what they tell of is over, each in the language that is spoken when it is read."""

    hears = get_args(Trouble)

    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs
        self.camera = ""  # code of what is wrong with the camera itself

    def heard(self, message: Trouble) -> None:
        """Begin or end a notice."""
        outputs = self._outputs
        match message:
            case CameraTrouble():
                self._camera_troubled(message)
            case LineState(connected=connected, trouble=trouble):
                outputs.notice("director", "" if connected and not trouble else message.text)
            case Plugged():
                outputs.notice("scanner", "")
            case Unplugged():
                log.warning("scanner: %s", message.why)
                outputs.notice("scanner", lambda language: say("scanner", "unplugged", language))
            case DisplayBack():
                outputs.notice("display", "")
            case DisplayGone(code=code, detail=detail):
                log.warning("clock display: %s (%s)", code, detail)
                outputs.notice("display", lambda language: say("hardware", code, language, detail=detail))
            case LoudspeakerState() | Unheard():
                self._from_loudspeaker(message)
            case PinsMissing(text):
                known = text == say("setup_notices", "pins", outputs.language)
                outputs.notice("pins", (lambda language: say("setup_notices", "pins", language)) if known else text)
            case WordsAtFault(text):
                outputs.notice("words", text)

    def _camera_troubled(self, message: CameraTrouble) -> None:
        self.camera = (message.code or "camera") if message.text else ""
        if not message.text:
            self._outputs.notice("camera", "")
            return
        log.warning("camera: %s", message.text)
        found = next((one for one in ("camera", "notices") if has(one, message.code)), "")
        subject, code = (found, message.code) if found else ("camera", "camera")
        self._outputs.notice("camera", lambda language: say(subject, code, language))

    def _from_loudspeaker(self, message: LoudspeakerState | Unheard) -> None:
        self._outputs.herald.heard(message)
        if isinstance(message, LoudspeakerState):
            if message.why:
                log.warning("%s", message.why)
            code = "" if not message.why else "wordless" if message.works else "mute"
            self._outputs.notice("sound", (lambda language: say("sound_notices", code, language)) if code else "")
