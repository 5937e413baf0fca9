"""Live chats: their state, what was said, and the replies that bots owe."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from duologue.store.database.schema.append_only import WITHDRAWN_TEXT, keep_append_only
from duologue.store.database.schema.columns import (
    claim,
    count,
    metadata,
    moment,
    own_number,
    points_to,
    string,
)

chats = Table(
    "chats",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    points_to("item", "items.n"),
    string("arm"),
    string("state"),
    count("next_seat"),
    string("ending", default=""),
    count("turns_0"),
    count("turns_1"),
    Column("min_exchanges", Integer, nullable=False),
    Column("max_exchanges", Integer, nullable=False),
    Column("change", BigInteger, nullable=False),
    Column("news", BigInteger, nullable=False),
    string("since"),
    string("began_at"),
    moment("ended_at"),
    moment("waits_until"),
    claim("is_erased", default=False),
    Index("chats_by_news", "news"),
)
"""Live chats. Seat 0 has the annotator who came first, seat 1 the bots of the item or the other annotator.

``state`` is waiting (for a human partner), open, choosing (among the candidates of a turn), failed or ended.
``change`` numbers what happens in a chat. ``news`` numbers what happens in all chats of the study, so that a
server sees which have changed; no page ever gets it, for it would tell what others do.
"""
is_waiting = chats.c.state == literal_column("'waiting'")
Index(
    "chats_in_the_waiting_room", chats.c.arm, chats.c.n, sqlite_where=is_waiting, postgresql_where=is_waiting
)

chat_turns = Table(
    "chat_turns",
    metadata,
    own_number(),
    points_to("chat", "chats.n"),
    Column("place", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    string("text"),
    string("key"),
    string("at"),
    Column("seconds", Float, nullable=True),
    string("meta", default=""),
    count("thread"),
    Column("candidate", Integer, nullable=True),
    UniqueConstraint("chat", "place", "thread"),
    UniqueConstraint("chat", "key"),
)
"""What was said in live chats; ``key`` is the form's, or the id of the wanted reply.

``candidate`` is the place in the item's bots of the bot that said it; people have none. Where bots have
histories of their own, the replies to one turn have the same place and each a ``thread`` of its own.
"""
_UNLESS_WITHDRAWN = (
    f" WHEN (NEW.text <> '{WITHDRAWN_TEXT}' OR NEW.chat <> OLD.chat OR NEW.place <> OLD.place "
    "OR NEW.seat <> OLD.seat OR NEW.key <> OLD.key OR NEW.at <> OLD.at OR NEW.meta NOT IN ('', OLD.meta) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1) OR NEW.thread <> OLD.thread "
    "OR coalesce(NEW.candidate, -1) <> coalesce(OLD.candidate, -1))"
)
keep_append_only(chat_turns, unless=_UNLESS_WITHDRAWN)

wanted_replies = Table(
    "wanted_replies",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    points_to("chat", "chats.n"),
    Column("place", Integer, nullable=False),
    string("bot"),
    Column("seed", BigInteger, nullable=False),
    string("state"),
    count("attempts"),
    string("due_at"),
    count("candidate"),
    count("shown"),
    string("text", default=""),
    Column("seconds", Float, nullable=True),
    string("meta", default=""),
    UniqueConstraint("chat", "place", "candidate"),
)
"""Replies that bots owe, one of every candidate; ``state`` is open, failed, given or dropped.

An open one can be taken from ``due_at`` on: at once when it is new, and when the lease has run out after.
``candidate`` is the bot's place in the item, ``shown`` the place where its reply is shown. ``text``,
``seconds`` and ``meta`` are what was given, where it is not the chat's next turn at once.
"""
is_open = wanted_replies.c.state == literal_column("'open'")
Index("replies_by_due_time", wanted_replies.c.due_at, sqlite_where=is_open, postgresql_where=is_open)

reply_failures = Table(
    "reply_failures",
    metadata,
    own_number(),
    points_to("reply", "wanted_replies.n"),
    points_to("chat", "chats.n"),
    count("attempt"),
    string("cause"),
    string("at"),
    Index("failures_by_chat", "chat"),
)
