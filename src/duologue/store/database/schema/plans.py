"""The frozen plan, and every look at results."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table

from duologue.store.database.schema.append_only import keep_append_only
from duologue.store.database.schema.columns import count, metadata, own_number, string

plans = Table(
    "plans",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    string("hash"),
    string("body"),
    string("at"),
)
"""The plan as it was frozen at the first judgment, numbered 1, and from 2 on what was added to it."""
keep_append_only(plans)

looks = Table(
    "looks",
    metadata,
    own_number(),
    string("how"),
    count("judgments"),
    count("planned"),
    count("short"),
    string("data"),
    string("at"),
)
"""When somebody saw results, and of how many judgments; ``data`` is a hash of what they were made from.

``planned`` judgments were wanted then, and ``short`` groups had not reached their number.
"""
keep_append_only(looks)
