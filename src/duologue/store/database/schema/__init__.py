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

from duologue.store.database.schema.annotators import (
    annotator_events,
    annotators,
    filled_forms,
    is_at_forms,
    judged_quotas,
    seen_dialogues,
)
from duologue.store.database.schema.append_only import WITHDRAWN_TEXT
from duologue.store.database.schema.chats import (
    chat_turns,
    chats,
    is_open,
    is_waiting,
    reply_failures,
    wanted_replies,
)
from duologue.store.database.schema.columns import metadata
from duologue.store.database.schema.items import (
    SECOND_COPY,
    arms,
    blocks,
    gold_items,
    is_second,
    item_dialogues,
    items,
    quotas,
    slots,
)
from duologue.store.database.schema.judgments import (
    assignments,
    exclusions,
    is_chat,
    is_running,
    judgment_flags,
    judgments,
    reason_prints,
    reasons,
    rules_in_force,
    selections,
    skipped_checks,
    tallies,
)
from duologue.store.database.schema.new_tables import make_tables
from duologue.store.database.schema.plans import looks, plans
from duologue.store.database.schema.study import dialogues, facts, migrations, revisions

__all__ = [
    "SCHEMA",
    "SECOND_COPY",
    "WITHDRAWN_TEXT",
    "annotator_events",
    "annotators",
    "arms",
    "assignments",
    "blocks",
    "chat_turns",
    "chats",
    "dialogues",
    "exclusions",
    "facts",
    "filled_forms",
    "gold_items",
    "is_at_forms",
    "is_chat",
    "is_open",
    "is_running",
    "is_second",
    "is_waiting",
    "item_dialogues",
    "items",
    "judged_quotas",
    "judgment_flags",
    "judgments",
    "looks",
    "make_tables",
    "metadata",
    "migrations",
    "plans",
    "quotas",
    "reason_prints",
    "reasons",
    "reply_failures",
    "revisions",
    "rules_in_force",
    "seen_dialogues",
    "selections",
    "skipped_checks",
    "slots",
    "tallies",
    "wanted_replies",
]

SCHEMA = 10
"""The number of the schema; a database with another one is refused."""
