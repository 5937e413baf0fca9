"""Ratings from the store as columns are those from the exported rows."""

from __future__ import annotations

from pathlib import Path

from duologue.judgments import Ratings, ratings_from_columns, ratings_from_rows
from duologue.likert import LikertResults
from duologue.reports import analyse_study, read_judgments
from duologue.reports.conduct import exclusions_by_hand
from duologue.server import prepare_study
from duologue.store import (
    Store,
    exclude_judgments,
    fetch_judgments,
    judgment_rows,
    open_store,
)
from duologue.studies import Study
from tests.alike_columns import assert_same_columns
from tests.reports.test_conduct_chats import CHAT, chat_and_rate
from tests.reports.test_revised_ratings import ANOTHER_QUESTION, _write, rate, rated
from tests.server.chat_studies import make_chat_study


def columns_of(study: Study, store: Store) -> Ratings:
    by_hand = exclusions_by_hand(study, store)
    judgments = read_judgments(study, store, by_hand)
    return ratings_from_columns(judgments.columns.with_coded("excluded", judgments.stored))


def test_columns_of_several_revisions_are_those_of_the_exported_rows(tmp_path: Path) -> None:
    study = rated(tmp_path / "study")
    with open_store(study.database) as store:
        for point in "31":
            rate(study, store, {"rating_enjoyment": point})
        changed = _write(study, "\n[screening]", ANOTHER_QUESTION)
        rate(changed, store, {"rating_enjoyment": "2", "rating_interest": "1"})
        store.run(
            exclude_judgments(
                [next(store.stream(fetch_judgments())).id], rule="test-entry", reason="mine", by="ada"
            )
        )
        found = columns_of(changed, store)
        assert_same_columns(found, ratings_from_rows(judgment_rows(changed, store)))
    assert list(found.points) == ["enjoyment", "interest"]


def test_columns_of_live_chats_are_those_of_the_exported_rows(tmp_path: Path) -> None:
    study = make_chat_study(tmp_path / "study", bots=(("ann", "echo"), ("bob", "echo")), chat=CHAT)
    with open_store(study.database) as store:
        prepare_study(study, store)
        for number in range(4):
            chat_and_rate(study, store, number, is_flagged=number < 2)
        found = columns_of(study, store)
        assert_same_columns(found, ratings_from_rows(judgment_rows(study, store)))
        results = analyse_study(study, store).results
    assert all(found.dialogue.names)
    assert isinstance(results, LikertResults)
    (section,) = results.sections
    assert [(flag.rule, flag.judgments, flag.annotators) for flag in section.flags] == [("few-words", 4, 2)]
