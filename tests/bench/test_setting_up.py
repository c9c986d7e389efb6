"""The devices with which a hall is set up from nothing."""

from pathlib import Path

import pytest

from kiosk.app.config import NOT_NUMBERED, load_table
from kiosk.bench.setting_up import device


def test_a_device_out_of_its_box_knows_nothing_but_its_own_folders(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(device.out_of_its_box(tmp_path / "data"))
    config = load_table(file)
    assert (config.table, config.director.url, config.data) == (NOT_NUMBERED, "", tmp_path / "data")
    assert config.deck_folder == tmp_path / "data" / "decks"


def test_a_shipped_file_that_names_its_folders_otherwise_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "shipped.toml"
    other.write_text('table = "none"')
    monkeypatch.setattr(device, "SHIPPED", other)
    with pytest.raises(ValueError, match="is not there any more"):
        device.out_of_its_box(tmp_path)
