"""How the line stands, and how that is told to people."""

from dataclasses import dataclass

_TEXT = {
    "de": {
        "": "Mit der Turnierleitung verbunden",
        "away": "Turnierleitung nicht erreichbar – am Tisch geht alles weiter, die Liste wird nachgesendet",
        "token": "Die Turnierleitung weist diesen Tisch ab: falscher Schlüssel in der Einstellung",
        "tournament": "Die Turnierleitung kennt dieses Turnier nicht",
        "contradiction": "Die Turnierleitung hat von dieser Tischnummer eine andere Liste. Bitte Turnierleitung rufen",
        "behind": "Die Turnierleitung hat von diesem Tisch mehr, als hier gespeichert ist. Bitte Turnierleitung rufen",
        "twice": "Ein zweites Gerät meldet sich mit dieser Tischnummer. Bitte Turnierleitung rufen",
        "rejected": "Die Turnierleitung nimmt die Liste dieses Tisches nicht an. Bitte Turnierleitung rufen",
        "director": "Die Turnierleitung kann gerade nicht speichern – am Tisch geht alles weiter",
    },
    "en": {
        "": "Connected to the director",
        "away": "Director out of reach – the table goes on, the list will be sent later",
        "token": "The director turns this table away: wrong token in its configuration",
        "tournament": "The director does not know this tournament",
        "contradiction": "The director has another list from this table number. Please call the director",
        "behind": "The director has more from this table than is stored here. Please call the director",
        "twice": "A second device uses this table number. Please call the director",
        "rejected": "The director does not accept this table's list. Please call the director",
        "director": "The director cannot store anything just now – the table goes on",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    """How the line stands."""

    connected: bool  # orders arrive
    since: float  # seconds on the monotonic clock since when it is connected, or away
    acknowledged: int  # number of the last event that the director has stored, -1 for none
    waiting: int  # events that it does not have yet
    trouble: str = ""  # "" | away token tournament contradiction behind twice rejected director
    detail: str = ""  # for an administrator, English

    def text(self, language: str = "de") -> str:
        """What to tell the people at the table, ``de`` or ``en``."""
        return _TEXT[language][self.trouble]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the director wants of the table.

    Either ``event`` is the request to be decided and appended, its key ``order_number`` included: the event in the
    log is the receipt, so the order is carried out once whatever breaks. Or ``call`` is set: people are called
    (``director``), with ``text`` from the director, perhaps empty. ``Line.answer`` is the receipt then, and for a
    request that was refused.
    """

    number: int
    event: dict[str, object] | None
    call: str | None
    text: str
    given: float  # seconds on the table's monotonic clock; an order may have waited for the table
