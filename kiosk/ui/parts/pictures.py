"""Convert pictures of cards from the camera to textures."""

import io
from functools import lru_cache

from kivy.core.image import Image as CoreImage
from kivy.core.image import ImageData, _img_sdl2
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


def live_texture(jpeg: bytes, into: Texture | None) -> Texture | None:
    """Decode one of a row of JPEGs into a texture; ``into`` is reused where its size fits. None: it cannot be read.

    SDL, which Kivy brings, decodes it: OpenCV and NumPy would be 50 MB more in this process for nothing else.
    """
    read = _img_sdl2.load_from_memory(jpeg)
    if read is None:
        Logger.warning("a picture of the camera cannot be read")
        return None
    width, height, kind, pixels, row = read
    if into is None or into.size != (width, height):
        into = Texture.create(size=(width, height), colorfmt="rgb")
        into.flip_vertical()
    into.blit_data(ImageData(width, height, kind, pixels, rowlength=row))
    return into
