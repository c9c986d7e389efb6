"""Bring out print that a reflex on the cards has nearly drowned: there paper is white, and print but a little less."""

import cv2
import numpy as np

from vision.images import Picture

#: Grey levels of the paper round about, in its darkest channel, from which a place is stretched, and fully so.
#: 230 … 250: lower stretches what is only bright, and print that shows grows bold.
GLARE_LEVELS = (238.0, 250.0)
#: Power to which levels are taken there, 255 being 1: 232, ink in a strong reflex, becomes 120. 4 … 10.
POWER = 8.0
#: Px of the picture for a cell of paper, and cells about a place in which the brightest is the paper. 3 … 9.
CELL_PX, NEAR_CELLS = 4, 7
#: Px about the places in question that are looked at with them: half an index.
RIM_PX = 40


def stretched(picture: Picture) -> tuple[Picture, tuple[slice, slice]] | None:
    """Stretch the contrast where paper is burnt out.

    :returns: the picture, and the rows and columns within which it is another one; None if nothing is burnt out.
    """
    height, width = picture.shape[:2]
    coarse = cv2.resize(picture, (width // CELL_PX, height // CELL_PX), interpolation=cv2.INTER_AREA)
    near = np.ones((NEAR_CELLS, NEAR_CELLS), np.uint8)
    burnt = cv2.blur(cv2.dilate(coarse, near).min(axis=2).astype(np.float32), (5, 5))
    share = np.clip((burnt - GLARE_LEVELS[0]) / (GLARE_LEVELS[1] - GLARE_LEVELS[0]), 0.0, 1.0)
    rows, columns = (np.flatnonzero((share > 0.1).any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return None
    box = tuple(
        slice(max(0, int(one[0]) * CELL_PX - RIM_PX), (int(one[-1]) + 1) * CELL_PX + RIM_PX) for one in (rows, columns)
    )
    # Closed, not the brightest about: at the rim of a reflex paper is what is brightest right there.
    paper = cv2.blur(cv2.morphologyEx(coarse, cv2.MORPH_CLOSE, near), (3, 3))
    white = np.maximum(cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)[box], 1).astype(np.float32)
    power = cv2.resize(1.0 + (POWER - 1.0) * share, (width, height), interpolation=cv2.INTER_LINEAR)[box]
    lit = np.minimum(picture[box] / white, 1.0)
    changed = picture.copy()
    changed[box] = np.rint(white * np.power(lit, power[..., None])).astype(np.uint8)
    return changed, (box[0], box[1])
