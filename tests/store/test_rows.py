"""Judgments as flat rows: the quick way through the database agrees with the plain one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from duologue.dialogues import write_dialogues
from duologue.protocols import Answer, write_items
from duologue.store import (
    ItemStation,
    Store,
    exclude_judgments,
    fetch_items,
    fetch_judgments,
    fetch_progress,
    give_consent,
    invite_annotators,
    judgment_rows,
    load_dialogues,
    load_items,
    open_store,
    record_answer,
    record_revision,
    restore_judgments,
    tallied_rows,
    withdraw_annotator,
)
from duologue.store.researcher.rows import _settings
from duologue.studies import Study, load_study
from tests.store.small_study import dialogues, pairing

TOML = """[study]
name = "rows"
seed = 1
[onboarding]
enabled = false
[acute]
ties = true
question = "{question}"
"""


def _study(folder: Path, question: str) -> Study:
    (folder / "dialogues").mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(TOML.format(question=question))
    return load_study(folder)


def _loaded(folder: Path, store: Store) -> Study:
    """Two matchups, with pairings whose bots stand in either order."""
    study = _study(folder, "engagingness")
    write_dialogues(dialogues("ABC", 16), folder / "dialogues" / "all.jsonl")
    items = [pairing(f"A-{n}", f"B-{n}") if n % 2 else pairing(f"B-{n}", f"A-{n}") for n in range(16)]
    items += [pairing(f"A-{n}", f"C-{n}") for n in range(16)]
    write_items(items, study.items_path)
    store.run(load_dialogues(dialogues("ABC", 16)))
    store.run(load_items(items, study.caps))
    store.run(record_revision(study.design_hash, study.text))
    return study


def _judge(study: Study, store: Store, *answers: int | None) -> None:
    for side in answers:
        (invitation,) = store.run(invite_annotators())
        station = store.run(give_consent(invitation.token, study.caps))
        assert isinstance(station, ItemStation)
        store.run(
            record_answer(
                invitation.token,
                study.caps,
                assignment=station.assignment.key,
                answer=Answer({"side": side}, "So."),
                seconds=2.5,
                is_correct=None,
                key="",
            )
        )


def _plainly(study: Study, store: Store) -> Iterator[dict[str, Any]]:
    """Every row, by looking each item up."""
    items = {item.id: item for item in store.stream(fetch_items())}
    settings = _settings(study, store)
    for judgment in store.stream(fetch_judgments()):
        row = type(study.protocol)(settings[judgment.revision]).as_row(items[judgment.item], judgment)
        yield dict(row)


def _outcomes(rows: Iterator[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    names = ("arm", "matchup", "outcome", "winner", "loser", "winner_side")
    return Counter(
        tuple(row[name] for name in names) for row in rows if not row["excluded"] and not row["is_onboarding"]
    )


def _tallied(study: Study, store: Store) -> Counter[tuple[Any, ...]]:
    groups = [(one.arm, one.group) for one in store.run(fetch_progress())]
    found: Counter[tuple[Any, ...]] = Counter()
    for row, count in tallied_rows(study, store, groups):
        found.update({next(iter(_outcomes(iter([{**row, "excluded": ""}])))): count})
    return found


def test_rows_are_those_of_a_plain_look_at_every_item(tmp_path: Path, database: str) -> None:
    with open_store(database) as store:
        study = _loaded(tmp_path / "study", store)
        _judge(study, store, 1, 2, None, 1, 1, 2)
        store.run(
            exclude_judgments(
                [list(store.stream(fetch_judgments()))[1].id], rule="slow", reason="a test", by="me"
            )
        )
        rows, plain = list(judgment_rows(study, store)), list(_plainly(study, store))
        assert rows == plain
        assert [list(row) for row in rows] == [list(row) for row in plain]


def test_tallies_are_the_outcomes_of_all_rows_that_count(tmp_path: Path, database: str) -> None:
    with open_store(database) as store:
        study = _loaded(tmp_path / "study", store)
        _judge(study, store, 1, 2, None, 1, 1, 2, 1, 2)
        changed = _study(tmp_path / "study", "boring-to-talk-to")
        assert store.run(record_revision(changed.design_hash, changed.text)) == 2
        _judge(changed, store, 1, 2, 1)
        keys = [judgment.id for judgment in store.stream(fetch_judgments())]
        store.run(exclude_judgments(keys[:3] + keys[-1:], rule="slow", reason="a test", by="me"))
        store.run(restore_judgments(keys[:1], rule="slow", reason="a test", by="me"))
        assert _tallied(changed, store) == _outcomes(_plainly(changed, store))
        assert sum(_tallied(changed, store).values()) == sum(one.done for one in store.run(fetch_progress()))
        withdrawn = next(store.stream(fetch_judgments())).annotator
        store.run(withdraw_annotator(withdrawn, reason="asked for it"))
        assert _tallied(changed, store) == _outcomes(_plainly(changed, store))
