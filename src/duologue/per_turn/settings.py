"""The ``[per-turn]`` table of a study file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from duologue.errors import DesignError
from duologue.per_turn.rows import Mechanism, Setting
from duologue.per_turn.rules import STUDY_RULES, rules_named
from duologue.protocols import MOST_CANDIDATES, AfterFailure

Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]

Ask = Literal["appropriate", "engaging", "human", "interesting"]
"""What is asked about replies, in words that are ready-made."""

Collect = Literal["live", "finished", "written"]
"""What annotators do: chat and select; read finished chats and select turn by turn; or compare replies that
others wrote with those of bots."""

ONLY = "main"
"""The name of the one arm of a study that names none."""

WORDS: Mapping[Ask, tuple[str, str, str]] = {
    "appropriate": (
        "Which reply fits the conversation best?",
        "Which replies are appropriate? Select all that apply.",
        "Is this reply appropriate? Select it, or say that it is not.",
    ),
    "engaging": (
        "Which next response from your partner would you prefer in a long conversation?",
        "Which replies would you like in a long conversation? Select all that apply.",
        "Would you like this reply in a long conversation? Select it, or say that you would not.",
    ),
    "human": (
        "Which next response from your partner sounds more human?",
        "Which replies sound human? Select all that apply.",
        "Does this reply sound human? Select it, or say that it does not.",
    ),
    "interesting": (
        "If you had to say one of these responses is interesting and one is boring, which would you say is "
        "more interesting?",
        "Which replies are interesting? Select all that apply.",
        "Is this reply interesting? Select it, or say that it is not.",
    ),
}
"""The question over the cards: select one best, select all that apply, one bot.

Appropriateness is what Liu et al. (2023) ask about, who print no wording: the words are ours. To select one
best, the others are the questions of Smith et al. (2022) as their code has them; the rest is ours.
"""

LABELS: Mapping[Ask, tuple[str, str]] = {
    "appropriate": ("Fits best", "Appropriate"),
    "engaging": ("Preferred", "Would like"),
    "human": ("More human", "Sounds human"),
    "interesting": ("More interesting", "Interesting"),
}
"""What the choice on a card is called where several things are asked: one best, or all that apply."""


class _PerTurnTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WholeQuestion(_PerTurnTable):
    """A question about the whole conversation, asked after it: a scale of points, each with its label."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    text: Text
    labels: Annotated[tuple[str, ...], Field(min_length=2, max_length=11)]
    """The lowest first; points count from 1."""

    @property
    def points(self) -> tuple[tuple[str, str], ...]:
        """What is submitted for each point, and its label."""
        return tuple((str(point), label) for point, label in enumerate(self.labels, 1))


class TurnArm(_PerTurnTable):
    """One condition: some bots that answer the same messages, and how replies are selected."""

    name: Name
    bots: Annotated[tuple[Text, ...], Field(min_length=1, max_length=MOST_CANDIDATES)]
    setting: Setting | None = None
    """``sata-random`` where nothing is said; a single bot has none."""
    chats: Positive | None = None
    """How many; ``chats_per_bot`` of ``[chat]`` where nothing is said."""

    @field_validator("bots")
    @classmethod
    def _differ(cls, bots: tuple[str, ...]) -> tuple[str, ...]:
        if twice := [bot for bot, times in Counter(bots).items() if times > 1]:
            raise ValueError(f"{twice[0]!r} is there twice")
        return bots

    @model_validator(mode="after")
    def _single_has_no_setting(self) -> Self:
        if len(self.bots) == 1 and self.setting is not None:
            raise ValueError("setting: a single bot is selected or not; leave it out")
        return self

    @property
    def chosen(self) -> Setting | None:
        """The setting, where none is stated the usual one."""
        return None if len(self.bots) == 1 else self.setting or "sata-random"


def mechanism_of(bots: Sequence[str]) -> Mechanism:
    """How many bots answer each message, by its name."""
    return "single" if len(bots) == 1 else "pairwise" if len(bots) == 2 else "multi"


