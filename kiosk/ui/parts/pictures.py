"""Convert pictures of cards from the camera to textures."""

import io
from functools import lru_cache
from typing import Any

from kivy.core.image import Image as CoreImage
from kivy.graphics.texture import Texture
from kivy.logger import Logger


@lru_cache(maxsize=16)
def texture_of(jpeg: bytes | None) -> Texture | None:
    """Decode a JPEG into a texture; None where there is none or it cannot be read."""
    if not jpeg:
        return None
    try:
        return CoreImage(io.BytesIO(jpeg), ext="jpg").texture
    except Exception as wrong:  # noqa: BLE001  Kivy's loaders raise bare exceptions; a question without a picture still works
        Logger.warning("a card's picture cannot be read: %s", wrong)
        return None


def bgr_texture(frame: Any, into: Texture | None) -> Texture:
    """Copy a frame into a texture: (H, W, 3) uint8 BGR, first row on top; ``into`` is reused where its size fits."""
    height, width = frame.shape[:2]
    if into is None or into.size != (width, height):
        into = Texture.create(size=(width, height), colorfmt="bgr")
        into.flip_vertical()
    into.blit_buffer(frame.reshape(-1), colorfmt="bgr", bufferfmt="ubyte")
    return into
