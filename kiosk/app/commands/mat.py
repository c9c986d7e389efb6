"""Print the mat's sheet and check what a camera sees of it."""

from pathlib import Path

import cv2

import vision.simulation.registration  # noqa: F401 - offers sim:
from vision.camera.source import open_source
from vision.errors import CameraError
from vision.mat.calibration import MatNotSeen, describe_calibration, draw_calibration, find_mat_in_frames
from vision.mat.layout import MatLayout
from vision.mat.printed_sheet import write_pdf


def print_mat(path: Path, paper: str = "A3", seats: int = 4, tiles: str | None = None) -> int:
    """Write the sheet as PDF in true size, print its path and return an exit status.

    :param tiles: ``"A4"`` or ``"A3"`` cuts it into pages of that paper, to be trimmed and glued.
    :raises MatError: for a paper or number of seats that has no sheet, or a path that cannot be written.
    """
    write_pdf(path, MatLayout(paper, seats), tiles)
    print(f"{path}: {paper}, {seats} seats; print it at 100 %, then check the 100 mm line")
    return 0


def calibrate_camera(camera: str, paper: str = "A3", seats: int = 4, picture: Path | str | None = None) -> int:
    """Print what a camera sees of the mat, write it as a picture and return 1 if the mat is not found, else 0.

    :raises CameraError: no such camera, or no frame, or the picture cannot be written
    """
    with open_source(camera) as source:
        try:
            image, calibration = find_mat_in_frames(source, MatLayout(paper, seats))
        except MatNotSeen as error:
            print(error)
            return 1
    print("\n".join(describe_calibration(calibration)))
    if picture is not None:
        encoded = cv2.imencode(".png", draw_calibration(image, calibration))[1]
        try:
            Path(picture).write_bytes(encoded.tobytes())
        except OSError as error:
            raise CameraError(f"picture {str(picture)!r} cannot be written: {error.strerror}") from error
        print(f"picture: {picture}")
    return 0
