"""A study's judgments as flat rows, as its protocol tells them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from duologue.dialogues import Json
from duologue.judgments import ChosenTurn, Column
from duologue.protocols import JudgedBatch, StudyProtocol, Win, rule_asked_again
from duologue.store.researcher.by_hand import researcher_rules, tally_undeclared
from duologue.store.researcher.chosen import fetch_chosen_turns
from duologue.store.researcher.given_reasons import Kind, fetch_examples
from duologue.store.researcher.judged import (
    JudgmentInContext,
    fetch_judged,
    fetch_last_of_each_revision,
    fetch_tallies,
    has_checks_or_repeats,
    has_flags,
    has_judged_chats,
)
from duologue.store.researcher.judged_columns import fetch_judged_batches
from duologue.store.researcher.overview import fetch_revisions
from duologue.store.researcher.plans import fetch_frozen_plan
from duologue.store.store import Store
from duologue.studies import Study, load_study

Row = Mapping[str, Json]
NO_TURNS: Mapping[str, tuple[ChosenTurn, ...]] = {}


def judgment_rows(
    study: Study, store: Store, *, seen: Callable[[JudgmentInContext], None] = lambda judged: None
) -> Iterator[Row]:
    """Every judgment of a study as flat rows, excluded and onboarding ones too, in the order they came.

    A judgment is one row, unless its protocol says otherwise: a ranking is one for each pair.

    An answer is read with the question of its own revision, and every row has the columns of all revisions.
    In a study of live chats, how many exchanges a chat had and what screening flagged follow (of other
    judgments, where it flagged any); in one with cohorts, that of the annotator; in one with attention checks
    or repeated items, which time it was asked; in one that states it, the pay.

    Args:
        study: The study.
        store: Its database.
        seen: Told of every judgment on its way.
    """
    settings = _settings(study, store)
    has_chats = store.run(has_judged_chats())
    as_rows = _as_rows(
        study,
        settings,
        has_chats=has_chats,
        has_checks=store.run(has_checks_or_repeats()),
        turns=store.run(fetch_chosen_turns()),
        has_flags=store.run(has_flags()),
    )
    one_of_each = store.run(fetch_last_of_each_revision()) if len(settings) > 1 else ()
    columns = dict.fromkeys(name for judged in one_of_each for row in as_rows(judged) for name in row)

    def told() -> Iterator[Row]:
        for judged in store.stream(fetch_judged()):
            seen(judged)
            yield from as_rows(judged)

    rows = told()
    if not columns:
        return rows
    return ({name: row.get(name) for name in columns} for row in rows)


def judged_columns(study: Study, store: Store) -> Iterator[tuple[JudgedBatch, Mapping[str, Column]]]:
    """Every judgment of a study, many at a time, with the columns that its protocol makes of them.

    An answer is read with the question of its own revision: a batch has judgments of one revision.
    """
    bound = _bound(study, _settings(study, store))
    for batch in store.stream(fetch_judged_batches()):
        for part in _by_revision(batch):
            columns = bound.get(part.revisions[0], study.protocol).columns(part)
            yield part, ({**columns, "cohort": part.cohorts} if columns and study.file.cohorts else columns)


def _by_revision(batch: JudgedBatch) -> Iterator[JudgedBatch]:
    begin = 0
    for _revision, some in groupby(batch.revisions):
        end = begin + len(list(some))
        yield batch.between(begin, end)
        begin = end


def tallied_rows(
    study: Study, store: Store, groups: Collection[tuple[str, str]]
) -> Iterator[tuple[Row, int]]:
    """The judgments that count in some groups, as one row for all that are alike and how many they are.

    Only what decides their outcome is the same in all of them; the rest is that of one.

    Args:
        study: The study.
        store: Its database.
        groups: By arm and name.
    """
    as_row = _as_row(study, _settings(study, store))
    for example, done in store.run(fetch_tallies(groups)):
        yield as_row(example), done


def wins_of(study: Study, store: Store, kinds: Mapping[Kind, int]) -> dict[Kind, Win | None]:
    """How judgments of each kind went, by the number of one of them; None where none wins."""
    as_row, win = _as_row(study, _settings(study, store)), study.protocol.win
    return {kind: win(as_row(one)) for kind, one in store.run(fetch_examples(kinds)).items()}


def rows_counted_all_the_same(study: Study, store: Store) -> Iterator[tuple[Row, int]]:
    """Judgments that a researcher excluded by a rule that the plan does not declare; verdicts count them.

    One row for all that are alike and how many they are, as `tallied_rows` has them.
    """
    declared = researcher_rules(study, store.run(fetch_frozen_plan()))
    as_row = _as_row(study, _settings(study, store))
    for example, count in store.run(tally_undeclared(declared)):
        yield as_row(example), count


def count_counted_all_the_same(study: Study, store: Store) -> int:
    """How many judgments verdicts count although a researcher excluded them by a rule of no plan."""
    declared = researcher_rules(study, store.run(fetch_frozen_plan()))
    return sum(
        count
        for (_judgment, item, *_), count in store.run(tally_undeclared(declared))
        if item.is_judged and not rule_asked_again(item.group)
    )


def _as_row(study: Study, settings: Mapping[int, BaseModel]) -> Callable[[JudgmentInContext], Row]:
    """Every judgment as one row, whatever it compares."""
    bound, usual = _bound(study, settings), study.protocol
    return lambda judged: bound.get(judged[0].revision, usual).as_row(judged[1], judged[0])


def _as_rows(
    study: Study,
    settings: Mapping[int, BaseModel],
    *,
    has_chats: bool = False,
    has_checks: bool = False,
    has_flags: bool = False,
    turns: Mapping[str, tuple[ChosenTurn, ...]] = NO_TURNS,
) -> Callable[[JudgmentInContext], Sequence[Row]]:
    bound, usual, has_cohorts = _bound(study, settings), study.protocol, bool(study.file.cohorts)
    pay = study.file.pay.per_judgment
    is_plain = not (has_chats or has_checks or has_flags or has_cohorts or pay)
    of_pay: Row = {"pay": pay} if pay else {}

    def as_rows(judged: JudgmentInContext) -> Sequence[Row]:
        judgment, item, exchanges, flags, cohort = judged
        if judgment.assignment in turns:
            judgment = replace(judgment, turns=turns[judgment.assignment])
        rows = bound.get(judgment.revision, usual).as_rows(item, judgment)
        if is_plain:
            return rows
        of_chat: Row = {"exchanges": exchanges} if has_chats else {}
        flagged: Row = {"flags": ";".join(flags)} if has_chats or has_flags else {}
        of_check: Row = {"occasion": judgment.occasion} if has_checks else {}
        of_cohort: Row = {"cohort": cohort} if has_cohorts else {}
        return [{**row, **of_check, **of_chat, **flagged, **of_cohort, **of_pay} for row in rows]

    return as_rows


def _bound(study: Study, settings: Mapping[int, BaseModel]) -> dict[int, StudyProtocol[Any]]:
    return {revision: type(study.protocol)(own) for revision, own in settings.items()}


def _settings(study: Study, store: Store) -> dict[int, BaseModel]:
    """The settings of the protocol in each revision of the study."""
    return {revision.number: _settings_of(study, revision.text) for revision in store.run(fetch_revisions())}


def _settings_of(study: Study, text: str) -> BaseModel:
    """The settings of the protocol in an earlier text of study.toml."""
    if text == study.text:
        return study.settings
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "study.toml").write_text(text, encoding="utf-8")
        return load_study(folder).settings
