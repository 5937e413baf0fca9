"""A small study of rankings, with comparisons of two besides, judged through the real store."""

from __future__ import annotations

from pathlib import Path

from duologue.acute import make_pairings
from duologue.dialogues import Json
from duologue.protocols import Answer
from duologue.store import (
    Assignment,
    ItemStation,
    Store,
    give_consent,
    invite_annotators,
    open_study,
    record_answer,
)
from duologue.studies import Study, load_study
from tests.reports.judged_study import load
from tests.studies.conftest import write_dialogues

BOTS = ("ann", "bob", "cy")
TEXT = """\
[study]
name = "ranked"
seed = 7

[acute]
answer = "ranking"

[acute.pairings]
per_matchup = 12
pairs_per_matchup = 4
onboarding = ["human", "weak"]
leave_out = ["human", "weak"]

[annotators]
max_judgments = 4
"""


def new_ranked_study(folder: Path, *, text: str = TEXT) -> Study:
    """The study with dialogues and items."""
    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text(text, encoding="utf-8")
    for bot in (*BOTS, "human", "weak"):
        write_dialogues(folder, bot, 16)
    study = load_study(folder)
    make_pairings(study)
    return study


def places(work: Assignment) -> dict[str, Json]:
    """The answer of somebody who goes by the alphabet: earlier is better, and ``weak`` is the last."""
    better = sorted(range(len(work.item.bots)), key=lambda slot: work.item.bots[slot])
    if len(better) == 2:
        return {"side": work.order.index(better[0]) + 1}
    return {"ranks": [better.index(slot) + 1 for slot in work.order]}


def ranked_study(folder: Path) -> tuple[Study, Store]:
    """The study after all its work is done."""
    study = new_ranked_study(folder)
    store = open_study(study)
    load(study, store)
    for _ in range(8):
        (invitation,) = store.run(invite_annotators(kind="lab", labels=("somebody",)))
        station = store.run(give_consent(invitation.token, study.caps))
        while isinstance(station, ItemStation):
            work = station.assignment
            answer = Answer(places(work), "by name")
            station = store.run(
                record_answer(
                    invitation.token, study.caps, assignment=work.key, answer=answer, seconds=30.0,
                    is_correct=study.protocol.is_correct(work.asked, answer), key=work.key,
                )
            )  # fmt: skip
    return study, store
