"""Give tables decks, words, sounds, settings, books: what is here, which table shall have which, what they are told.

Parcels and gifts lie in the database: a backup holds them, and another director of it gives the same. Lives on the
event loop; the store and what looks a parcel through work in threads.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any

from kiosk.director.storage.parcel_store import ALL, NONE, Gift, KeptParcel
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.director.tables.line_end import LineEnd
from kiosk.parcel.check import check_parcel
from kiosk.parcel.parcel import KINDS, BadParcel, slot_of
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import ENDING, book_of_text, decoded
from kiosk.rules.engine.book import RuleBook

log = logging.getLogger(__name__)

#: Parcels that are kept, those among them that tables have sent and nobody has given yet, and of what size in sum.
MOST, MOST_SENT, LARGEST_SUM = 60, 12, 200_000_000

#: Parcels that one table is told of.
MOST_OF_TABLE = 16


#: The state of a book that is no more.
_GONE: tuple[bytes, Mapping[str, Any]] = (b"", {})


class Parcels:
    """The parcels, and to whom they are given."""

    def __init__(self, store: Store, threads: Threads) -> None:
        self._store, self._threads = store, threads
        self.kept: dict[int, KeptParcel] = {}  # by number
        self._gifts: dict[tuple[int, str], Gift] = {}  # the last one by table and slot
        self._books: dict[int, RuleBook] = {}  # clubs' own by number, of each name the last state
        self._one_at_a_time = asyncio.Lock()

    async def read(self) -> None:
        """Read what is stored: at the start, and when it has changed."""
        kept = await self._threads.on_disk(self._store.parcels)
        gifts = await self._threads.on_disk(self._store.gifts)
        self.kept = {one.number: one for one in kept}
        last = {one.name: one for one in kept if one.kind == "book"}
        self._books = {one.number: book for one in last.values() if (book := await self._book(one)) is not None}
        self._gifts = {(gift.table, gift.slot): gift for gift in gifts}

    async def _book(self, one: KeptParcel) -> RuleBook | None:
        """The club's book that was taken in; None: it is gone, or a later version wrote it."""
        content = None if one.gone or one.number in self._books else await self.content(one.sha256)
        try:
            if content is not None:
                return book_of_text(one.name, decoded(content, one.name), f"{one.name}{ENDING}")
        except BadBook as error:
            log.error("a book that was taken in cannot be played by: %s", error)
        return self._books.get(one.number)

    def books(self) -> list[RuleBook]:
        """List the books by which may be played here: the program's, the folder's, and those that were taken in here.

        The last are this direction's alone; one takes the place of the folder's of the same name.
        """
        own = {book.own.name: book for book in self._books.values() if book.own is not None}
        return [*(one for one in BOOKS.values() if one.own is None or one.own.name not in own), *own.values()]

    def own_book(self, name: str) -> tuple[KeptParcel, RuleBook] | None:
        """Return the last state of a club's book that was taken in here, and the book; None: there is none."""
        found = ((self.kept[number], book) for number, book in self._books.items() if number in self.kept)
        return next((one for one in found if one[0].name == name), None)

    def states(self, name: str) -> list[KeptParcel]:
        """List the states of a club's book that are kept, the last one first."""
        return [one for one in reversed(self.kept.values()) if (one.kind, one.name) == ("book", name)]

    def current(self) -> list[KeptParcel]:
        """List what is here without earlier states of books, except where tables shall have one; the oldest first."""
        last = {one.name: one.number for one in self.kept.values() if one.kind == "book"}
        return [
            one
            for one in self.kept.values()
            if one.kind != "book" or (not one.gone and (last[one.name] == one.number or self._is_given(one)))
        ]

    # --- what is here

    async def take_in(self, kind: str, name: str, content: bytes, table: int = 0) -> KeptParcel:
        """Look a parcel through and keep it; the same once more is the one that is there.

        :param table: that sends it; 0: it was uploaded on the page.
        :raises BadParcel: it is none, or there is no room for another one.
        """
        async with self._one_at_a_time:  # several at once would take a hall's memory
            about = await asyncio.to_thread(check_parcel, kind, name, content)
            if kind == "book":
                return await self._keep_book(name, content, about, None)
            digest = sha256(content).hexdigest()
            if not any((one.kind, one.name, one.sha256) == (kind, name, digest) for one in self.kept.values()):
                self._need_room(len(content), table)
            number = await self._threads.on_disk(self._store.add_parcel, kind, name, digest, content, about, table)
            await self.read()
        return self.kept[number]

    async def keep_book(self, name: str, content: bytes, seen: int, instead_of: str = "") -> KeptParcel:
        """Keep the next state of a club's book.

        :param seen: number of the state that it follows; 0: there is none.
        :param instead_of: another name that the book had; there is none of that name any more.
        :raises BadParcel: it cannot be played by, or there is no room for another one.
        :raises Overtaken: somebody else has stored another one.
        """
        async with self._one_at_a_time:
            about = await asyncio.to_thread(check_parcel, "book", name, content)
            return await self._keep_book(name, content, about, seen, instead_of)

    async def _keep_book(
        self, name: str, content: bytes, about: Mapping[str, Any], seen: int | None, instead_of: str = ""
    ) -> KeptParcel:
        states: dict[str, tuple[bytes, Mapping[str, Any]]] = {name: (content, about)}
        known: dict[str, int | None] = {name: seen}
        if instead_of:
            states[instead_of], known = _GONE, {name: self._number(name), instead_of: seen}
        if not any(one.name == name and one.kind == "book" for one in self.current()):
            self._need_room(len(content), 0)
        await self._threads.on_disk(self._store.keep_books, states, known)
        await self.read()
        return self.states(name)[0]

    def _number(self, name: str) -> int:
        return next((one.number for one in self.states(name)), 0)

    async def remove_book(self, name: str, seen: int | None) -> None:
        """Let there be no such book any more; its states are kept, and lists that are played by it go on.

        :raises Overtaken: somebody else has stored another state.
        """
        await self._threads.on_disk(self._store.keep_books, {name: _GONE}, {name: seen})
        await self.read()

    def _need_room(self, size: int, table: int) -> None:
        sent = sum(one.table != 0 and not self._is_given(one) for one in self.kept.values())
        if len(self.current()) >= MOST or sum(one.size for one in self.kept.values()) + size > LARGEST_SUM:
            raise BadParcel("parcel_many", f"{len(self.kept)} parcels are here; remove some", n=len(self.kept))
        if table and sent >= MOST_SENT:
            raise BadParcel(
                "parcel_many_sent", f"{sent} parcels that tables have sent wait here; the direction shall look"
            )

    async def content(self, digest: str) -> bytes | None:
        """Return a parcel's content; None: there is none such."""
        return await self._threads.on_disk(self._store.parcel, digest)

    async def remove(self, number: int) -> KeptParcel:
        """Remove a parcel that no table shall have.

        :raises BadParcel: it is not here, or given.
        """
        parcel = self.need(number)
        if self._is_given(parcel):
            raise BadParcel("parcel_given", f"{parcel.name!r} is given to tables; take it back first", name=parcel.name)
        if parcel.kind == "book":
            await self.remove_book(parcel.name, None)
        else:
            await self._threads.on_disk(self._store.remove_parcel, number)
            await self.read()
        return parcel

    def need(self, number: int) -> KeptParcel:
        """Return a parcel by its number.

        :raises BadParcel: it is not here (any more).
        """
        if number not in self.kept or self.kept[number].gone:
            raise BadParcel("parcel_gone", f"parcel {number} is not here any more; look at the page again")
        return self.kept[number]

    # --- to whom it is given

    async def give(self, number: int, tables: Collection[int] | None) -> KeptParcel:
        """Give a parcel to tables; what they had for the same slot is no more.

        :param tables: None: all, those that come later too.
        :raises BadParcel: it is not here, or a table has as many as it takes.
        """
        parcel = self.need(number)
        for table in (ALL,) if tables is None else tables:
            slots = {one.slot for one in self._latest(table) if one.parcel != NONE} | {
                slot_of(parcel.kind, parcel.name)
            }
            if len(slots) > MOST_OF_TABLE:
                raise BadParcel(
                    "parcel_many_given", f"a table takes {MOST_OF_TABLE} parcels; take some back", n=MOST_OF_TABLE
                )
        await self._note(tables, [(slot_of(parcel.kind, parcel.name), number)])
        return parcel

    async def take_back(self, slots: Iterable[str] | None, tables: Collection[int] | None) -> list[str]:
        """Take back what was given for these slots; return those at which there was something.

        :param slots: None: all; tables are then as they were shipped.
        """
        given = {gift.slot for gift in self._gifts.values() if gift.parcel != NONE}
        wanted = sorted(given if slots is None else given & set(slots))
        await self._note(tables, [(slot, NONE) for slot in wanted])
        return wanted

    async def _note(self, tables: Collection[int] | None, what: Iterable[tuple[str, int]]) -> None:
        numbers = (ALL,) if tables is None else tuple(sorted(tables))
        gifts = [(table, slot, parcel) for table in numbers for slot, parcel in what]
        await self._threads.on_disk(self._store.note_gifts, gifts)
        await self.read()

    def _latest(self, table: int) -> list[Gift]:
        """What counts for a table, by slot: its own gift or that to all, whichever is later."""
        found: dict[str, Gift] = {}
        for (of, slot), gift in self._gifts.items():
            if of in (ALL, table) and (slot not in found or found[slot].number < gift.number):
                found[slot] = gift
        return list(found.values())

    def _is_given(self, parcel: KeptParcel) -> bool:
        tables = {table for table, _ in self._gifts}
        return any(gift.parcel == parcel.number for table in tables for gift in self._latest(table))

    def shall_have(self, table: int) -> list[KeptParcel]:
        """List the parcels that a table shall have, the oldest gift first."""
        gifts = sorted(self._latest(table), key=lambda gift: gift.number)
        return [self.kept[gift.parcel] for gift in gifts if gift.parcel in self.kept]

    def order(self, table: int) -> int:
        """Return the number of the last gift to a table, or of the last time that one was taken back; 0: never any."""
        return max((gift.number for gift in self._latest(table)), default=0)

    def given(self) -> dict[str, dict[int, int]]:
        """Return what counts by slot: table (``ALL``: all others) and the parcel's number, where there is one."""
        to_all = {slot: gift for (table, slot), gift in self._gifts.items() if table == ALL}
        found = {slot: {ALL: gift.parcel} for slot, gift in to_all.items() if gift.parcel in self.kept}
        for (table, slot), gift in sorted(self._gifts.items()):
            if table == ALL or (slot in to_all and to_all[slot].number > gift.number):
                continue
            if gift.parcel in self.kept or slot in found:
                found.setdefault(slot, {})[table] = gift.parcel
        return found

    # --- tables

    async def offer(self, table: int, end: LineEnd) -> None:
        """Tell a table's device what it shall have, if it takes parcels and that has changed."""
        if not end.parcels:
            return
        given = [one for one in self.shall_have(table) if one.kind in end.parcels]
        told: Mapping[str, Any] = {
            "order": self.order(table),
            "given": [{"kind": one.kind, "name": one.name, "sha256": one.sha256, "size": one.size} for one in given],
        }
        if told != end.given:
            end.given = told
            await end.send({"parcels": told})


def kinds_in(said: object) -> tuple[str, ...]:
    """Read which kinds of parcels a device takes."""
    return tuple(kind for kind in KINDS if kind in said) if isinstance(said, list) else ()
