"""Check the numbers in addresses: round and table."""

from typing import Annotated, TypeAlias

from fastapi import Path

Round: TypeAlias = Annotated[int, Path(ge=1, le=999)]
Table: TypeAlias = Annotated[int, Path(ge=1, le=9999)]
