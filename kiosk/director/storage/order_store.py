"""Store the orders given and the tables' answers."""

import contextlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from kiosk.director.key import ListKey
from kiosk.director.refusals import OrderedMeanwhile
from kiosk.director.storage.actor import signed
from kiosk.director.storage.database import ANSWERS, ORDERS, Database, as_text, key_columns, of_key
from kiosk.director.storage.news import tell
from kiosk.errors import shorten


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenOrder:
    """An order as given: ``body`` is the event that the table shall append, or ``{"call": …}``."""

    number: int
    round: int
    table: int | None  # None: every table of the round
    at: int  # ms since the epoch
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAnswer:
    """A table's answer to an order."""

    number: int
    table: int
    event: int | None
    refused: str | None
    why: Mapping[str, Any] | None = None  # the refusal's code, section and way, as the table says them
    at: int  # ms since the epoch


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrders:
    """What became of the orders to a table."""

    pending: tuple[GivenOrder, ...]  # not answered, oldest first
    refused: tuple[tuple[GivenOrder, OrderAnswer], ...]  # oldest first


@dataclass(frozen=True, slots=True)
class Receipt:
    """A table's receipt for an order that leaves no event: carried out, or refused and why."""

    key: ListKey
    number: int
    refused: str | None = None
    why: Mapping[str, Any] | None = None  # what a page words a refusal by


