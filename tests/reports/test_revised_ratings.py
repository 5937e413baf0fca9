"""A study whose questions change while it runs loses no column of its table."""

from __future__ import annotations

import io
from pathlib import Path

from duologue.demo import human_dialogues
from duologue.dialogues import write_dialogues
from duologue.judgments import write_csv
from duologue.protocols import Answer, FormValues
from duologue.server import prepare_study
from duologue.store import (
    ItemStation,
    Store,
    give_consent,
    invite_annotators,
    judgment_rows,
    open_store,
    record_answer,
)
from duologue.studies import Study, load_study, new_study

ANOTHER_QUESTION = """
[[likert.questions]]
name = "interest"
text = "How interesting was it?"
labels = ["not", "very"]

[screening]"""


def rated(folder: Path) -> Study:
    study = new_study(folder, protocol="likert", name="rated", seed=1)
    _write(study, 'source = "live"', 'source = "dialogues"')
    (folder / "dialogues").mkdir(exist_ok=True)
    write_dialogues(human_dialogues(), folder / "dialogues" / "human.jsonl")
    return load_study(folder)


def _write(study: Study, old: str, new: str) -> Study:
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace(old, new))
    return load_study(study.folder)


def rate(study: Study, store: Store, form: dict[str, str]) -> None:
    prepare_study(study, store)
    (invited,) = store.run(invite_annotators())
    station = store.run(give_consent(invited.token, study.caps))
    assert isinstance(station, ItemStation)
    held = station.assignment
    answer = study.protocol.read(held.asked, FormValues(form))
    assert isinstance(answer, Answer)
    store.run(
        record_answer(
            invited.token,
            study.caps,
            assignment=held.key,
            answer=answer,
            seconds=1.0,
            is_correct=None,
            key="k",
        )
    )


def test_every_row_has_the_columns_of_every_revision(tmp_path: Path) -> None:
    study = rated(tmp_path / "study")
    with open_store(study.database) as store:
        rate(study, store, {"rating_enjoyment": "3"})
        changed = _write(study, "\n[screening]", ANOTHER_QUESTION)
        rate(changed, store, {"rating_enjoyment": "2", "rating_interest": "1"})
        table = io.StringIO()
        write_csv(judgment_rows(changed, store), table)
    header, *rows = table.getvalue().splitlines()
    columns = header.split(",")
    assert {"rating_enjoyment", "rating_interest"} <= set(columns)
    assert [row.split(",")[columns.index("rating_interest")] for row in rows] == ["", "1"]
