"""The store: a study's database, an SQLite file or PostgreSQL. SQL is nowhere else."""

from __future__ import annotations

from duologue.store.records import (
    Annotator,
    AnnotatorEvent,
    AnnotatorState,
    AnnotatorSummary,
    Assignment,
    Clock,
    Finished,
    GroupProgress,
    Health,
    Invitation,
    Lease,
    Loaded,
    NeedsConsent,
    NoWork,
    Revision,
    Station,
    Working,
    utc_now,
)
from duologue.store.store import Store, open_store

__all__ = [
    "Annotator",
    "AnnotatorEvent",
    "AnnotatorState",
    "AnnotatorSummary",
    "Assignment",
    "Clock",
    "Finished",
    "GroupProgress",
    "Health",
    "Invitation",
    "Lease",
    "Loaded",
    "NeedsConsent",
    "NoWork",
    "Revision",
    "Station",
    "Store",
    "Working",
    "open_store",
    "utc_now",
]
