"""Annotators: who they are, what happened to them, their forms, and what each has judged and seen."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, and_

from duologue.store.database.schema.append_only import WITHDRAWN_TEXT, keep_append_only
from duologue.store.database.schema.columns import (
    NUMBER,
    count,
    metadata,
    moment,
    own_number,
    points_to,
    string,
)

annotators = Table(
    "annotators",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    Column("token", Text, nullable=False, unique=True),
    string("code"),
    string("label"),
    string("kind"),
    string("arm", default=""),
    string("cohort", default=""),
    moment("invited_at"),
    moment("consented_at"),
    moment("last_seen"),
    moment("finished_at"),
    moment("revoked_at"),
    moment("withdrawn_at"),
    string("block", default=""),
    string("block_reason", default=""),
    Column("assignment", NUMBER, nullable=True),
    Column("onboarding_wanted", Integer, nullable=True),
    count("onboarding_asked"),
    count("onboarding_right"),
    count("judged"),
    count("excluded"),
    count("credited"),
    string("item_block", default=""),
    moment("began_at"),
    string("ending", default=""),
    count("attention_asked"),
    count("attention_right"),
    count("repeated"),
    count("timed_out"),
)
"""``block`` is empty, ``onboarding`` (softly), ``at-once`` or ``researcher``; ``assignment`` is in hand.

``item_block`` is the block of items they stay in; ``began_at`` when the first item was handed out; ``ending``
is empty, ``timed-out``, ``stopped`` of who failed too many attention checks, or ``left`` of who left their
block before its end; ``timed_out`` counts judged items that took too long.
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
    own_number(),
    points_to("annotator", "annotators.n"),
    string("action"),
    string("reason"),
    string("by"),
    string("at"),
)

filled_forms = Table(
    "filled_forms",
    metadata,
    own_number(),
    points_to("annotator", "annotators.n"),
    string("form"),
    count("revision"),
    string("answers"),
    string("at"),
    UniqueConstraint("annotator", "form"),
)
"""What annotators answered on forms, apart from their judgments; ``answers`` is JSON, by question."""
_UNLESS_FORM_WITHDRAWN = (
    f" WHEN (NEW.answers <> '{WITHDRAWN_TEXT}' OR NEW.annotator <> OLD.annotator OR NEW.form <> OLD.form "
    "OR NEW.revision <> OLD.revision OR NEW.at <> OLD.at)"
)
keep_append_only(filled_forms, unless=_UNLESS_FORM_WITHDRAWN)

judged_quotas = Table(
    "judged_quotas",
    metadata,
    Column("annotator", NUMBER, ForeignKey("annotators.n"), primary_key=True),
    Column("quota", NUMBER, ForeignKey("quotas.n"), primary_key=True),
    count("judged"),
    sqlite_with_rowid=False,
)
"""How often each annotator has judged each group."""

seen_dialogues = Table(
    "seen_dialogues",
    metadata,
    Column("annotator", NUMBER, ForeignKey("annotators.n"), primary_key=True),
    Column("dialogue", NUMBER, ForeignKey("dialogues.n"), primary_key=True),
    sqlite_with_rowid=False,
)
"""Which dialogues each annotator has been handed: the key keeps any from coming twice."""
