"""What a study is: everything in study.toml, checked."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, field_validator, model_validator

from duologue.bots import BotSettings
from duologue.dialogues import MAX_TURN_CHARS, Json
from duologue.errors import NotFound
from duologue.protocols import DEFAULT_PROTOCOL, Arm, ChatSettings, StudyProtocol, protocol_named
from duologue.screening import FLAG_RULES, WORDS_PER_SECOND
from duologue.studies.forms import CohortSettings, FormSettings, cohort_problems, first_twice
from duologue.studies.spreading import judged_twice_of, spread_over_groups
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

    @model_validator(mode="after")
    def _says_it_once(self) -> Self:
        if self.every is not None and self.per_sitting is not None:
            raise ValueError("per_sitting: give this or `every`, not both")
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
    lease_minutes: Annotated[float, Field(gt=0)] = 30.0
    open_link: bool = False
    exclude_without_reason: bool = True
    cohort_from: str = ""
    """``FORM.QUESTION``: the question whose answer says to which cohort somebody belongs."""
    sitting_minutes: Annotated[float, Field(gt=0)] | None = None
    """How long a sitting may take from its first item on; then it ends with thanks."""
    item_seconds: Annotated[float, Field(gt=0)] | None = None
    """How long an item may take; then it goes to somebody else, and the next one comes."""
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
                raise ValueError(f"there is no flag {rule!r}; the flags are: {', '.join(FLAG_RULES)}")
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


class PayTable(_Table):
    """``[pay]``: what a judgment costs, for the plan."""

    per_judgment: Annotated[float, Field(ge=0)] = 0.0
    currency: str = "USD"
    seconds_per_judgment: Annotated[float, Field(gt=0)] = 60.0


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


@dataclass(frozen=True, slots=True)
class Caps:
    """What the store must hold to when it hands out work."""

    arms: tuple[str, ...]
    max_judgments: int | None
    """Per annotator; None means the number of matchups there are."""
    lease_seconds: float
    annotations_per_item: int
    onboarding_comparisons: int
    """How many come first; 0 when onboarding is off."""
    onboarding_threshold: float
    block: Literal["soft", "at-once", "off"]
    seed: int
    chat: ChatSettings = field(default_factory=ChatSettings)
    """What live chats are held to."""
    max_per_group: int | None = None
    """Items of one group that an annotator is handed at most; None means any number."""
    excluding_flags: tuple[str, ...] = ()
    """Flags that exclude a judgment."""
    words_per_second: float = 0.0
    """Judgments that took less than reading at this rate are flagged; 0 flags none."""
    is_rehearsed: bool = False
    """Whether annotators are simulated: the seconds they tell are believed, and others are not looked at."""
    excludes_without_reason: bool = False
    """Whether judgments are excluded when the sitting of an annotator ends who never gave a reason."""
    forms_before: tuple[str, ...] = ()
    """Forms that are filled in before the first item."""
    forms_after: tuple[str, ...] = ()
    """Forms that are filled in after the last."""
    copies: Mapping[str, int] = field(default_factory=dict)
    """Judgments wanted of each item by the cohorts that have places of their own; ``""`` is everybody else.
    Empty where there are no such cohorts: then all share ``annotations_per_item``."""
    items_of: Mapping[str, int] = field(default_factory=dict)
    """How many of the items the cohorts judge that do not judge all."""
    has_cohorts: bool = False
    """Whether annotators belong to cohorts, so that arms are balanced within each."""
    asks_cohort: bool = False
    """Whether an answer on a form says to which cohort somebody belongs."""

    def places_of(self, cohort: str) -> str:
        """The cohort whose places an annotator of a cohort fills: their own, or ``""``, everybody's."""
        return cohort if cohort in self.copies else ""

    @property
    def arms_per_annotator(self) -> int:
        """How many arms an annotator sees at most."""
        if self.one_per_factor:
            return len(set(self.factors.values()))
        return len(self.arms) if self.sees_each_arm else 1

    @property
    def judgments_per_item(self) -> int:
        """Judgments wanted at most of an item in each arm, by all cohorts together."""
        return sum(self.copies_wanted.values())

    @property
    def judgments_of_every_item(self) -> int:
        """Judgments wanted of each item in each arm by the cohorts that judge all items; at least 1."""
        return max(1, sum(n for cohort, n in self.copies_wanted.items() if cohort not in self.items_of))

    def judgments_of(self, items: Mapping[str, int]) -> dict[str, int]:
        """Judgments wanted of each group in each arm, by all cohorts together.

        Args:
            items: How many items each group has.
        """
        wanted = dict.fromkeys(items, 0)
        for cohort, copies in self.copies_wanted.items():
            most = self.items_of.get(cohort)
            theirs = items if most is None else spread_over_groups(most, items)
            for group, count in theirs.items():
                wanted[group] += copies * count
        return wanted

    @property
    def copies_wanted(self) -> Mapping[str, int]:
        """Judgments wanted of each item, by whose places they fill."""
        return self.copies or {"": self.annotations_per_item}

    attention: AttentionTable = field(default_factory=AttentionTable)
    """Where attention checks come, and what failing them does."""
    sees_each_arm: bool = False
    """Whether an annotator goes through all arms; every cap then holds in each of them."""
    factors: Mapping[str, str] = field(default_factory=dict)
    """What each arm is a version of, where arms are versions of several things."""
    one_per_factor: bool = False
    """Whether an annotator sees one arm of each factor; every cap then holds in each of these arms, and a
    dialogue is new in each of them."""
    sitting_seconds: float | None = None
    """How long a sitting may take; None means any time."""
    item_seconds: float | None = None
    """How long an item may take; None means any time."""
    repeat: float = 0.0
    """The share of judged items that comes a second time."""
    repeat_after: int = 1
    """How many other items come between the two times at least."""
    judged_twice: float = 0.0
    """The share of the items of each group that a second annotator judges too; no verdict counts it."""

    def second_judgments_of(self, items: Mapping[str, int]) -> int:
        """Second judgments wanted in each arm, of all groups together.

        Args:
            items: How many items each group has.
        """
        return sum(judged_twice_of(self.judged_twice, count) for count in items.values())


