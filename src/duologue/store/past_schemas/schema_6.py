"""From schema 5 to schema 6: candidates and selections of live chats, and credit without a made-up answer.

Written out as it was then, so that later changes of `schema` do not reach back into it.
"""

from __future__ import annotations

from sqlalchemy import Connection

_TURN_COLUMNS = "n, chat, place, seat, text, key, at, seconds, meta"
_REPLY_COLUMNS = "n, id, chat, place, bot, seed, state, attempts, due_at"
_REBUILT = """
CREATE TABLE new_turns (
    n INTEGER NOT NULL PRIMARY KEY,
    chat INTEGER NOT NULL REFERENCES chats (n),
    place INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    seconds FLOAT,
    meta TEXT DEFAULT '' NOT NULL,
    thread INTEGER DEFAULT '0' NOT NULL,
    candidate INTEGER,
    UNIQUE (chat, place, thread),
    UNIQUE (chat, key)
);
INSERT INTO new_turns ({turns}) SELECT {turns} FROM chat_turns;
DROP TABLE chat_turns;
ALTER TABLE new_turns RENAME TO chat_turns;
CREATE TABLE new_replies (
    n INTEGER NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    chat INTEGER NOT NULL REFERENCES chats (n),
    place INTEGER NOT NULL,
    bot TEXT NOT NULL,
    seed BIGINT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    due_at TEXT NOT NULL,
    candidate INTEGER DEFAULT '0' NOT NULL,
    shown INTEGER DEFAULT '0' NOT NULL,
    text TEXT DEFAULT '' NOT NULL,
    seconds FLOAT,
    meta TEXT DEFAULT '' NOT NULL,
    UNIQUE (chat, place, candidate)
);
INSERT INTO new_replies ({replies}) SELECT {replies} FROM wanted_replies;
DROP TABLE wanted_replies;
ALTER TABLE new_replies RENAME TO wanted_replies;
CREATE INDEX replies_by_due_time ON wanted_replies (due_at) WHERE state = 'open'
"""
_ALTERED = """
ALTER TABLE chat_turns ADD COLUMN thread INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE chat_turns ADD COLUMN candidate INTEGER;
ALTER TABLE chat_turns DROP CONSTRAINT chat_turns_chat_place_key;
ALTER TABLE chat_turns ADD CONSTRAINT chat_turns_chat_place_thread_key UNIQUE (chat, place, thread);
ALTER TABLE wanted_replies ADD COLUMN candidate INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE wanted_replies ADD COLUMN shown INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE wanted_replies ADD COLUMN text TEXT DEFAULT '' NOT NULL;
ALTER TABLE wanted_replies ADD COLUMN seconds FLOAT;
ALTER TABLE wanted_replies ADD COLUMN meta TEXT DEFAULT '' NOT NULL;
ALTER TABLE wanted_replies DROP CONSTRAINT wanted_replies_chat_place_key;
ALTER TABLE wanted_replies ADD CONSTRAINT wanted_replies_chat_place_candidate_key
    UNIQUE (chat, place, candidate)
"""
_BOTH = """
UPDATE chat_turns SET candidate = 0
    WHERE seat = 1 AND chat IN (SELECT n FROM chats WHERE bot <> 'human') AND key <> 'opener';
ALTER TABLE chats DROP COLUMN bot;
ALTER TABLE chats ADD COLUMN news BIGINT DEFAULT 0 NOT NULL;
UPDATE chats SET news = change;
DROP INDEX chats_by_change;
CREATE INDEX chats_by_news ON chats (news);
ALTER TABLE assignments ADD COLUMN credit TEXT DEFAULT '' NOT NULL;
ALTER TABLE annotators ADD COLUMN credited INTEGER DEFAULT '0' NOT NULL;
CREATE TABLE selections (
    n {own},
    id TEXT NOT NULL UNIQUE,
    assignment {number} NOT NULL REFERENCES assignments (n),
    turn INTEGER NOT NULL,
    shown TEXT NOT NULL,
    chosen TEXT NOT NULL,
    written TEXT DEFAULT '' NOT NULL,
    continuation INTEGER,
    is_complete BOOLEAN NOT NULL,
    answer TEXT DEFAULT '' NOT NULL,
    seconds FLOAT,
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (assignment, turn)
)
"""

