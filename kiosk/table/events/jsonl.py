"""Write events as an event file (.jsonl)."""

import json
from collections.abc import Iterable, Mapping
from typing import Any


def as_jsonl(events: Iterable[Mapping[str, Any]]) -> str:
    """Format the events one per line, as ``stichwart replay`` reads them."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
