"""The tables of a study's database.

Rows are numbered (``n``) for speed; everything outside knows them by random ids. Times are UTC text of one
width, so that they sort; ``shown`` is the shown order as the page has it, ``1,0``.

Judgments, selections, exclusions, the frozen plan, looks at results, filled-in forms and the turns of live
chats are append-only, and the database itself refuses to change or delete them; only the text of a turn, what
an annotator wrote in its place and the answers on a form can become `WITHDRAWN_TEXT`, when the annotator
withdraws. What is counted often is kept beside them: which judgment holds a slot, how many of a quota are
done and how they were answered.
"""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    and_,
    event,
    literal_column,
    text,
)

SCHEMA = 9
"""The number of the schema below; migrations lead up to it."""

metadata = MetaData()
_Number = BigInteger().with_variant(Integer, "sqlite")


def _own_number() -> Column[int]:
    return Column("n", _Number, primary_key=True)


def _text(name: str, *, default: str | None = None) -> Column[str]:
    return Column(name, Text, nullable=False, server_default=default)


def _count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def _claim(name: str, *, default: bool | None = None) -> Column[bool]:
    server_default = None if default is None else text("true" if default else "false")
    return Column(name, Boolean, nullable=False, server_default=server_default)


def _time(name: str) -> Column[str]:
    return Column(name, Text, nullable=True)


def _points_to(name: str, target: str, *, optional: bool = False) -> Column[int]:
    return Column(name, _Number, ForeignKey(target), nullable=optional)


migrations = Table(
    "migrations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    _text("name"),
    _text("at"),
)

facts = Table("facts", metadata, Column("key", Text, primary_key=True), _text("value"))
"""Secrets and noted facts, by name."""

revisions = Table(
    "revisions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    _text("design_hash"),
    _text("text"),
    _text("at"),
)

dialogues = Table(
    "dialogues",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    _text("bot"),
    _text("content_hash"),
    _text("body"),
)

items = Table(
    "items",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    _text("group_name"),
    _text("role", default="judged"),
    _text("block", default=""),
    _claim("is_retired", default=False),
    _text("body"),
)
"""``role`` is judged, onboarding or attention; ``block`` the version of a questionnaire, empty for all."""

item_dialogues = Table(
    "item_dialogues",
    metadata,
    Column("item", _Number, ForeignKey("items.n"), primary_key=True),
    Column("place", Integer, primary_key=True),
    _points_to("dialogue", "dialogues.n"),
    sqlite_with_rowid=False,
)

gold_items = Table(
    "gold_items",
    metadata,
    Column("item", _Number, ForeignKey("items.n"), primary_key=True),
    _text("role", default="onboarding"),
    _count("handed"),
    sqlite_with_rowid=False,
)
"""Items with a known answer, and how often each was handed out."""

arms = Table(
    "arms",
    metadata,
    Column("name", Text, primary_key=True),
    _count("annotators"),
    _count("groups_open"),
)
"""Counters of each arm: its annotators, and its groups with slots to fill."""

blocks = Table(
    "blocks",
    metadata,
    Column("name", Text, primary_key=True),
    _count("annotators"),
    _count("item_count"),
)
"""Counters of each block of items: annotators who stay in it, and the items each of them may have."""

quotas = Table(
    "quotas",
    metadata,
    _own_number(),
    _text("arm"),
    _text("group_name"),
    _text("cohort", default=""),
    _claim("is_wanted", default=True),
    _count("wanted"),
    _count("free"),
    _count("leased"),
    _count("done"),
    _count("excluded"),
    UniqueConstraint("arm", "group_name", "cohort"),
)
"""Counters of each group in each arm; ``wanted`` is free, leased and done together.

``cohort`` is that of annotators with places of their own; empty for the places that all others share.
"""
Index("quotas_to_fill", quotas.c.arm, quotas.c.cohort, quotas.c.free.desc(), quotas.c.n)

