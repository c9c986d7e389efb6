"""Check the language that a page asks for."""

from typing import Annotated, TypeAlias

from pydantic import AfterValidator

from kiosk.errors import shorten
from kiosk.language import languages


def _known(language: str) -> str:
    if language not in languages():
        raise ValueError(f"{shorten(language)} is none of {', '.join(languages())}")
    return language


#: A language that has words here; another is answered with 422.
Language: TypeAlias = Annotated[str, AfterValidator(_known)]
