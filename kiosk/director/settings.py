"""Define the settings of the director's service."""

import hashlib
import hmac
from dataclasses import dataclass

from kiosk.tournament.tournament import Tournament, begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One tournament's service; the wiring makes it from the configuration file."""

    tournament: str
    database: str  # SQLAlchemy URL
    host: str = "127.0.0.1"
    port: int = 8377  # 0: any free one
    token: str = ""  # tables must show it; empty: every table is let in
    pin: str = ""  # asked for before releases and rulings; empty: nobody is asked
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

    def token_fits(self, shown: str) -> bool:
        """Report whether a table that shows this token belongs to the tournament."""
        return not self.token or hmac.compare_digest(self.token.encode(), shown.encode())

    def pin_fits(self, shown: str) -> bool:
        """Report whether this is the director's PIN."""
        return not self.pin or hmac.compare_digest(self.pin.encode(), shown.encode())

    def pass_for(self, expires: int) -> str:
        """Make the cookie of a director who has given the PIN, good until ``expires`` (seconds since the epoch).

        It is made from the PIN and the token, so that it outlives a restart and ends with a new PIN.
        """
        secret = f"{self.tournament}\n{self.pin}\n{self.token}".encode()
        return f"{expires}.{hmac.new(secret, str(expires).encode(), hashlib.sha256).hexdigest()}"

    def pass_fits(self, shown: str, now: float) -> bool:
        """Report whether the cookie is one of ``pass_for`` and has not expired."""
        if not self.pin:
            return True
        expires, _, _ = shown.partition(".")
        return (
            expires.isascii()
            and expires.isdigit()
            and int(expires) > now
            and hmac.compare_digest(self.pass_for(int(expires)).encode(), shown.encode())
        )