slots = Table(
    "slots",
    metadata,
    _own_number(),
    _points_to("quota", "quotas.n"),
    _points_to("item", "items.n"),
    _count("copy"),
    Column("position", BigInteger, nullable=False),
    _text("state", default="free"),
    _claim("is_wanted", default=True),
    _text("shown"),
    Column("assignment", _Number, nullable=True),
    Column("judgment", _Number, nullable=True),
    UniqueConstraint("item", "quota", "copy"),
    Index("slots_to_hand_out", "quota", "state", "position"),
)
"""One judgment that is wanted: free, leased to an assignment, done by a judgment, or retired.

What is no longer wanted becomes retired as soon as it is free. A slot whose ``copy`` is `SECOND_COPY` is for
the second judgment of an item that is judged twice, for agreement between annotators.
"""
SECOND_COPY = 1_000_000
"""More than there are other copies of an item."""
is_second = slots.c.copy == literal_column(str(SECOND_COPY))
"""Spelled out rather than a parameter: only so does the index below serve it."""
Index("second_slots", slots.c.quota, slots.c.state, sqlite_where=is_second, postgresql_where=is_second)

annotators = Table(
    "annotators",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    Column("token", Text, nullable=False, unique=True),
    _text("code"),
    _text("label"),
    _text("kind"),
    _text("arm", default=""),
    _text("cohort", default=""),
    _time("invited_at"),
    _time("consented_at"),
    _time("last_seen"),
    _time("finished_at"),
    _time("revoked_at"),
    _time("withdrawn_at"),
    _text("block", default=""),
    _text("block_reason", default=""),
    Column("assignment", _Number, nullable=True),
    Column("onboarding_wanted", Integer, nullable=True),
    _count("onboarding_asked"),
    _count("onboarding_right"),
    _count("judged"),
    _count("excluded"),
    _count("credited"),
    _text("item_block", default=""),
    _time("began_at"),
    _text("ending", default=""),
    _count("attention_asked"),
    _count("attention_right"),
    _count("repeated"),
    _count("timed_out"),
)
"""``block`` is empty, ``onboarding`` (softly), ``at-once`` or ``researcher``; ``assignment`` is in hand.

``item_block`` is the block of items they stay in; ``began_at`` when the first item was handed out; ``ending``
is empty or ``timed-out``; ``timed_out`` counts judged items that took too long.
"""
is_at_forms = and_(annotators.c.consented_at.is_not(None), annotators.c.onboarding_wanted.is_(None))
"""Whether they have agreed and are filling in the forms before; an arm is joined afterwards."""
_AT_FORMS = "annotators_at_forms"
Index(_AT_FORMS, annotators.c.last_seen, sqlite_where=is_at_forms).ddl_if(dialect="sqlite")
Index(_AT_FORMS, annotators.c.cohort, postgresql_where=is_at_forms).ddl_if(dialect="postgresql")
"""There not by the last visit: PostgreSQL writes all indexes of a row anew when one of them changes."""

annotator_events = Table(
    "annotator_events",
    metadata,
    _own_number(),
    _points_to("annotator", "annotators.n"),
    _text("action"),
    _text("reason"),
    _text("by"),
    _text("at"),
)

filled_forms = Table(
    "filled_forms",
    metadata,
    _own_number(),
    _points_to("annotator", "annotators.n"),
    _text("form"),
    _count("revision"),
    _text("answers"),
    _text("at"),
    UniqueConstraint("annotator", "form"),
)
"""What annotators answered on forms, apart from their judgments; ``answers`` is JSON, by question."""

judged_quotas = Table(
    "judged_quotas",
    metadata,
    Column("annotator", _Number, ForeignKey("annotators.n"), primary_key=True),
    Column("quota", _Number, ForeignKey("quotas.n"), primary_key=True),
    _count("judged"),
    sqlite_with_rowid=False,
)
"""How often each annotator has judged each group."""

