"""Bundle what reading and reporting need of the present frame."""

from dataclasses import dataclass

from vision.images import Picture
from vision.messages import Report
from vision.tracking.cell_grid import MatRegions


@dataclass(frozen=True, slots=True, eq=False)
class FrameContext:
    """A frame as its cards are read and reported."""

    mat: MatRegions
    image: Picture  # (H, W, 3) uint8 BGR, denoised
    at: float  # seconds of the source's clock
    reports: list[Report]  # those of this frame so far; more are appended
