"""What is known of a table before people sit down."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What is known before people sit down: from the configuration or the director's plan."""

    table: int = 1
    round: int = 1
    rules: str = "eppstein"
    books: tuple[tuple[str, str], ...] = (("eppstein", "Eppstein"),)  # code and title of each book to choose from
    players: tuple[str, ...] = ()  # seat 1 first; seats without a name are empty
    options: dict[str, object] = field(default_factory=dict)
