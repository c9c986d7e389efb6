"""List the packs of cards that can be taught: their faces, copies and the sizes that are sold."""

from collections.abc import Mapping

#: Faces to be shown, by the names that the command line offers.
FACES: Mapping[str, tuple[str, ...]] = {
    "doppelkopf": tuple(s + r for s in "CSHD" for r in "ATKQJ9"),
    "doppelkopf-40": tuple(s + r for s in "CSHD" for r in "ATKQJ"),
    "schafkopf": tuple(s + r for s in "EGHS" for r in "ATKOU987"),
}
#: How many of each face a pack of these holds.
COPIES: Mapping[str, int] = {"doppelkopf": 2, "doppelkopf-40": 2, "schafkopf": 1}

#: Sizes of cards that are sold, width and height in mm; without a mat the nearest in shape is taken.
SOLD_SIZES_MM = ((59.0, 91.0), (56.0, 100.0), (63.0, 88.0), (56.0, 87.0))
