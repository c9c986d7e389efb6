"""The page of ten screens: each picture is there, small, of the smallest screen, and taken by the command."""

import re
from pathlib import Path

from PIL import Image

from kiosk.demo import pictures

ROOT = Path(__file__).parents[2]
LARGEST_BYTES = 60_000


def test_the_page_shows_ten_small_pictures_that_the_command_takes() -> None:
    shown = re.findall(r"\(screens/([\w-]+)\.png\)", (ROOT / "docs/screens.md").read_text(encoding="utf-8"))
    assert len(shown) == len(set(shown)) == 10
    assert {path.stem for path in (ROOT / "docs/screens").iterdir()} == set(shown)
    source = Path(pictures.__file__).read_text(encoding="utf-8")
    for name in [*(f"screens/{name}" for name in shown), "table", "evening", "schafkopf"]:
        path = ROOT / "docs" / f"{name}.png"
        assert path.stat().st_size <= LARGEST_BYTES
        with Image.open(path) as image:
            assert image.size == pictures.SIZE_PX and image.mode == "P"
        assert f'"{path.stem}"' in source