@dataclass(frozen=True, slots=True)
class Study:
    """A study: its folder, its file, and the settings of its protocol."""

    folder: Path
    text: str = field(repr=False)
    """study.toml as it was read."""
    file: StudyFile
    settings: SerializeAsAny[BaseModel]

    @property
    def protocol(self) -> StudyProtocol[Any]:
        """The protocol by which judgments are asked for, bound to the study's settings."""
        return protocol_named(self.file.study.protocol)(self.settings)

    @property
    def name(self) -> str:
        """What the study is called."""
        return self.file.study.name

    @property
    def heading(self) -> StudyTable:
        """``[study]``, with the protocol's own title, description and keywords where the file sets none.

        What the file says (`file`) stays as it is: a plan and a design hash are about that.
        """
        given = self.file.study.model_fields_set
        own = {key: words for key, words in self.protocol.study_heading().items() if key not in given}
        return self.file.study.model_copy(update=own)

    @property
    def seed(self) -> int:
        """Where every random choice of the study comes from."""
        return self.file.study.seed

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms of the study, at least one."""
        return self.protocol.arms()

    @property
    def database(self) -> str:
        """The study's database as an SQLAlchemy address: a file in the folder, or PostgreSQL."""
        place = self.file.study.database
        return place if "://" in place else f"sqlite:///{(self.folder / place).resolve()}"

    @property
    def items_path(self) -> Path:
        """The file with the items to judge."""
        return self.folder / self.protocol.items_file()

    @property
    def chat(self) -> ChatSettings:
        """What live chats are held to: no message is longer than any turn of the study may be."""
        most = min(self.file.chat.max_message_chars, self.file.study.max_turn_chars)
        return self.file.chat.model_copy(update={"max_message_chars": most})

    @property
    def caps(self) -> Caps:
        """What the store must hold to when it hands out work."""
        onboarding = self.file.onboarding
        return Caps(
            arms=tuple(arm.name for arm in self.arms),
            max_judgments=self.file.annotators.max_judgments,
            lease_seconds=self.file.annotators.lease_minutes * 60,
            annotations_per_item=self.protocol.annotations_per_item(),
            onboarding_comparisons=onboarding.comparisons if onboarding.enabled else 0,
            onboarding_threshold=onboarding.threshold,
            block=onboarding.block if onboarding.block_on_fail else "off",
            seed=self.seed,
            chat=self.chat,
            max_per_group=self.protocol.max_per_group(self.file.chat),
            excluding_flags=self.file.screening.exclude,
            words_per_second=self.file.screening.words_per_second,
            excludes_without_reason=self.excludes_without_reason,
            forms_before=tuple(form.name for form in self.file.forms if form.when == "before"),
            forms_after=tuple(form.name for form in self.file.forms if form.when == "after"),
            copies=self._copies(),
            items_of={one.name: one.items for one in self.file.cohorts if one.items is not None},
            has_cohorts=bool(self.file.cohorts),
            asks_cohort=bool(self.file.annotators.cohort_from),
            attention=self.file.attention,
            sees_each_arm=self.file.arms.per_annotator == "each" and len(self.arms) > 1,
            factors={arm.name: arm.factor for arm in self.arms if arm.factor},
            one_per_factor=self.file.arms.per_annotator == "one-per-factor",
            sitting_seconds=_seconds(self.file.annotators.sitting_minutes),
            item_seconds=self.file.annotators.item_seconds,
            repeat=self.file.annotators.repeat,
            repeat_after=self.file.annotators.repeat_after,
            judged_twice=0.0 if self.why_not_twice else self.file.annotators.judged_twice,
        )

    @property
    def why_not_twice(self) -> str:
        """Why a share of the items cannot be judged twice; empty where it can, or is not asked for."""
        if not self.file.annotators.judged_twice:
            return ""
        if self.protocol.max_per_group(self.file.chat) is not None:
            return "a live chat is judged by who held it, so nothing is judged twice"
        if self._copies():
            return "cohorts with places of their own judge every item more than once"
        if (most := self.protocol.annotations_per_item()) > 1:
            return f"every item is judged {most} times already"
        return ""

    def _copies(self) -> dict[str, int]:
        """Judgments of each item by cohorts with places of their own, and by all others, if there are any."""
        cohorts = self.file.cohorts
        own = {one.name: one.copies for one in cohorts if one.copies is not None}
        is_shared = len(own) < len(cohorts)
        return {**own, **({"": self.protocol.annotations_per_item()} if own and is_shared else {})}

    def form(self, name: str) -> FormSettings:
        """The form of that name.

        Raises:
            NotFound: There is none.
        """
        for form in self.file.forms:
            if form.name == name:
                return form
        raise NotFound("form", name)

    def check_cohort(self, name: str) -> None:
        """Refuse a cohort that the study does not have.

        Raises:
            NotFound: There is none of that name; says which there are.
        """
        known = [cohort.name for cohort in self.file.cohorts]
        if name and name not in known:
            error = NotFound("cohort", name)
            error.add_note(f"The cohorts are: {', '.join(known) or 'none; add [[cohorts]] to study.toml'}.")
            raise error

    @property
    def link_cohorts(self) -> tuple[str, ...]:
        """Cohorts that links are made for; ``""`` is none, where those without a cohort get work."""
        named = tuple(cohort.name for cohort in self.file.cohorts)
        has_work = bool(self.file.annotators.cohort_from) or "" in self.caps.copies_wanted
        return ("", *named) if has_work else named

    def cohort_by(self, form: str, answers: Mapping[str, Json]) -> str:
        """The cohort that the answers to a form put somebody into; empty when they say nothing about it."""
        asked, _, question = self.file.annotators.cohort_from.partition(".")
        if form != asked:
            return ""
        answer = answers.get(question)
        return next((cohort.name for cohort in self.file.cohorts if answer in cohort.answers), "")

    @property
    def excludes_without_reason(self) -> bool:
        """Whether annotators who never give a reason do not count."""
        rules = self.protocol.rules(stopping=self.file.stopping.rule)
        return rules.asks_for_reasons and self.file.annotators.exclude_without_reason

    @property
    def design_hash(self) -> str:
        """A name for all that judgments depend on; a change of it after the first one is a new revision.

        Settings that are as they are by default are left out: a version with a new setting, or a setting
        written down as it is anyway, changes nothing.
        """
        return self._hashed(self._design())

    def design_hash_since(self, text: str) -> str:
        """The design hash without the bots that an earlier text of study.toml did not have.

        Adding a bot changes no earlier item, unless the protocol says so: then it is the design hash.
        """
        if not self.protocol.adding_a_bot_leaves_items():
            return self.design_hash
        before = {str(bot.get("name")) for bot in tomllib.loads(text).get("bots", ())}
        parts = self._design()
        for table in (parts, parts.get("chat", {})):
            if "bots" in table:
                table["bots"] = [bot for bot in table["bots"] if _name_of(bot) in before]
        if not parts.get("chat", {}).get("bots", True):
            del parts["chat"]["bots"]
        return self._hashed({name: part for name, part in parts.items() if part or name == "settings"})

    def _design(self) -> dict[str, Any]:
        """All that judgments depend on; what is as it is by default is left out."""
        parts = self.file.model_dump(
            mode="json",
            exclude_defaults=True,
            exclude={"pay": True, "consent": True, "study": {"database", "name"}},
        )
        parts["settings"] = self.protocol.settings_that_count()
        if parts.get("chat", {}).get("chats_per_bot") == _OLD_CHATS_PER_BOT:
            del parts["chat"]["chats_per_bot"]
            if not parts["chat"]:
                del parts["chat"]
        if parts.get("wording", {}).get("consent") == _OLD_CONSENT:
            del parts["wording"]["consent"]
            if not parts["wording"]:
                del parts["wording"]
        return parts

    @staticmethod
    def _hashed(parts: Mapping[str, Any]) -> str:
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _name_of(bot: Mapping[str, Any] | str) -> str:
    """The name of a bot: of a ``[[bots]]`` table, or as ``[chat]`` names it."""
    return bot if isinstance(bot, str) else str(bot["name"])


def _seconds(minutes: float | None) -> float | None:
    return None if minutes is None else 60 * minutes


_OLD_CONSENT = (
    "Your answers are used for research on conversational systems. You can stop at any time. We keep what "
    "you choose and write here, when you did so, and how long it took. We do not ask who you are."
)
"""The default once: where it is written out in a study file, it stays out of the hash."""


_OLD_CHATS_PER_BOT = 100
"""The default once: it stands in study files, and stays out of the hash."""
