"""Tell cards of which no index shows in a simulated picture, because light has burnt it out: nobody can read these."""

import cv2
import numpy as np

from vision.images import Picture
from vision.indices.hand import FaceIndices
from vision.simulation.artwork import Art
from vision.simulation.geometry import to_px, visible
from vision.simulation.scene import Scene

#: Grey level of the darkest channel from which ink is burnt out: paper is 255, and noise and JPEG are worth more.
BURNT = 250
#: Share of an index' ink that is burnt out where no more can be read of it, and of its place that lies open.
GONE, OPEN = 0.5, 0.9
#: Half of the width and height about an index, mm: its rank and pip.
HALF_MM = (7.0, 11.0)
#: Grey level of a face's darkest channel below which there is ink.
INK = 160


def burnt_out(scene: Scene, frame: Picture, art: Art, faces: FaceIndices) -> list[str]:
    """List the labels of the cards of which every index that lies open is burnt out.

    :param frame: the picture that is read.
    :param faces: of the same deck, learned: where its indices are. Without any none is told.
    """
    if not faces.patches:
        return []
    across, along = (sum(one) / 4.0 for one in faces.apart_mm)  # of an index from the middle of its card
    places = [(-across, -along), (across, along)] + ([(across, -along), (-across, along)] if faces.four else [])
    quads = [card.pose.quad(art.size_mm) for card in scene.cards]
    dark = frame.min(axis=2)
    found = []
    for number, card in enumerate(scene.cards):
        ink = _ink(art, card.label, to_px(scene.homography, card.pose.quad(art.picture_mm)), dark.shape)
        shares = []
        for place in places:
            box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * HALF_MM + place
            quad = card.pose.place(box)
            if visible(quad, quads[number + 1 :]) < OPEN:
                continue
            here = np.zeros(dark.shape, np.uint8)
            cv2.fillConvexPoly(here, to_px(scene.homography, quad).round().astype(np.int32), 1)
            spots = dark[(here > 0) & ink]
            shares.append(float(np.mean(spots >= BURNT)) if len(spots) else 0.0)
        if shares and min(shares) >= GONE:
            found.append(card.label)
    return found


def _ink(art: Art, label: str, quad_px: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Project the ink of a face into the picture: (H, W) bool."""
    face = art.faces[label]
    ink = ((face[..., :3].min(axis=2) < INK) & (face[..., 3] > 200)).astype(np.uint8)
    height, width = ink.shape
    edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    into = cv2.getPerspectiveTransform(edges, quad_px.astype(np.float32))
    return cv2.warpPerspective(ink * 255, into, (shape[1], shape[0]), flags=cv2.INTER_LINEAR) > 127
