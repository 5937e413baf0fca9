"""What is to be judged: items, the quotas of their groups, and a slot for every judgment that is wanted."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from duologue.store.database.schema.columns import (
    NUMBER,
    claim,
    count,
    metadata,
    own_number,
    points_to,
    string,
)

items = Table(
    "items",
    metadata,
    own_number(),
    Column("id", Text, nullable=False, unique=True),
    string("group_name"),
    string("role", default="judged"),
    string("block", default=""),
    claim("is_retired", default=False),
    string("body"),
)
"""``role`` is judged, onboarding or attention; ``block`` the version of a questionnaire, empty for all."""

item_dialogues = Table(
    "item_dialogues",
    metadata,
    Column("item", NUMBER, ForeignKey("items.n"), primary_key=True),
    Column("place", Integer, primary_key=True),
    points_to("dialogue", "dialogues.n"),
    sqlite_with_rowid=False,
)

gold_items = Table(
    "gold_items",
    metadata,
    Column("item", NUMBER, ForeignKey("items.n"), primary_key=True),
    string("role", default="onboarding"),
    count("handed"),
    sqlite_with_rowid=False,
)
"""Items with a known answer, and how often each was handed out."""

arms = Table(
    "arms",
    metadata,
    Column("name", Text, primary_key=True),
    count("annotators"),
    count("groups_open"),
)
"""Counters of each arm: its annotators, and its groups with slots to fill."""

blocks = Table(
    "blocks",
    metadata,
    Column("name", Text, primary_key=True),
    count("annotators"),
    count("item_count"),
)
"""Counters of each block of items: annotators who stay in it, and the items each of them may have."""

quotas = Table(
    "quotas",
    metadata,
    own_number(),
    string("arm"),
    string("group_name"),
    string("cohort", default=""),
    claim("is_wanted", default=True),
    count("wanted"),
    count("free"),
    count("leased"),
    count("done"),
    count("excluded"),
    UniqueConstraint("arm", "group_name", "cohort"),
)
"""Counters of each group in each arm; ``wanted`` is free, leased and done together.

``cohort`` is that of annotators with places of their own; empty for the places that all others share.
"""
Index("quotas_to_fill", quotas.c.arm, quotas.c.cohort, quotas.c.free.desc(), quotas.c.n)

slots = Table(
    "slots",
    metadata,
    own_number(),
    points_to("quota", "quotas.n"),
    points_to("item", "items.n"),
    count("copy"),
    Column("position", BigInteger, nullable=False),
    string("state", default="free"),
    claim("is_wanted", default=True),
    string("shown"),
    Column("assignment", NUMBER, nullable=True),
    Column("judgment", NUMBER, nullable=True),
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