_IS_TURN_CHANGED = (
    "NEW.text <> '[withdrawn]' OR NEW.chat <> OLD.chat OR NEW.place <> OLD.place OR NEW.seat <> OLD.seat "
    "OR NEW.key <> OLD.key OR NEW.at <> OLD.at OR NEW.meta NOT IN ('', OLD.meta) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1) OR NEW.thread <> OLD.thread "
    "OR coalesce(NEW.candidate, -1) <> coalesce(OLD.candidate, -1)"
)
_IS_SELECTION_CHANGED = (
    "NEW.written NOT IN ('', '[withdrawn]') OR NEW.answer <> '' OR NEW.id <> OLD.id "
    "OR NEW.assignment <> OLD.assignment OR NEW.turn <> OLD.turn OR NEW.shown <> OLD.shown "
    "OR NEW.chosen <> OLD.chosen OR NEW.is_complete <> OLD.is_complete OR NEW.key <> OLD.key "
    "OR NEW.at <> OLD.at OR coalesce(NEW.continuation, -1) <> coalesce(OLD.continuation, -1) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1)"
)
_REFUSING_SQLITE = "BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
_REFUSING_POSTGRESQL = "EXECUTE FUNCTION refuse_to_change()"

_MOVED = """
CREATE TEMPORARY TABLE made_up AS
    SELECT n, assignment, annotator, quota, substr(answer, 11, length(answer) - 12) AS credit FROM judgments
    WHERE substr(answer, 1, 10) = '{"ended":"' AND n IN (SELECT judgment FROM rules_in_force);
UPDATE assignments SET state = 'credited',
    credit = (SELECT made_up.credit FROM made_up WHERE made_up.assignment = assignments.n)
    WHERE n IN (SELECT assignment FROM made_up);
UPDATE annotators SET credited = (SELECT count(*) FROM made_up WHERE made_up.annotator = annotators.n);
UPDATE annotators SET judged = judged - credited, excluded = excluded - credited;
UPDATE quotas SET excluded = excluded - (SELECT count(*) FROM made_up WHERE made_up.quota = quotas.n);
UPDATE judged_quotas SET judged = judged - (SELECT count(*) FROM made_up
    WHERE made_up.annotator = judged_quotas.annotator AND made_up.quota = judged_quotas.quota);
DELETE FROM judged_quotas WHERE judged = 0;
DELETE FROM rules_in_force WHERE judgment IN (SELECT n FROM made_up);
DELETE FROM chat_flags WHERE judgment IN (SELECT n FROM made_up);
DELETE FROM reasons WHERE judgment IN (SELECT n FROM made_up);
DELETE FROM exclusions WHERE judgment IN (SELECT n FROM made_up);
DELETE FROM tallies WHERE example IN (SELECT n FROM made_up);
DELETE FROM judgments WHERE n IN (SELECT n FROM made_up);
DROP TABLE made_up
"""
"""An answer that was made up for a chat which could not go on is none: the assignment is credited instead.

Such judgments are excluded and in no analysis; one that a researcher has taken back stays what it is.
"""


def add_candidates(connection: Connection) -> None:
    """Let a turn have several candidates, and an assignment be credited; made-up answers become credit."""
    is_sqlite = connection.dialect.name == "sqlite"
    made = _REBUILT.format(turns=_TURN_COLUMNS, replies=_REPLY_COLUMNS) if is_sqlite else _ALTERED
    kinds = (
        {"own": "INTEGER NOT NULL PRIMARY KEY", "number": "INTEGER"}
        if is_sqlite
        else {"own": "BIGSERIAL NOT NULL PRIMARY KEY", "number": "BIGINT"}
    )
    _forbid(connection, None, ("chat_turns", "judgments", "exclusions"))
    for statements in (made, _BOTH.format(**kinds), _MOVED):
        for statement in statements.split(";"):
            connection.exec_driver_sql(statement)
    _forbid(connection, _IS_TURN_CHANGED, ("chat_turns",))
    _forbid(connection, _IS_SELECTION_CHANGED, ("selections",))
    _forbid(connection, "", ("judgments", "exclusions"))


def _forbid(connection: Connection, changed: str | None, tables: tuple[str, ...]) -> None:
    """Refuse changes (or what counts as one) and deletions in tables; None allows all of them for a while."""
    is_sqlite = connection.dialect.name == "sqlite"
    for table in tables:
        for verb in ("update", "delete"):
            name = f"{table}_never_{verb}"
            if changed is None:
                drop = f"DROP TRIGGER IF EXISTS {name}" + ("" if is_sqlite else f" ON {table}")
                connection.exec_driver_sql(drop)
                continue
            when = f"WHEN ({changed}) " if changed and verb == "update" else ""
            each = "" if is_sqlite else f"FOR EACH {'ROW' if when else 'STATEMENT'} "
            refusing = _REFUSING_SQLITE.format(table=table) if is_sqlite else _REFUSING_POSTGRESQL
            connection.exec_driver_sql(
                f"CREATE TRIGGER {name} BEFORE {verb} ON {table} {each}{when}{refusing}"
            )
