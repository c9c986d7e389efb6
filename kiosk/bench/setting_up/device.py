"""A table's device out of its box: its process, which starts with the file that is shipped and nothing else."""

from pathlib import Path

from kiosk.bench.championship.plan import NAME
from kiosk.bench.championship.tables import TableProcess

SHIPPED = Path(__file__).parents[3] / "systemd" / "table.toml"


def out_of_its_box(data: Path) -> str:
    """Write the shipped configuration of a table, with folders of its own: several share this machine.

    :raises ValueError: the shipped file names its folders otherwise.
    """
    places = {'data = "/var/lib/stichwart"': f'data = "{data}"'}
    places |= {'folder = "/var/lib/stichwart/decks"': 'folder = "none"', 'words = "/etc/stichwart/words"': ""}
    text = SHIPPED.read_text()
    for shipped, here in places.items():
        if shipped not in text:
            raise ValueError(f"{SHIPPED}: {shipped} is not there any more")
        text = text.replace(shipped, here)
    return text


class NewTable(TableProcess):
    """A device that nobody has set up yet."""

    module = "kiosk.bench.setting_up.table"

    def __init__(self, folder: Path, number: int) -> None:
        super().__init__(folder, out_of_its_box(folder / "data"), number, NAME)

    @property
    def code(self) -> str:
        """The code that stands on its screen, "" while none does."""
        return next((str(one[1]) for one in reversed(self.said) if one[0] == "code"), "")

    def told(self, what: str) -> list[object] | None:
        """What it has told last of a kind."""
        return next((one[1:] for one in reversed(list(self.said)) if one[0] == what), None)

    def stop(self) -> None:
        """Take its power away: thirty that end one after the other take minutes."""
        self.kill()
