"""Comparisons from the store as columns are those from the exported rows."""

from __future__ import annotations

import random
from pathlib import Path

from duologue.judgments import Votes, votes_from_rows, votes_from_study
from duologue.reports import read_judgments
from duologue.reports.conduct import exclusions_by_hand
from duologue.store import (
    Store,
    exclude_judgments,
    exported_rows,
    fetch_judgments,
    fetch_looks,
    judgment_rows,
    open_study,
    record_revision,
)
from duologue.studies import Study, load_study
from tests.alike_columns import assert_same_columns
from tests.reports.judged_study import BOTS, load, make_study, prefers_later, sit


def columns_of(study: Study, store: Store) -> Votes:
    by_hand = exclusions_by_hand(study, store)
    judgments = read_judgments(study, store, by_hand)
    return votes_from_study(judgments.columns.with_coded("excluded", judgments.stored))


def test_columns_from_the_store_are_those_of_the_exported_rows(tmp_path: Path) -> None:
    """Ties, onboarding, reasons given or not, exclusions by rule and by hand, and another question later."""
    study = make_study(tmp_path / "study", more="ties = true\n")
    chance = random.Random(5)
    with open_study(study) as store:
        load(study, store)
        for number in range(8):
            sit(
                study,
                store,
                lambda work: (
                    work.item.bots[0] if work.item.is_onboarding else chance.choice([*work.item.bots, "tie"]),
                    chance.choice(["", "  so ", "well"]),
                ),
                kind="open" if number % 3 == 0 else "lab",
            )
        sit(study, store, prefers_later())
        some = [
            one.id for one in store.stream(fetch_judgments()) if not one.excluded and not one.is_onboarding
        ][:2]
        store.run(exclude_judgments(some, rule="researcher", reason="odd", by="ada"))
        text = study.text.replace('"engagingness"', '"boring-to-talk-to"')
        (study.folder / "study.toml").write_text(text)
        changed = load_study(study.folder)
        assert store.run(record_revision(changed.design_hash, changed.text)) == 2
        sit(changed, store, lambda work: (BOTS[0] if BOTS[0] in work.item.bots else BOTS[1], "so"))
        found = columns_of(changed, store)
        assert_same_columns(found, votes_from_rows(judgment_rows(changed, store)))
        for _row in exported_rows(changed, store):
            pass
        analysed = read_judgments(
            changed,
            store,
            exclusions_by_hand(changed, store),
        )
        assert (
            store.run(fetch_looks())[-1].data == analysed.data
        )  # one hash of the same judgments, however they are read
    assert found.is_tie.any()
    assert set(found.revision.tolist()) == {1, 2}
    assert {"researcher", "onboarding"} <= set(found.excluded.names)


def test_a_study_without_judgments_has_empty_columns(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with open_study(study) as store:
        load(study, store)
        assert_same_columns(columns_of(study, store), votes_from_rows([]))
