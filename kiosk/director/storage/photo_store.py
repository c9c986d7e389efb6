"""Store photographs of lists on paper."""

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.storage.database import PHOTOS, Database, key_columns, of_key


class PhotoStore(Database):
    """Photographs by list and number; none is ever deleted."""

    def add_photo(self, key: ListKey, picture: bytes) -> int:
        """Store a photograph and return its number, which counts from 1."""
        with self.failing(), self.engine.begin() as db:
            last = db.scalar(sa.select(sa.func.max(PHOTOS.c.number)).where(of_key(PHOTOS, key))) or 0
            db.execute(PHOTOS.insert().values(**key_columns(key), number=last + 1, at=self.now(), picture=picture))
        return int(last) + 1

    def photo(self, key: ListKey, number: int) -> bytes | None:
        """Return a photograph as JPEG; None if there is none of that number."""
        query = sa.select(PHOTOS.c.picture).where(of_key(PHOTOS, key), PHOTOS.c.number == number)
        with self.reading() as db:
            found = db.scalar(query)
        return None if found is None else bytes(found)