seen_dialogues = Table(
    "seen_dialogues",
    metadata,
    Column("annotator", _Number, ForeignKey("annotators.n"), primary_key=True),
    Column("dialogue", _Number, ForeignKey("dialogues.n"), primary_key=True),
    sqlite_with_rowid=False,
)
"""Which dialogues each annotator has been handed: the key keeps any from coming twice."""

chats = Table(
    "chats",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    _points_to("item", "items.n"),
    _text("arm"),
    _text("state"),
    _count("next_seat"),
    _text("ending", default=""),
    _count("turns_0"),
    _count("turns_1"),
    Column("min_exchanges", Integer, nullable=False),
    Column("max_exchanges", Integer, nullable=False),
    Column("change", BigInteger, nullable=False),
    Column("news", BigInteger, nullable=False),
    _text("since"),
    _text("began_at"),
    _time("ended_at"),
    _time("waits_until"),
    _claim("is_erased", default=False),
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

WITHDRAWN_TEXT = "[withdrawn]"
"""What stands in the place of a turn whose annotator has withdrawn."""

chat_turns = Table(
    "chat_turns",
    metadata,
    _own_number(),
    _points_to("chat", "chats.n"),
    Column("place", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    _text("text"),
    _text("key"),
    _text("at"),
    Column("seconds", Float, nullable=True),
    _text("meta", default=""),
    _count("thread"),
    Column("candidate", Integer, nullable=True),
    UniqueConstraint("chat", "place", "thread"),
    UniqueConstraint("chat", "key"),
)
"""What was said in live chats; ``key`` is the form's, or the id of the wanted reply.

``candidate`` is the place in the item's bots of the bot that said it; people have none. Where bots have
histories of their own, the replies to one turn have the same place and each a ``thread`` of its own.
"""

wanted_replies = Table(
    "wanted_replies",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    _points_to("chat", "chats.n"),
    Column("place", Integer, nullable=False),
    _text("bot"),
    Column("seed", BigInteger, nullable=False),
    _text("state"),
    _count("attempts"),
    _text("due_at"),
    _count("candidate"),
    _count("shown"),
    _text("text", default=""),
    Column("seconds", Float, nullable=True),
    _text("meta", default=""),
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
    _own_number(),
    _points_to("reply", "wanted_replies.n"),
    _points_to("chat", "chats.n"),
    _count("attempt"),
    _text("cause"),
    _text("at"),
    Index("failures_by_chat", "chat"),
)

assignments = Table(
    "assignments",
    metadata,
    _own_number(),
    Column("key", Text, nullable=False, unique=True),
    _points_to("annotator", "annotators.n"),
    _points_to("item", "items.n"),
    _points_to("slot", "slots.n", optional=True),
    _text("arm"),
    _text("shown"),
    _count("revision"),
    _count("number"),
    _count("total"),
    _text("state"),
    _text("leased_at"),
    _time("expires_at"),
    _points_to("chat", "chats.n", optional=True),
    _count("seat"),
    _text("draft", default=""),
    _text("credit", default=""),
    Column("occasion", Integer, nullable=False, server_default="1"),
    _time("deadline_at"),
    UniqueConstraint("annotator", "item", "occasion"),
)
"""``state`` is running, judged, credited, timed-out, or ended (expired, released, or taken from a blocked
annotator).

Credited is a live chat that could not go on: nothing is judged, the time counts, ``credit`` says why.

``occasion`` is 2 where an annotator is asked about the same item once more, to see whether they agree.
``chat`` and ``seat`` are those of a live chat; ``draft`` what was answered on earlier screens.
"""
is_running = assignments.c.state == literal_column("'running'")
"""Spelled out rather than a parameter: only so do the indexes below serve it."""
Index(
    "one_assignment_in_hand",
    assignments.c.annotator,
    unique=True,
    sqlite_where=is_running,
    postgresql_where=is_running,
)
Index(
    "one_lease_of_a_slot",
    assignments.c.slot,
    unique=True,
    sqlite_where=is_running,
    postgresql_where=is_running,
)
is_chat = assignments.c.chat.is_not(None)
Index("assignments_by_chat", assignments.c.chat, sqlite_where=is_chat, postgresql_where=is_chat)
Index("leases_by_expiry", assignments.c.expires_at, sqlite_where=is_running, postgresql_where=is_running)

judgments = Table(
    "judgments",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    Column("assignment", _Number, ForeignKey("assignments.n"), nullable=False, unique=True),
    _points_to("annotator", "annotators.n"),
    _points_to("item", "items.n"),
    _points_to("slot", "slots.n", optional=True),
    _points_to("quota", "quotas.n", optional=True),
    _text("arm"),
    Column("revision", Integer, nullable=False),
    _text("answer"),
    _text("shown"),
    Column("seconds", Float, nullable=False),
    _text("seconds_kind"),
    _text("key"),
    _text("at"),
    Column("is_correct", Boolean, nullable=True),
    _text("role", default="judged"),
    Column("occasion", Integer, nullable=False, server_default="1"),
    Index("judgments_by_annotator", "annotator", "role", "seconds"),
)

selections = Table(
    "selections",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    _points_to("assignment", "assignments.n"),
    Column("turn", Integer, nullable=False),
    _text("shown"),
    _text("chosen"),
    _text("written", default=""),
    Column("continuation", Integer, nullable=True),
    _claim("is_complete"),
    _text("answer", default=""),
    Column("seconds", Float, nullable=True),
    _text("key"),
    _text("at"),
    UniqueConstraint("assignment", "turn"),
)
"""What annotators chose among the candidates of a turn; ``turn`` is its place in the chat.

``shown`` lists the candidates behind each card in the order of the cards, ``chosen`` the cards from 1 up.
``continuation`` is the candidate that the chat went on with; there is none where the annotator wrote the
reply, or only looked at a finished chat. ``is_complete``: no candidate had failed. ``answer`` is what else
was asked.
"""

tallies = Table(
    "tallies",
    metadata,
    Column("quota", _Number, ForeignKey("quotas.n"), primary_key=True),
    Column("kind", Text, primary_key=True),
    _points_to("example", "judgments.n"),
    _count("done"),
    sqlite_with_rowid=False,
)
"""How many judgments that count are alike: of the same revision, bots, shown order and answer.

``kind`` is a hash of those; ``example`` is the first of them, which may have been set aside since.
"""

reasons = Table(
    "reasons",
    metadata,
    Column("judgment", _Number, ForeignKey("judgments.n"), primary_key=True),
    _text("text"),
)
"""What annotators wrote, apart from the judgments so that it can be erased when they withdraw."""

reason_prints = Table(
    "reason_prints",
    metadata,
    Column("judgment", _Number, ForeignKey("judgments.n"), primary_key=True),
    _text("print"),
    _claim("may_be_shared"),
    Index("reasons_that_say_the_same", "print"),
)
"""Which reasons say the same: ``print`` is a hash of their words. Short ones have none.

``may_be_shared``: it is long enough that two people do not write it by chance. Only what is judged, and the
first time, has one; it is erased with the reason.
"""

judgment_flags = Table(
    "judgment_flags",
    metadata,
    _own_number(),
    _points_to("judgment", "judgments.n"),
    _text("rule"),
    _text("detail"),
    UniqueConstraint("judgment", "rule"),
)
"""What screening found in a judgment: in its live chat, its time, or the pattern that it is part of."""

exclusions = Table(
    "exclusions",
    metadata,
    _own_number(),
    Column("id", Text, nullable=False, unique=True),
    _points_to("judgment", "judgments.n"),
    _text("action"),
    _text("rule"),
    _text("reason"),
    _text("by"),
    _text("at"),
)

rules_in_force = Table(
    "rules_in_force",
    metadata,
    Column("judgment", _Number, ForeignKey("judgments.n"), primary_key=True),
    Column("rule", Text, primary_key=True),
    _points_to("exclusion", "exclusions.n"),
    sqlite_with_rowid=False,
)
"""Which rules set a judgment aside at present, as the rows of `exclusions` add up."""

plans = Table(
    "plans",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    _text("hash"),
    _text("body"),
    _text("at"),
)
"""The plan as it was frozen at the first judgment: one row at most, numbered 1."""

looks = Table(
    "looks",
    metadata,
    _own_number(),
    _text("how"),
    _count("judgments"),
    _count("planned"),
    _count("short"),
    _text("data"),
    _text("at"),
)
"""When somebody saw results, and of how many judgments; ``data`` is a hash of what they were made from.

``planned`` judgments were wanted then, and ``short`` groups had not reached their number.
"""

_APPEND_ONLY_SQLITE = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}{unless}
BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END
"""
_APPEND_ONLY_POSTGRESQL = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}
FOR EACH {each}{unless} EXECUTE FUNCTION refuse_to_change()
"""
_REFUSAL_POSTGRESQL = """
CREATE OR REPLACE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION '%% are append-only', TG_TABLE_NAME; END $$
"""
_UNLESS_FORM_WITHDRAWN = (
    f" WHEN (NEW.answers <> '{WITHDRAWN_TEXT}' OR NEW.annotator <> OLD.annotator OR NEW.form <> OLD.form "
    "OR NEW.revision <> OLD.revision OR NEW.at <> OLD.at)"
)
_UNLESS_WITHDRAWN = (
    f" WHEN (NEW.text <> '{WITHDRAWN_TEXT}' OR NEW.chat <> OLD.chat OR NEW.place <> OLD.place "
    "OR NEW.seat <> OLD.seat OR NEW.key <> OLD.key OR NEW.at <> OLD.at OR NEW.meta NOT IN ('', OLD.meta) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1) OR NEW.thread <> OLD.thread "
    "OR coalesce(NEW.candidate, -1) <> coalesce(OLD.candidate, -1))"
)
_UNLESS_WRITTEN_IS_WITHDRAWN = (
    f" WHEN (NEW.written NOT IN ('', '{WITHDRAWN_TEXT}') OR NEW.answer <> '' OR NEW.id <> OLD.id "
    "OR NEW.assignment <> OLD.assignment OR NEW.turn <> OLD.turn OR NEW.shown <> OLD.shown "
    "OR NEW.chosen <> OLD.chosen OR NEW.is_complete <> OLD.is_complete OR NEW.key <> OLD.key "
    "OR NEW.at <> OLD.at OR coalesce(NEW.continuation, -1) <> coalesce(OLD.continuation, -1) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1))"
)


def _ddl(statement: str) -> DDL:
    return DDL(statement)  # type: ignore[no-untyped-call]


def _keep_append_only(table: Table, *, unless: str = "") -> None:
    refusal = _ddl(_REFUSAL_POSTGRESQL).execute_if(dialect="postgresql")
    event.listen(table, "after_create", refusal)
    for verb in ("update", "delete"):
        for dialect, form in (("sqlite", _APPEND_ONLY_SQLITE), ("postgresql", _APPEND_ONLY_POSTGRESQL)):
            when = unless if verb == "update" else ""
            each = "ROW" if when else "STATEMENT"
            statement = form.format(table=table.name, verb=verb, unless=when, each=each)
            event.listen(table, "after_create", _ddl(statement).execute_if(dialect=dialect))


_keep_append_only(judgments)
_keep_append_only(exclusions)
_keep_append_only(plans)
_keep_append_only(looks)
_keep_append_only(chat_turns, unless=_UNLESS_WITHDRAWN)
_keep_append_only(filled_forms, unless=_UNLESS_FORM_WITHDRAWN)
_keep_append_only(selections, unless=_UNLESS_WRITTEN_IS_WITHDRAWN)
