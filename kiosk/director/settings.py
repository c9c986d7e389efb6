"""Define the settings of the director's service."""

from dataclasses import dataclass

from kiosk.tournament.tournament import Tournament, begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One tournament's service; the wiring makes it from the configuration file."""

    tournament: str
    database: str  # SQLAlchemy URL
    host: str = "127.0.0.1"
    port: int = 8377  # 0: any free one
    pin: str = ""  # of the file's own account: its hash, or in older files the PIN itself; "": no such account
    guests: bool = True  # who has no account may look
    new_code: bool = False  # print a code for a director's account although there is one: its password is lost
    rounds: int | None = None  # of the tournament, where ``begins`` does not say more
    begins: Tournament | None = None  # as its file describes it; None: by its name alone

    @property
    def beginning(self) -> Tournament:
        """The tournament before anything was noted of it."""
        return self.begins or begin(self.tournament, rounds=self.rounds)

    @property
    def exposed(self) -> bool:
        """Whether other machines can reach the service."""
        return self.host not in ("localhost", "::1") and not self.host.startswith("127.")
