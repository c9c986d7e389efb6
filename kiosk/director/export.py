"""What is to be taken away beside the tables' lists: events as a file."""

import json
from collections.abc import Iterable, Mapping
from typing import Any


def as_jsonl(events: Iterable[Mapping[str, Any]]) -> str:
    """The events one a line, as ``stichwart replay`` reads them."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)
