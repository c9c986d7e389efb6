"""Define the database's tables of accounts, sessions, devices and acts."""

import sqlalchemy as sa

METADATA = sa.MetaData()

ACCOUNTS = sa.Table(
    "accounts",
    METADATA,
    sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("hash", sa.Text, nullable=False),  # Argon2id; "": closed, no password fits
    sa.Column("made", sa.BigInteger, nullable=False),  # ms since the epoch
)

SESSIONS = sa.Table(
    "sessions",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),  # SHA-256 of the secret that the browser holds
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("hash", sa.Text, nullable=False),  # the account's when it logged in: a new password ends the session
    sa.Column("expires", sa.BigInteger, nullable=False),  # ms since the epoch
)

DEVICES = sa.Table(
    "devices",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),  # SHA-256 of the device's secret
    sa.Column("table", sa.Integer, nullable=True),  # its number in the hall; NULL: withdrawn
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("rulings", sa.Boolean, nullable=False),  # a referee may rule on its screen, by the code of its file
    sa.Column("admitted", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("told", sa.Text, nullable=False),  # JSON: what it said of itself last
    sa.Column("heard", sa.BigInteger, nullable=False),  # ms since the epoch
)

WAITING = sa.Table(
    "waiting_devices",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("code", sa.String(16), nullable=False),  # that its screen shows, or the check of it
    sa.Column("address", sa.String(64), nullable=False),
    sa.Column("told", sa.Text, nullable=False),  # JSON
    sa.Column("since", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("heard", sa.BigInteger, nullable=False),
)

ENCRYPTED = sa.Table(  # devices that show their secret over encrypted connections only
    "encrypted_devices",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("proof", sa.String(64), nullable=False),  # that the direction knows its code; "": it was known before
)

ACTS = sa.Table(
    "acts",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.BigInteger, nullable=False),  # ms since the epoch
    sa.Column("actor", sa.String(64), nullable=False),
    sa.Column("address", sa.String(64), nullable=False),
    sa.Column("act", sa.String(32), nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # JSON
)

#: What is saved with a backup: sessions end, and who waits asks again.
SAVED = (ACCOUNTS, DEVICES, ENCRYPTED, ACTS)
