"""The ``[nuc]`` table of a study file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]
Shares = Mapping[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]]
"""How many of the questions are of each corpus, in proportion to each other."""


class _NucTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CohortQuestions(_NucTable):
    """``[nuc.cohorts.NAME]``: a cohort whose questionnaire has questions in other proportions."""

    per_annotator: Positive | None = None
    """How many each of them answers; as many as everybody else when not given."""
    shares: Shares = Field(default_factory=dict)


class NucSettings(_NucTable):
    """Everything that makes a questionnaire what it is."""

    items: Text = "task/test.jsonl"
    """The items that questions are drawn from, as ``nuc build`` writes them, in the study's folder."""
    versions: Positive = 4
    """Versions of the questionnaire, each with other questions; an annotator answers one."""
    per_annotator: Positive = 30
    """Questions of a version; attention checks come on top."""
    annotations_per_item: Positive = 10
    """How many annotators answer each version."""
    shares: Shares = Field(default_factory=dict)
    """By corpus; the same for all corpora when not given."""
    cohorts: Mapping[str, CohortQuestions] = Field(default_factory=dict)
    attention_items: Annotated[int, Field(ge=0)] = 4
    """How many attention checks are made: all false replies have their words in a mixed-up order."""
    attention_file: str = ""
    """Attention checks of your own instead, as a file of items."""
    question: Text = "Which of these replies comes next in the conversation?"
    best_label: Text = "Best"
    second_label: Text = "Second best"
    reply_label: Text = "Reply"
    show_background: bool = False
    """Whether annotators read what the corpus says beside the conversation, such as persona lines."""
    background_label: Text = "About the people in the conversation"
    pool: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Cohorts that are counted as one, by corpus."""
    scores: tuple[str, ...] = ()
    """Files with scores of models on the same items, in the study's folder; they may come at any time."""
    models: tuple[Text, ...] = ()
    """Models whose comparisons with people share one error rate, declared before anybody answers; any other
    model has one of its own."""

    def per_annotator_of(self, cohort: str) -> int:
        """How many questions an annotator of a cohort answers."""
        own = self.cohorts.get(cohort)
        return self.per_annotator if own is None or own.per_annotator is None else own.per_annotator

    def shares_of(self, cohort: str) -> Shares:
        """The shares of the corpora in the questionnaire of a cohort."""
        own = self.cohorts.get(cohort)
        return own.shares if own is not None and own.shares else self.shares
