"""Rows of a study, or of a table with the same columns, as answers; and what does not count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from duologue.dialogues import CandidateScores, NextTurnItem, read_scores
from duologue.errors import FormatError
from duologue.judgments import NameColumn, Row, is_whole, read_number
from duologue.nuc.analysis.answers import ChosenReplies, items_by_id
from duologue.nuc.analysis.recall import analyse_recall
from duologue.nuc.analysis.results import NucResults
from duologue.nuc.settings import NucSettings
from duologue.protocols import Half, RuleCount, TimeSpent, say_interim, time_spent_on

COLUMNS = ("item", "corpus", "candidates", "truth", "best", "second", "annotator")
"""What a table needs to be one of answers to a questionnaire."""
THIN = 10
"""With fewer annotators than this in a cohort, its interval is only rough."""


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """The answers that count, and how many others there are."""

    answers: tuple[ChosenReplies, ...]
    collected: int
    excluded: tuple[RuleCount, ...]
    time: TimeSpent | None
    span: tuple[str, str]


def judged_answers(
    rows: Iterable[Row], *, half: Half | None = None, source: Path | None = None
) -> JudgedAnswers:
    """The answers in rows that count.

    Args:
        rows: As the protocol's ``as_row`` gives them, or a table with these columns.
        half: Only this half of the annotators.
        source: The table, for what is said of a row that is none.

    Raises:
        FormatError: A row of the table is no answer; says which.
    """
    found, seconds, counts, times = [], [], [], []
    rules: Counter[str] = Counter()
    people: defaultdict[str, set[str]] = defaultdict(set)
    for number, row in enumerate(rows, 2):
        rule, answer = str(row.get("excluded") or ""), _answer(row, number, source)
        seconds.append(np.nan if answer.seconds is None else answer.seconds)
        counts.append(not rule)
        if rule:
            rules[rule] += 1
            people[rule].add(answer.annotator)
            continue
        found.append(answer)
        times += [str(row["at"])] if row.get("at") else []
    excluded = tuple(RuleCount(rule, n, len(people[rule])) for rule, n in rules.most_common())
    if half is not None:
        found = _half_of(found, half)
    span = (min(times), max(times)) if times else ("", "")
    spent = time_spent_on(np.array(seconds, dtype=np.float64), np.array(counts, dtype=np.bool_))
    return JudgedAnswers(tuple(found), len(seconds), excluded, spent, span)


def _answer(row: Row, number: int, source: Path | None) -> ChosenReplies:
    def place(name: str, below: int | None = None) -> int:
        text = str(row.get(name, ""))
        if not is_whole(text) or (below is not None and int(text) >= below):
            expected = "a number" if below is None else f"the place of a reply, 0 to {below - 1}"
            raise FormatError(
                source or Path("judgments"), line=number, field=name, expected=expected, got=text or "nothing"
            )
        return int(text)

    candidates = place("candidates")
    best, second = place("best", candidates), place("second", candidates)
    if best == second:
        raise FormatError(
            source or Path("judgments"),
            line=number,
            field="second",
            expected="another reply than the best one",
        )
    try:
        seconds = read_number(str(row["seconds"])) if row.get("seconds") not in (None, "") else None
    except ValueError as error:
        raise FormatError(
            source or Path("judgments"),
            line=number,
            field="seconds",
            expected="a number of seconds",
            got=str(row["seconds"]),
        ) from error
    return ChosenReplies(
        item=str(row["item"]),
        corpus=str(row["corpus"]),
        annotator=str(row.get("annotator") or f"row {number}"),
        cohort=str(row.get("cohort") or ""),
        best=best,
        second=second,
        truth=place("truth", candidates),
        candidates=candidates,
        seconds=seconds,
    )


def _half_of(answers: list[ChosenReplies], half: Half) -> list[ChosenReplies]:
    names = sorted({answer.annotator for answer in answers})
    places = {name: place for place, name in enumerate(names)}
    codes = np.array([places[answer.annotator] for answer in answers], dtype=np.int32)
    kept = half.rows_of(NameColumn(tuple(names), codes))
    return [answer for answer, is_in in zip(answers, kept, strict=True) if is_in]


def analyse_answers(
    judged: JudgedAnswers,
    *,
    alpha: float,
    seed: int,
    planned: Mapping[str, int] | None = None,
    settings: NucSettings | None = None,
    folder: Path | None = None,
) -> NucResults:
    """The results of answers.

    Args:
        judged: The answers.
        alpha: The error rate of each family of comparisons.
        seed: The study's.
        planned: Answers wanted in each corpus, where there is a plan.
        settings: Of the study, where they come from one: pooled cohorts, and scores of models.
        folder: Of the study.

    Raises:
        AnalysisError: Scores of models do not fit the items.
        FormatError: A file of scores, or of items, is not one.
    """
    items: Mapping[str, NextTurnItem] = {}
    scores: list[CandidateScores] = []
    if settings is not None and folder is not None and settings.scores:
        items = items_by_id(folder / settings.items)
        scores = [one for name in settings.scores for one in read_scores(folder / name)]
    recall = analyse_recall(
        items,
        judged.answers,
        scores,
        pooled=settings.pool if settings is not None else None,
        declared=settings.models if settings is not None else (),
        level=1 - alpha,
    )
    done = Counter(answer.corpus for answer in judged.answers)
    interim = [(done[corpus], wanted) for corpus, wanted in (planned or {}).items()]
    thin = {one.cohort or "people": one.annotators for one in recall.people if one.annotators < THIN}
    warnings = [*say_interim(interim, "corpora")]
    warnings += [
        f"{cohort}: {people} annotator{'' if people == 1 else 's'}; intervals by so few are rough."
        for cohort, people in thin.items()
    ]
    return NucResults(
        recall=recall,
        n=len(judged.answers),
        annotators=len({answer.annotator for answer in judged.answers}),
        collected=judged.collected,
        excluded=judged.excluded,
        time=judged.time,
        alpha=alpha,
        seed=seed,
        warnings=tuple(warnings),
    )
