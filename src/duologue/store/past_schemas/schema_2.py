"""From schema 1 to schema 2: live chats, and answers on several screens.

Written out as it was then, so that later changes of `schema` do not reach back into it.
"""

from __future__ import annotations

from sqlalchemy import Connection

_TABLES = """
CREATE TABLE chats (
    n {own},
    id TEXT NOT NULL UNIQUE,
    item {number} NOT NULL REFERENCES items (n),
    arm TEXT NOT NULL,
    bot TEXT NOT NULL,
    state TEXT NOT NULL,
    next_seat INTEGER DEFAULT '0' NOT NULL,
    ending TEXT DEFAULT '' NOT NULL,
    turns_0 INTEGER DEFAULT '0' NOT NULL,
    turns_1 INTEGER DEFAULT '0' NOT NULL,
    min_exchanges INTEGER NOT NULL,
    max_exchanges INTEGER NOT NULL,
    change BIGINT NOT NULL,
    since TEXT NOT NULL,
    began_at TEXT NOT NULL,
    ended_at TEXT,
    waits_until TEXT,
    is_erased BOOLEAN DEFAULT false NOT NULL
);
CREATE INDEX chats_by_change ON chats (change);
CREATE INDEX chats_in_the_waiting_room ON chats (arm, n) WHERE state = 'waiting';
CREATE TABLE chat_turns (
    n {own},
    chat {number} NOT NULL REFERENCES chats (n),
    place INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    seconds FLOAT,
    meta TEXT DEFAULT '' NOT NULL,
    UNIQUE (chat, place),
    UNIQUE (chat, key)
);
CREATE TABLE wanted_replies (
    n {own},
    id TEXT NOT NULL UNIQUE,
    chat {number} NOT NULL REFERENCES chats (n),
    place INTEGER NOT NULL,
    bot TEXT NOT NULL,
    seed BIGINT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    due_at TEXT NOT NULL,
    UNIQUE (chat, place)
);
CREATE INDEX replies_by_due_time ON wanted_replies (due_at) WHERE state = 'open';
CREATE TABLE reply_failures (
    n {own},
    reply {number} NOT NULL REFERENCES wanted_replies (n),
    chat {number} NOT NULL REFERENCES chats (n),
    attempt INTEGER DEFAULT '0' NOT NULL,
    cause TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX failures_by_chat ON reply_failures (chat);
CREATE TABLE chat_flags (
    n {own},
    judgment {number} NOT NULL REFERENCES judgments (n),
    rule TEXT NOT NULL,
    detail TEXT NOT NULL,
    UNIQUE (judgment, rule)
);
ALTER TABLE assignments ADD COLUMN chat {number} REFERENCES chats (n);
ALTER TABLE assignments ADD COLUMN seat INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE assignments ADD COLUMN draft TEXT DEFAULT '' NOT NULL;
CREATE INDEX assignments_by_chat ON assignments (chat) WHERE chat IS NOT NULL
"""

_IS_CHANGED = (
    "NEW.text <> '[withdrawn]' OR NEW.chat <> OLD.chat OR NEW.place <> OLD.place OR NEW.seat <> OLD.seat "
    "OR NEW.key <> OLD.key OR NEW.at <> OLD.at OR NEW.meta NOT IN ('', OLD.meta) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1)"
)
_TRIGGERS_SQLITE = (
    f"CREATE TRIGGER chat_turns_never_update BEFORE update ON chat_turns WHEN ({_IS_CHANGED}) "
    "BEGIN SELECT RAISE(ABORT, 'chat_turns are append-only'); END",
    "CREATE TRIGGER chat_turns_never_delete BEFORE delete ON chat_turns "
    "BEGIN SELECT RAISE(ABORT, 'chat_turns are append-only'); END",
)
_TRIGGERS_POSTGRESQL = (
    f"CREATE TRIGGER chat_turns_never_update BEFORE update ON chat_turns FOR EACH ROW WHEN ({_IS_CHANGED}) "
    "EXECUTE FUNCTION refuse_to_change()",
    "CREATE TRIGGER chat_turns_never_delete BEFORE delete ON chat_turns FOR EACH STATEMENT "
    "EXECUTE FUNCTION refuse_to_change()",
)


def add_live_chats(connection: Connection) -> None:
    """Add the tables of live chats, and what an assignment knows of one."""
    is_sqlite = connection.dialect.name == "sqlite"
    kinds = (
        {"own": "INTEGER NOT NULL PRIMARY KEY", "number": "INTEGER"}
        if is_sqlite
        else {"own": "BIGSERIAL NOT NULL PRIMARY KEY", "number": "BIGINT"}
    )
    for statement in _TABLES.format(**kinds).split(";"):
        connection.exec_driver_sql(statement)
    for statement in _TRIGGERS_SQLITE if is_sqlite else _TRIGGERS_POSTGRESQL:
        connection.exec_driver_sql(statement)