class OrderStore(Database):
    """Orders to tables and their answers."""

    def give(
        self, tournament: str, round_: int, table: int | None, body: Mapping[str, Any], since: int | None = None
    ) -> GivenOrder:
        """Store a new order, signed; ``table`` None: for every table of the round, later ones too.

        Numbers rise. They are the time in milliseconds, so that a store that was lost and began anew does not give a
        number again that a table has carried out already.

        :param since: number of the last order of the round that who gives it has seen; None: whoever was faster does
            not matter.
        :raises OrderedMeanwhile: the same kind of order was given there since.
        """
        with self.failing(), self.engine.begin() as db:
            return self._give(db, (tournament, round_, table), body, since)

    def _give(
        self, db: sa.Connection, where: tuple[str, int, int | None], body: Mapping[str, Any], since: int | None = None
    ) -> GivenOrder:
        tournament, round_, table = where
        if db.dialect.name == "postgresql":  # SQLite's transaction is alone already
            db.execute(sa.text("LOCK TABLE orders IN EXCLUSIVE MODE"))
        of_round = sa.and_(ORDERS.c.tournament == tournament, ORDERS.c.round == round_)
        highest = db.scalar(sa.select(sa.func.max(ORDERS.c.number)).where(of_round))
        if since is not None:
            self._need_first(db, tournament, round_, table, body, since)
        at = self.now()
        order = GivenOrder(number=max((highest or 0) + 1, at), round=round_, table=table, at=at, body=signed(body))
        db.execute(
            ORDERS.insert().values(
                tournament=tournament,
                round=round_,
                table=table,
                number=order.number,
                at=order.at,
                body=as_text(order.body),
                withdrawn=False,
            )
        )
        tell(db, self.own, [["order", tournament, round_, table, order.number]])
        return order

    def last_orders(self) -> dict[tuple[str, int], int]:
        """Return the number of the last order of each tournament and round."""
        of_round = ORDERS.c.tournament, ORDERS.c.round
        with self.reading() as db:
            rows = db.execute(sa.select(*of_round, sa.func.max(ORDERS.c.number)).group_by(*of_round))
            return {(tournament, round_): number for tournament, round_, number in rows}

    @staticmethod
    def _need_first(
        db: sa.Connection, tournament: str, round_: int, table: int | None, body: Mapping[str, Any], since: int
    ) -> None:
        query = sa.select(ORDERS).where(
            ORDERS.c.tournament == tournament,
            ORDERS.c.round == round_,
            ORDERS.c.table == table if table is not None else ORDERS.c.table.is_(None),
            ORDERS.c.number > since,
            ORDERS.c.withdrawn.is_(False),
        )
        faster = (_given(row) for row in db.execute(query.order_by(ORDERS.c.number.desc())).mappings())
        one = next((one for one in faster if _kind(one.body) == _kind(body) is not None), None)
        if one is not None:
            actor = str(one.body.get("actor") or "")
            raise OrderedMeanwhile(
                "ordered_meanwhile",
                f"{actor or 'somebody'} has given {shorten(one.body['event'])} there a moment ago (order "
                f"{one.number}); look "
                "at the table, and give yours again if it shall count as well",
                name=actor,
                at=one.at,
                number=one.number,
                what=one.body["event"],
            )

    def answer(self, key: ListKey, number: int, refused: str | None, why: Mapping[str, Any] | None = None) -> None:
        """Store a table's answer to an order, carried out or refused; the first answer counts."""
        self.answer_all([Receipt(key, number, refused, why)])

    def answer_all(self, receipts: Sequence[Receipt]) -> None:
        """Store several tables' receipts in one transaction; see ``answer``."""
        with self.failing(), self.engine.begin() as db:
            # in order, so that two directors never wait for each other
            for one in sorted(receipts, key=lambda one: (one.key, one.number)):
                why, refused = one.why, one.refused
                kept = as_text({"refused": refused, "why": why}) if why is not None else refused
                self._answer(db, one.key, one.number, None, kept)
            tell(db, self.own, (["answered", *key.parts] for key in dict.fromkeys(one.key for one in receipts)))

    def pending(self, key: ListKey) -> list[GivenOrder]:
        """List orders to this table that it has not answered, oldest first."""
        answered = sa.select(ANSWERS.c.number).where(of_key(ANSWERS, key))
        query = (
            sa.select(ORDERS)
            .where(
                ORDERS.c.tournament == key.tournament,
                ORDERS.c.round == key.round,
                sa.or_(ORDERS.c.table == key.table, ORDERS.c.table.is_(None)),
                ORDERS.c.number.not_in(answered),
                ORDERS.c.withdrawn.is_(False),
            )
            .order_by(ORDERS.c.number)
        )
        with self.reading() as db:
            return [_given(row) for row in db.execute(query).mappings()]

    def withdraw(self, tournament: str, round_: int, number: int) -> list[int] | None:
        """Withdraw an order that no table has carried out; return the tables that have, then nothing is withdrawn.

        None: it was withdrawn already.
        """
        where = (ORDERS.c.tournament == tournament, ORDERS.c.round == round_, ORDERS.c.number == number)
        with self.failing(), self.engine.begin() as db:
            answered = sa.select(ANSWERS.c.table).where(
                ANSWERS.c.tournament == tournament,
                ANSWERS.c.round == round_,
                ANSWERS.c.number == number,
                ANSWERS.c.refused.is_(None),
            )
            acted = sorted(db.scalars(answered))
            if acted:
                return acted
            fresh = db.execute(ORDERS.update().where(*where, ORDERS.c.withdrawn.is_(False)).values(withdrawn=True))
            tell(db, self.own, [["order", tournament, round_, None, None]])
        return [] if fresh.rowcount else None

    def orders(self, tournament: str, round_: int) -> list[GivenOrder]:
        """List every order given in the round, oldest first."""
        query = (
            sa.select(ORDERS)
            .where(ORDERS.c.tournament == tournament, ORDERS.c.round == round_)
            .order_by(ORDERS.c.number)
        )
        with self.reading() as db:
            return [_given(row) for row in db.execute(query).mappings()]

    def order(self, tournament: str, round_: int, number: int) -> GivenOrder | None:
        """Return an order; None if it was never given, or is withdrawn."""
        of_round = (ORDERS.c.tournament == tournament, ORDERS.c.round == round_)
        query = sa.select(ORDERS).where(*of_round, ORDERS.c.number == number, ORDERS.c.withdrawn.is_(False))
        with self.reading() as db:
            row = db.execute(query).mappings().first()
        return None if row is None else _given(row)

    def answers(self, key: ListKey) -> list[OrderAnswer]:
        """List the answers of this table."""
        query = sa.select(ANSWERS).where(of_key(ANSWERS, key)).order_by(ANSWERS.c.number)
        with self.reading() as db:
            return [_answered(row) for row in db.execute(query).mappings()]

    def of_tables(self, tournament: str, round_: int, tables: Collection[int]) -> dict[int, TableOrders]:
        """Return what became of the orders to each of these tables."""
        to_them = sa.or_(ORDERS.c.table.is_(None), ORDERS.c.table.in_(tables))
        given = sa.select(ORDERS).where(ORDERS.c.tournament == tournament, ORDERS.c.round == round_, to_them)
        by_them = sa.and_(ANSWERS.c.tournament == tournament, ANSWERS.c.round == round_, ANSWERS.c.table.in_(tables))
        with self.reading() as db:
            rows = db.execute(given.order_by(ORDERS.c.number)).mappings().all()
            answered = [_answered(row) for row in db.execute(sa.select(ANSWERS).where(by_them)).mappings()]
        orders = [(_given(row), bool(row["withdrawn"])) for row in rows]
        by_table: dict[int, dict[int, OrderAnswer]] = {table: {} for table in tables}
        for one in answered:
            by_table[one.table][one.number] = one
        return {
            table: TableOrders(
                pending=tuple(
                    order
                    for order, withdrawn in orders
                    if order.table in (None, table) and order.number not in answers and not withdrawn
                ),
                refused=tuple(
                    (order, answers[order.number])
                    for order, _ in orders
                    if order.number in answers and answers[order.number].refused
                ),
            )
            for table, answers in by_table.items()
        }

    def _answer(self, db: sa.Connection, key: ListKey, number: int, event: int | None, refused: str | None) -> None:
        there = db.execute(sa.select(ANSWERS.c.number).where(of_key(ANSWERS, key), ANSWERS.c.number == number)).first()
        if there is None:
            db.execute(
                ANSWERS.insert().values(**key_columns(key), number=number, event=event, refused=refused, at=self.now())
            )


def _kind(body: Mapping[str, Any]) -> tuple[object, bool] | None:
    """What of two orders at one moment one would do twice; a call may come twice, and time beside a ruling."""
    return (body["event"], body.get("answers") is False) if "event" in body else None


def _given(row: sa.RowMapping) -> GivenOrder:
    number, table, at = row["number"], row["table"], row["at"]
    return GivenOrder(number=number, round=row["round"], table=table, at=at, body=json.loads(row["body"]))


def _answered(row: sa.RowMapping) -> OrderAnswer:
    number, table, event, at = row["number"], row["table"], row["event"], row["at"]
    return OrderAnswer(number=number, table=table, event=event, **_refusal(row["refused"]), at=at)


def _refusal(kept: str | None) -> dict[str, Any]:
    """What was kept of a refusal: a plain text where the table says no more, an object where it does."""
    if kept is None or not kept.startswith("{"):
        return {"refused": kept}
    with contextlib.suppress(ValueError, KeyError):
        found = json.loads(kept)
        return {"refused": found["refused"], "why": found["why"]}
    return {"refused": kept}
