"""The tables of study.toml, checked; the protocol's own table is the protocol's."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from duologue.bots import BotSettings
from duologue.dialogues import MAX_TURN_CHARS
from duologue.expected import did_you_mean
from duologue.protocols import DEFAULT_PROTOCOL, ChatSettings
from duologue.screening import FLAG_RULES, WORDS_PER_SECOND
from duologue.studies.forms.settings import CohortSettings, FormSettings, cohort_problems, first_twice
from duologue.studies.wording import WordingTable

Text = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(ge=1)]


RuleName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StudyTable(_Table):
    """``[study]``: what it is called, how judgments are asked for, and where they are kept."""

    name: Text
    protocol: Text = DEFAULT_PROTOCOL
    seed: Annotated[int, Field(ge=0)]
    title: Text = "Which conversational partner is better?"
    description: str = "Evaluate the quality of conversations by comparing them."
    keywords: tuple[str, ...] = ("chat", "evaluation", "comparison", "conversation")
    lang: Text = "en"
    dir: Literal["ltr", "rtl", "auto"] = "ltr"
    database: str = "study.db"
    max_turn_chars: Positive = MAX_TURN_CHARS
    """No longer turn comes in: by an import, from a bot or from an annotator."""


class OnboardingTable(_Table):
    """``[onboarding]``: comparisons with a known answer, asked first and looking like any other."""

    enabled: bool = True
    comparisons: Positive = 1
    threshold: Annotated[float, Field(ge=0, le=1)] = 1.0
    block_on_fail: bool = True
    block: Literal["soft", "at-once"] = "soft"
    block_qualification: str = ""


class AttentionTable(_Table):
    """``[attention]``: items with a known answer among those that are judged, looking like any other.

    Places come from the study's seed; without ``every`` and ``per_sitting`` there are none.
    """

    every: Annotated[int, Field(ge=2)] | None = None
    """One among every so many judged items of an annotator."""
    per_sitting: Positive | None = None
    """So many in all, spread over what an annotator judges."""
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share that must be right."""
    min_checks: Positive = 1
    """Nobody fails before answering so many."""
    on_fail: Literal["flag", "exclude"] = "flag"
    """Whether an annotator below the threshold is only shown to the researcher, or does not count."""
    stop_after: Annotated[int, Field(ge=0)] = 0
    """An annotator is thanked and stops once so many checks were not right; 0: nobody is stopped."""

    @model_validator(mode="after")
    def _says_it_once(self) -> Self:
        if self.every is not None and self.per_sitting is not None:
            raise ValueError("per_sitting: give this or `every`, not both")
        if self.stop_after and not self.is_on:
            raise ValueError(
                "stop_after: there are no attention checks; set `every` or `per_sitting` as well"
            )
        if self.per_sitting is not None and self.stop_after > self.per_sitting:
            raise ValueError(
                f"stop_after: nobody is asked more than {self.per_sitting} (per_sitting); give at most that"
            )
        return self

    @property
    def is_on(self) -> bool:
        """Whether there are attention checks."""
        return self.every is not None or self.per_sitting is not None


class ArmsTable(_Table):
    """``[arms]``: how many arms of the study an annotator sees."""

    per_annotator: Literal["one", "each", "one-per-factor"] = "one"
    """``each``: all of them, one after the other, in an order of the study's seed that is balanced.
    ``one-per-factor``: of arms that are versions of several things, one version of each, likewise."""


class AnnotatorsTable(_Table):
    """``[annotators]``: who may judge, and how much."""

    max_judgments: Positive | None = None
    """Per annotator, onboarding not counted; the number of matchups when not given, as in the paper."""
    recruited: str = ""
    """Who they are and how they were found, in the researcher's words, for the methods."""
    lease_minutes: Annotated[float, Field(gt=0)] = 30.0
    open_link: bool = False
    exclude_without_reason: bool = True
    cohort_from: str = ""
    """``FORM.QUESTION``: the question whose answer says to which cohort somebody belongs."""
    sitting_minutes: Annotated[float, Field(gt=0)] | None = None
    """How long a sitting may take from its first item on; then it ends with thanks."""
    item_seconds: Annotated[float, Field(gt=0)] | None = None
    """How long an item may take; then it goes to somebody else, and the next one comes."""
    skips: Annotated[int, Field(ge=0)] = 0
    """How many items each annotator may skip: nothing is judged, and they count as done."""
    countdown: bool = False
    """Whether the page counts the seconds to a deadline; otherwise it says until when there is time."""
    repeat: Annotated[float, Field(ge=0, le=1)] = 0.0
    """The share of what an annotator has judged that comes a second time, to see whether they agree with
    themselves."""
    repeat_after: Positive = 5
    """So many other items come at least between the two times."""
    judged_twice: Annotated[float, Field(ge=0, le=1)] = 0.0
    """The share of the items that a second annotator judges too, to see how often two annotators agree."""


