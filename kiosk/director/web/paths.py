"""Check the numbers in addresses."""

from typing import Annotated, TypeAlias

from fastapi import Path, Query

from kiosk.table.events.json_text import LARGEST

Round: TypeAlias = Annotated[int, Path(ge=1, le=999)]
#: A note, order, list or picture by its number.
Number: TypeAlias = Annotated[int, Path(ge=0, le=LARGEST)]
#: A time, or the number of a list, behind the question mark.
Asked: TypeAlias = Annotated[int, Query(ge=0, le=LARGEST)]
Table: TypeAlias = Annotated[int, Path(ge=1, le=9999)]
