"""What the page of a report shows of a questionnaire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.nuc.analysis.recall import HumanRecall, ItemDifficulty, ModelRecall
from duologue.nuc.analysis.results import NucResults
from duologue.nuc.questions import NextTurnQuestion, question_of
from duologue.protocols import read_items
from duologue.reports import flow_steps

if TYPE_CHECKING:
    from duologue.stats import Interval
    from duologue.studies import Study

MOST_ITEMS = 10
"""Items that are listed: the hardest ones, and those whose false reply may fit as well."""


@dataclass(frozen=True, slots=True)
class RecallCell:
    """R@1 or R@2 of a row, in per cent; intervals are empty for a model."""

    recall: str
    chance: str
    interval: str = ""
    wilson: str = ""
    normal: str = ""


@dataclass(frozen=True, slots=True)
class RecallLine:
    """A row of the table of recall."""

    who: str
    corpus: str
    answers: str
    is_model: bool
    cells: tuple[RecallCell, ...]


@dataclass(frozen=True, slots=True)
class DoubtfulItem:
    """An item whose false reply most people chose, with its texts where they are known."""

    item: ItemDifficulty
    question: NextTurnQuestion | None

    @property
    def chosen(self) -> str:
        """The false reply that was chosen most."""
        return "" if self.question is None else self.question.candidates[self.item.false]

    @property
    def true(self) -> str:
        """The true reply."""
        return "" if self.question is None else self.question.candidates[self.question.truth]


def shown_results(results: NucResults, study: Study | None) -> Mapping[str, object]:
    """Lines of recall, the hardest items and the doubtful ones, and what was excluded."""
    recall = results.recall
    doubtful = [item for item in recall.items if item.has_acceptable_distractor]
    doubtful.sort(key=lambda item: (-item.false_chosen / item.n, item.item))
    texts = _questions(study, {item.item for item in doubtful[:MOST_ITEMS]}) if study else {}
    return {
        "lines": sorted(
            [*_human_lines(recall.people), *_model_lines(recall.models)], key=lambda one: one.corpus
        ),
        "hardest": sorted(recall.items, key=lambda one: (one.right / one.n, one.item))[:MOST_ITEMS],
        "doubtful": [DoubtfulItem(item, texts.get(item.item)) for item in doubtful[:MOST_ITEMS]],
        "doubtful_in_all": len(doubtful),
        "steps": flow_steps(
            collected=results.collected,
            onboarding=0,
            rules=[(one.rule, one.judgments) for one in results.excluded],
            counted=results.n,
        ),
        "verdicts": (*recall.pairs, *recall.against),
        "is_starred": any(not one.normal.is_reliable for one in recall.people),
    }


def not_shown(results: NucResults) -> tuple[str, ...]:
    """What there was nothing to say about."""
    missing = []
    if not results.recall.models:
        missing.append("Models: the study names no scores (scores in [nuc]).")
    if results.recall.alpha is None:
        why = "no question was answered twice, or all answers are alike" if results.n else "no answer counts"
        missing.append(f"Agreement of annotators: {why}.")
    return tuple(missing)


def _questions(study: Study, wanted: set[str]) -> dict[str, NextTurnQuestion]:
    if not wanted or not study.items_path.is_file():
        return {}
    found = (question_of(item) for item in read_items(study.items_path) if item.is_judged)
    return {question.item: question for question in found if question.item in wanted}


def _human_lines(people: Sequence[HumanRecall]) -> Iterator[RecallLine]:
    for one, two in zip(people[::2], people[1::2], strict=True):
        answers = f"{one.n:,} by {one.annotators:,}"
        yield RecallLine(
            one.cohort or "people", one.corpus, answers, False, (_human_cell(one), _human_cell(two))
        )


def _human_cell(one: HumanRecall) -> RecallCell:
    star = "" if one.normal.is_reliable else "*"
    half = 50 * (one.normal.high - one.normal.low)
    return RecallCell(
        recall=f"{100 * one.recall:.1f}",
        chance=f"{100 * one.chance:.0f}",
        interval="no interval" if one.interval is None else _span(one.interval),
        wilson=f"Wilson {_span(one.wilson)}",
        normal=f"normal ± {half:.1f}{star}",
    )


def _model_lines(models: Sequence[ModelRecall]) -> Iterator[RecallLine]:
    for one, two in zip(models[::2], models[1::2], strict=True):
        cells = tuple(
            RecallCell(f"{100 * cell.recall:.1f}", f"{100 * cell.chance:.0f}") for cell in (one, two)
        )
        yield RecallLine(one.model, one.corpus, f"{one.n:,}", True, cells)


def _span(interval: Interval) -> str:
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
