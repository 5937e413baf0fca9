"""plan.json and addenda to it in the study's folder: copies, for people, of what the database holds."""

from __future__ import annotations

import json

from duologue.errors import DuologueError
from duologue.files import replacing
from duologue.store.database.facts import fetch_fact, note_fact
from duologue.store.researcher.plans import fetch_addenda, fetch_frozen_plan
from duologue.store.store import Store
from duologue.studies import PLAN_FILE, FrozenPlan, Study, addendum_file, plan_hash

WRITTEN = "plan-written"
"""The fact that says that the file was written: from then on a missing one was taken away."""


def keep_plan_file(study: Study, store: Store) -> str:
    """Write plan.json once the plan is frozen, and say what is wrong with a file that is not the frozen plan.

    A file that was changed by hand is left as it is: the database holds what was frozen. A file that is
    missing is written again. The same for every addendum.

    Returns:
        What has to be said; empty when the files are as they should be, or nothing is frozen yet.
    """
    plan, addenda = store.run(fetch_frozen_plan()), store.run(fetch_addenda())
    kept = [] if plan is None else [(PLAN_FILE, WRITTEN, plan)]
    kept += [(addendum_file(number), f"{WRITTEN}-{number}", one) for number, one in enumerate(addenda, 1)]
    return " ".join(filter(None, (_kept(study, store, *one) for one in kept)))


def _kept(study: Study, store: Store, name: str, fact: str, plan: FrozenPlan) -> str:
    path, what = study.folder / name, "plan" if name == PLAN_FILE else "addendum"
    if plan_hash(plan.content) != plan.hash:
        return (
            f"The {what} in the database does not have the hash it was frozen with: somebody changed it "
            "there."
        )
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        return _write(study, store, name, fact, plan.text)
    except OSError as error:
        return f"{name} cannot be read ({error.strerror}); the {what} is the one in the database."
    if there == plan.text.encode():
        return ""
    return (
        f"{name} was changed after it was frozen: its hash is not {plan.hash[:12]}…. The {what} in the "
        f"database is unchanged and is the one reported. Delete {path} to have it written again."
    )


def _write(study: Study, store: Store, name: str, fact: str, text: str) -> str:
    was_there = store.run(fetch_fact(fact)) is not None
    try:
        with replacing(study.folder / name) as file:
            file.write(text.encode())
    except DuologueError as error:
        return f"{name} is not there and could not be written: {error}"
    if not was_there:
        store.run(note_fact(fact, json.dumps(True)))
        return ""
    return f"{name} was missing; it has been written again from the database, unchanged."