class PerTurnSettings(_PerTurnTable):
    """Everything that makes a per-turn study what it is."""

    collect: Collect = "live"
    annotations_per_chat: Positive = 1
    """How many read each finished chat, or judge each written reply; a live chat is had once."""
    ask: Ask = "appropriate"
    question: str = ""
    """The question over the cards in your own words; those of ``ask`` where it is empty."""
    dimensions: tuple[Ask, ...] = ()
    """What else is asked about the same cards."""
    questions: tuple[WholeQuestion, ...] = ()
    """Asked about the whole conversation, after it."""
    arms: tuple[TurnArm, ...] = ()
    """Launched together; one of all bots where none is named."""
    primary: str | None = None
    """The arm whose verdicts the study rests on; without one, all arms are one family."""
    gap: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """The difference between two win rates that is worth finding."""
    null: Annotated[float, Field(gt=0, lt=1)] = 0.8
    """The standard that a single bot is compared with."""
    rules: tuple[str, ...] = STUDY_RULES
    """Rules of screening that are applied, by their names or those of sets of them."""
    after_failure: AfterFailure = "retry"
    """What happens when a bot gives no reply."""
    min_written: Positive = 10
    """Characters of a reply that the annotator writes."""
    file: str = "turns.jsonl"
    """The file of items."""

    @field_validator("rules")
    @classmethod
    def _are_rules(cls, rules: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return rules_named(rules)
        except DesignError as error:
            raise ValueError(str(error).removesuffix(".")) from error

    @field_validator("arms", "questions")
    @classmethod
    def _names_differ(cls, named: tuple[TurnArm | WholeQuestion, ...]) -> tuple[TurnArm | WholeQuestion, ...]:
        if twice := [name for name, times in Counter(one.name for one in named).items() if times > 1]:
            raise ValueError(f"{twice[0]!r} is the name of two")
        return named

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.collect != "live" and (self.arms or self.primary):
            raise ValueError(
                "arms: of finished chats they are those of the chats; leave arms and primary out"
            )
        if self.collect == "live" and self.annotations_per_chat != 1:
            raise ValueError(
                "annotations_per_chat: a live chat is had once; only finished ones are read by several"
            )
        names = [arm.name for arm in self.arms]
        if self.primary is not None and self.primary not in names:
            raise ValueError(
                f"primary: {self.primary!r} is not the name of an arm (there are: {', '.join(names)})"
            )
        if self.ask in self.dimensions or len(set(self.dimensions)) < len(self.dimensions):
            raise ValueError("dimensions: each is asked once, and not what is asked anyway")
        return self

    def arms_with(self, bots: Sequence[str]) -> tuple[TurnArm, ...]:
        """The arms of a study with these bots.

        Raises:
            DesignError: There is no bot, or an arm names another one.
        """
        if not bots:
            raise DesignError(
                "there is nobody to chat with: give a [[bots]] table a kind that answers (docs/bots.md)."
            )
        for arm in self.arms:
            if unknown := [bot for bot in arm.bots if bot not in bots]:
                known = ", ".join(bots)
                raise DesignError(
                    f"arm {arm.name}: there is no bot {unknown[0]!r} that answers (there are: {known})."
                )
        if not self.arms and len(bots) > MOST_CANDIDATES:
            raise DesignError(
                f"{len(bots)} bots cannot answer at once, at most {MOST_CANDIDATES}: name arms of fewer in "
                "[[per-turn.arms]]."
            )
        return self.arms or (TurnArm(name=ONLY, bots=tuple(bots)),)

    def words(self, setting: Setting | None) -> str:
        """The question over the cards."""
        return self.question or self.words_for(self.ask, setting)

    def words_for(self, ask: Ask, setting: Setting | None) -> str:
        """A ready-made question, as it is asked in a setting; readers have no partner."""
        words = words_of(ask, setting)
        return words if self.collect == "live" else words.replace(" from your partner", "")


def words_of(ask: Ask, setting: Setting | None) -> str:
    """A ready-made question, as it is asked in a setting."""
    best, all_that_apply, single = WORDS[ask]
    return single if setting is None else best if setting == "soba" else all_that_apply


def label_of(ask: Ask, setting: Setting | None) -> str:
    """What the choice on a card is called, where several things are asked about it."""
    best, applies = LABELS[ask]
    return best if setting == "soba" else applies