class ScreeningTable(_Table):
    """``[screening]``: what is flagged, and which flags exclude a judgment."""

    words_per_second: Annotated[float, Field(ge=0)] = WORDS_PER_SECOND
    """Whoever answers as if they had read more words a second is flagged; 0 flags nobody."""

    min_words: Annotated[int, Field(ge=0)] = 10
    """Of the annotator, in the whole chat; fewer are flagged."""
    offensive_words: str = ""
    """A file of words, one a line, that are flagged when the annotator writes one."""
    exclude: tuple[str, ...] = ()
    """Flags that exclude; the others are only shown to the researcher."""
    researcher_rules: tuple[RuleName, ...] = ("test-entry", "technical-fault")
    """Reasons, declared before, for which the researcher may exclude judgments by hand before the verdicts.
    What is excluded for any other reason is a sensitivity analysis."""

    @field_validator("exclude")
    @classmethod
    def _are_flags(cls, exclude: tuple[str, ...]) -> tuple[str, ...]:
        for rule in exclude:
            if rule not in FLAG_RULES:
                known = ", ".join(FLAG_RULES)
                raise ValueError(
                    f"there is no flag {rule!r}; the flags are: {known}.{did_you_mean(rule, FLAG_RULES)}"
                )
        return exclude


class ConsentTable(_Table):
    """``[consent]``: what the consent page says of the study; what is empty is left out."""

    institution: str = ""
    """Who is responsible for the study."""
    contact: str = ""
    """Whom annotators can write to, with questions or to have their words erased."""
    duration: str = ""
    """How long it takes, in words."""
    pay: str = ""
    """What annotators get for it, in words."""
    content_warning: str = ""
    """What annotators may come across that can upset them, in words."""
    approval: str = ""
    """Who approved of the study, and under which number."""
    deception: bool = False
    """Whether annotators are told only afterwards that they may meet computer programs."""

    @model_validator(mode="after")
    def _is_approved(self) -> Self:
        if self.deception and not self.approval.strip():
            raise ValueError(
                "approval: deception = true needs the ethics approval that allows it, such as "
                '"Ethics Board of Example University, 2025-17"'
            )
        return self


class PayTable(_Table):
    """``[pay]``: what a judgment costs, for the plan."""

    per_judgment: Annotated[float, Field(ge=0)] = 0.0
    currency: str = "USD"
    seconds_per_judgment: Annotated[float, Field(gt=0)] | None = None
    """What its people took, or the words that are read say it where it is not given."""


class StoppingTable(_Table):
    """``[stopping]``: at the planned number, or as soon as the verdict is safe."""

    rule: Literal["fixed", "sequential"] = "fixed"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    gap: Annotated[float, Field(gt=0, lt=1)] = 0.20
    """The difference between two win rates that is worth finding."""
    power: Annotated[float, Field(gt=0, lt=1)] = 0.80
    """The chance of finding that gap when it is there, which the number of judgments is planned for."""
    icc: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """How alike judgments by one annotator, or about one dialogue, are taken to be in the plan."""


class StudyFile(_Table):
    """A whole study.toml, but for the table of its protocol."""

    study: StudyTable
    bots: tuple[BotSettings, ...] = ()
    """Bots by name; logs of bots that have no table of their own are welcome too."""
    onboarding: OnboardingTable = OnboardingTable()
    attention: AttentionTable = AttentionTable()
    arms: ArmsTable = ArmsTable()
    annotators: AnnotatorsTable = AnnotatorsTable()
    chat: ChatSettings = ChatSettings()
    screening: ScreeningTable = ScreeningTable()
    consent: ConsentTable = ConsentTable()
    pay: PayTable = PayTable()
    stopping: StoppingTable = StoppingTable()
    wording: WordingTable = WordingTable()
    forms: tuple[FormSettings, ...] = ()
    """Pages of questions about the annotator, in the order they are shown."""
    cohorts: tuple[CohortSettings, ...] = ()

    @field_validator("bots")
    @classmethod
    def _named_once(cls, bots: tuple[BotSettings, ...]) -> tuple[BotSettings, ...]:
        names = [bot.name for bot in bots]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"name: two bots are called {twice[0]!r}; give each a name of its own")
        return bots

    @field_validator("forms")
    @classmethod
    def _forms_named_once(cls, forms: tuple[FormSettings, ...]) -> tuple[FormSettings, ...]:
        if twice := first_twice(form.name for form in forms):
            raise ValueError(f"name: two forms are called {twice!r}; give each a name of its own")
        return forms

    @field_validator("cohorts")
    @classmethod
    def _cohorts_named_once(cls, cohorts: tuple[CohortSettings, ...]) -> tuple[CohortSettings, ...]:
        if twice := first_twice(cohort.name for cohort in cohorts):
            raise ValueError(f"name: two cohorts are called {twice!r}; give each a name of its own")
        return cohorts

    @model_validator(mode="after")
    def _cohorts_can_be_told(self) -> StudyFile:
        for problem in cohort_problems(self.forms, self.cohorts, self.annotators.cohort_from):
            raise ValueError(problem)
        return self
