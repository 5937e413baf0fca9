"""The store: a study's database, an SQLite file or PostgreSQL. SQL is nowhere else."""

from __future__ import annotations

from duologue.store.database.looking import DatabaseLook, InUse, in_use, look_at
from duologue.store.database.moving import MovedStudy, MovedTable, move_study
from duologue.store.database.places import check_place, open_study
from duologue.store.database.presence import not_served, serving
from duologue.store.database.trial import trial_store
from duologue.store.records import (
    Annotator,
    AnnotatorEvent,
    AnnotatorState,
    AnnotatorSummary,
    Assignment,
    Chat,
    ChatEnding,
    ChatState,
    ChatSummary,
    ChatTurn,
    CutTurns,
    Finished,
    Flag,
    GivenReply,
    GroupProgress,
    Health,
    Invitation,
    Lease,
    Loaded,
    NeedsConsent,
    NoWork,
    Revision,
    Station,
    WantedReply,
    Working,
)
from duologue.store.researcher.by_hand import (
    is_by_hand,
    looks_before,
    researcher_rules,
    undeclared_by_hand,
)
from duologue.store.researcher.exclusions import ANALYSIS, THE_RULES
from duologue.store.researcher.judged import Judged, Tally
from duologue.store.researcher.lists import Listed, Wanted
from duologue.store.researcher.looks import REHEARSAL, data_lines, exported_rows, note_look
from duologue.store.researcher.plan_file import keep_plan_file
from duologue.store.researcher.plans import StoredLook
from duologue.store.researcher.rows import (
    judged_columns,
    judgment_rows,
    rows_counted_all_the_same,
    tallied_rows,
)
from duologue.store.store import Store, open_store

__all__ = [
    "ANALYSIS",
    "REHEARSAL",
    "THE_RULES",
    "Annotator",
    "AnnotatorEvent",
    "AnnotatorState",
    "AnnotatorSummary",
    "Assignment",
    "Chat",
    "ChatEnding",
    "ChatState",
    "ChatSummary",
    "ChatTurn",
    "CutTurns",
    "DatabaseLook",
    "Finished",
    "Flag",
    "GivenReply",
    "GroupProgress",
    "Health",
    "InUse",
    "Invitation",
    "Judged",
    "Lease",
    "Listed",
    "Loaded",
    "MovedStudy",
    "MovedTable",
    "NeedsConsent",
    "NoWork",
    "Revision",
    "Station",
    "Store",
    "StoredLook",
    "Tally",
    "Wanted",
    "WantedReply",
    "Working",
    "check_place",
    "data_lines",
    "exported_rows",
    "in_use",
    "is_by_hand",
    "judged_columns",
    "judgment_rows",
    "keep_plan_file",
    "look_at",
    "looks_before",
    "move_study",
    "not_served",
    "note_look",
    "open_store",
    "open_study",
    "researcher_rules",
    "rows_counted_all_the_same",
    "serving",
    "tallied_rows",
    "trial_store",
    "undeclared_by_hand",
]
