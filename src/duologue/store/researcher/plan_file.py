"""plan.json in the study's folder: a copy, for people, of the plan that the database holds."""

from __future__ import annotations

import json

from duologue.errors import DuologueError
from duologue.files import replacing
from duologue.store.database.facts import fetch_fact, note_fact
from duologue.store.researcher.plans import fetch_frozen_plan
from duologue.store.store import Store
from duologue.studies import PLAN_FILE, Study, plan_hash

WRITTEN = "plan-written"
"""The fact that says that the file was written: from then on a missing one was taken away."""


def keep_plan_file(study: Study, store: Store) -> str:
    """Write plan.json once the plan is frozen, and say what is wrong with a file that is not the frozen plan.

    A file that was changed by hand is left as it is: the database holds what was frozen. A file that is
    missing is written again.

    Returns:
        What has to be said; empty when the file is as it should be, or nothing is frozen yet.
    """
    plan, path = store.run(fetch_frozen_plan()), study.folder / PLAN_FILE
    if plan is None:
        return ""
    if plan_hash(plan.content) != plan.hash:
        return (
            "The plan in the database does not have the hash it was frozen with: somebody changed it there."
        )
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        return _write(study, store, plan.text)
    except OSError as error:
        return f"{PLAN_FILE} cannot be read ({error.strerror}); the plan is the one in the database."
    if there == plan.text.encode():
        return ""
    return (
        f"{PLAN_FILE} was changed after it was frozen: its hash is not {plan.hash[:12]}…. The plan in the "
        f"database is unchanged and is the one reported. Delete {path} to have it written again."
    )


def _write(study: Study, store: Store, text: str) -> str:
    was_there = store.run(fetch_fact(WRITTEN)) is not None
    try:
        with replacing(study.folder / PLAN_FILE) as file:
            file.write(text.encode())
    except DuologueError as error:
        return f"{PLAN_FILE} is not there and could not be written: {error}"
    if not was_there:
        store.run(note_fact(WRITTEN, json.dumps(True)))
        return ""
    return f"{PLAN_FILE} was missing; it has been written again from the database, unchanged."
