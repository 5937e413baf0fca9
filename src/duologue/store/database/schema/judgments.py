"""Who was handed what, what they answered, and which answers are set aside."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    ScalarSelect,
    Table,
    Text,
    UniqueConstraint,
    func,
    literal_column,
    select,
)

from duologue.store.database.schema.append_only import WITHDRAWN_TEXT, keep_append_only
from duologue.store.database.schema.columns import (
    NUMBER,
    claim,
    count,
    metadata,
    moment,
    own_number,
    points_to,
    string,
)
from duologue.store.database.schema.items import items

assignments = Table(
    "assignments",
    metadata,
    own_number(),
    Column("key", Text, nullable=False, unique=True),
    points_to("annotator", "annotators.n"),
    points_to("item", "items.n"),
    points_to("slot", "slots.n", optional=True),
    string("arm"),
    string("shown"),
    count("revision"),
    count("number"),
    count("total"),
    string("state"),
    string("leased_at"),
    moment("expires_at"),
    points_to("chat", "chats.n", optional=True),
    count("seat"),
    string("draft", default=""),
    string("credit", default=""),
    Column("occasion", Integer, nullable=False, server_default="1"),
    moment("deadline_at"),
    UniqueConstraint("annotator", "item", "occasion"),
)
"""``state`` is running, judged, credited, timed-out, or ended (expired, released, or taken from a blocked
annotator).

Credited is a live chat that could not go on, or any item that was skipped: nothing is judged, the time
counts, ``credit`` says why, and ``expires_at`` is when it ended.

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
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    Column("assignment", NUMBER, ForeignKey("assignments.n"), nullable=False, unique=True),
    points_to("annotator", "annotators.n"),
    points_to("item", "items.n"),
    points_to("slot", "slots.n", optional=True),
    points_to("quota", "quotas.n", optional=True),
    string("arm"),
    Column("revision", Integer, nullable=False),
    string("answer"),
    string("shown"),
    Column("seconds", Float, nullable=False),
    string("seconds_kind"),
    string("key"),
    string("at"),
    Column("is_correct", Boolean, nullable=True),
    string("role", default="judged"),
    Column("occasion", Integer, nullable=False, server_default="1"),
    Index("judgments_by_annotator", "annotator", "role", "seconds"),
)
keep_append_only(judgments)

selections = Table(
    "selections",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    points_to("assignment", "assignments.n"),
    Column("turn", Integer, nullable=False),
    string("shown"),
    string("chosen"),
    string("written", default=""),
    Column("continuation", Integer, nullable=True),
    claim("is_complete"),
    string("answer", default=""),
    Column("seconds", Float, nullable=True),
    string("key"),
    string("at"),
    UniqueConstraint("assignment", "turn"),
)
"""What annotators chose among the candidates of a turn; ``turn`` is its place in the chat.

``shown`` lists the candidates behind each card in the order of the cards, ``chosen`` the cards from 1 up.
``continuation`` is the candidate that the chat went on with; there is none where the annotator wrote the
reply, or only looked at a finished chat. ``is_complete``: no candidate had failed. ``answer`` is what else
was asked.
"""
_UNLESS_WRITTEN_IS_WITHDRAWN = (
    f" WHEN (NEW.written NOT IN ('', '{WITHDRAWN_TEXT}') OR NEW.answer <> '' OR NEW.id <> OLD.id "
    "OR NEW.assignment <> OLD.assignment OR NEW.turn <> OLD.turn OR NEW.shown <> OLD.shown "
    "OR NEW.chosen <> OLD.chosen OR NEW.is_complete <> OLD.is_complete OR NEW.key <> OLD.key "
    "OR NEW.at <> OLD.at OR coalesce(NEW.continuation, -1) <> coalesce(OLD.continuation, -1) "
    "OR coalesce(NEW.seconds, -1) <> coalesce(OLD.seconds, -1))"
)
keep_append_only(selections, unless=_UNLESS_WRITTEN_IS_WITHDRAWN)

tallies = Table(
    "tallies",
    metadata,
    Column("quota", NUMBER, ForeignKey("quotas.n"), primary_key=True),
    Column("kind", Text, primary_key=True),
    points_to("example", "judgments.n"),
    count("done"),
    sqlite_with_rowid=False,
)
"""How many judgments that count are alike: of the same revision, bots, shown order and answer.

``kind`` is a hash of those; ``example`` is the first of them, which may have been set aside since.
"""

reasons = Table(
    "reasons",
    metadata,
    Column("judgment", NUMBER, ForeignKey("judgments.n"), primary_key=True),
    string("text"),
)
"""What annotators wrote, apart from the judgments so that it can be erased when they withdraw."""

reason_prints = Table(
    "reason_prints",
    metadata,
    Column("judgment", NUMBER, ForeignKey("judgments.n"), primary_key=True),
    string("print"),
    claim("may_be_shared"),
    Index("reasons_that_say_the_same", "print"),
)
"""Which reasons say the same: ``print`` is a hash of their words. Short ones have none.

``may_be_shared``: it is long enough that two people do not write it by chance. Only what is judged, and the
first time, has one; it is erased with the reason.
"""

judgment_flags = Table(
    "judgment_flags",
    metadata,
    own_number(),
    points_to("judgment", "judgments.n"),
    string("rule"),
    string("detail"),
    UniqueConstraint("judgment", "rule"),
)
"""What screening found in a judgment: in its live chat, its time, or the pattern that it is part of."""

exclusions = Table(
    "exclusions",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    points_to("judgment", "judgments.n"),
    string("action"),
    string("rule"),
    string("reason"),
    string("by"),
    string("at"),
)
keep_append_only(exclusions)

rules_in_force = Table(
    "rules_in_force",
    metadata,
    Column("judgment", NUMBER, ForeignKey("judgments.n"), primary_key=True),
    Column("rule", Text, primary_key=True),
    points_to("exclusion", "exclusions.n"),
    sqlite_with_rowid=False,
)
"""Which rules set a judgment aside at present, as the rows of `exclusions` add up."""


def skipped_checks(annotator: ColumnElement[int]) -> ScalarSelect[int]:
    """How many attention checks an annotator skipped: they were asked, and not answered."""
    return (
        select(func.count())
        .select_from(assignments.join(items, items.c.n == assignments.c.item))
        .where(
            assignments.c.annotator == annotator,
            assignments.c.credit == literal_column("'skipped'"),
            items.c.role == literal_column("'attention'"),
        )
        .scalar_subquery()
    )
