"""The ``[acute]`` table of a study file."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from duologue.acute.questions import AXES, PUBLISHED, Polarity, Question, mirror, question_named
from duologue.dialogues import DialogueKind
from duologue.errors import DesignError
from duologue.expected import did_you_mean

Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]

CovariateName = Literal["length", "repetition"]

VERSUS = "__vs__"
"""What stands between the two bots in the name of a matchup."""


def say_matchup(group: str) -> str:
    """A matchup in words, or the three bots of a ranking.

    Example:
        >>> say_matchup("ada__vs__bea"), say_matchup("ada__vs__bea__vs__cid")
        ('ada against bea', 'ada, bea and cid')
    """
    if group.count(VERSUS) == 2:
        first, second, third = group.split(VERSUS)
        return f"{first}, {second} and {third}"
    return group.replace(VERSUS, " against ")


_NEVER_SHOWN = ("Speaker 1", "Speaker 2")
"""The choices of a question about three dialogues, where only their order is asked for."""


class ChoiceQuestionSettings(BaseModel):
    """One question: a name of the library, or free wording with its choices."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: Text = "engagingness"
    s1_choice: Text | None = None
    s2_choice: Text | None = None
    credits: Polarity | None = None

    def require_known(self, *, shows_choices: bool) -> None:
        """Refuse a question that is neither in the library nor wording of one's own that can be shown.

        Args:
            shows_choices: Whether the choices are shown; where three are put in order they are not, and any
                sentence will do.

        Raises:
            ValueError: It is neither.
        """
        is_sentence = len(self.question.split()) > 1
        if question_named(self.question) or self.s1_choice or (is_sentence and not shows_choices):
            return
        names = ", ".join((*AXES, *PUBLISHED))
        own = "give s1_choice as well" if shows_choices else "write a sentence"
        raise ValueError(
            f"question: {self.question!r} is not in the question library ({names}); "
            f"for wording of your own, {own}." + did_you_mean(self.question, (*AXES, *PUBLISHED))
        )

    @model_validator(mode="after")
    def _has_a_mirror(self) -> Self:
        if self.s1_choice is not None and self.s2_choice is None and mirror(self.s1_choice) == self.s1_choice:
            raise ValueError("s2_choice: s1_choice names no <Speaker 1>, so it has no mirror; give this too")
        return self

    def resolved(self) -> Question:
        """The question as it is asked."""
        known = question_named(self.question)
        if known is not None and self.s1_choice is None and self.credits is None:
            return known
        if self.s1_choice is not None:
            choices = (self.s1_choice, self.s2_choice or mirror(self.s1_choice))
        else:
            choices = known.choices if known else _NEVER_SHOWN
        return Question(
            id=known.id if known else "custom",
            axis=known.axis if known else "custom",
            text=known.text if known else self.question,
            choices=choices,
            credits=self.credits or (known.credits if known else "chosen"),
        )


class NamedQuestionSettings(ChoiceQuestionSettings):
    """One of several questions about the same logs: an arm of its own, or asked together with the others."""

    name: Name
    axis: Name | None = None
    """Where phrasings are compared: what this is a phrasing of; that of a published question if not said."""

    @property
    def phrases(self) -> str:
        """The axis that the question is a phrasing of."""
        return self.axis or self.resolved().axis


def _number_or_plan(value: object) -> object:
    is_number = isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if value != "plan" and not is_number:
        raise ValueError('give a number of at least 1, or "plan": as many as the planner says')
    return value


class PairingSettings(BaseModel):
    """How dialogues are put side by side."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    per_matchup: Annotated[int | Literal["plan"], BeforeValidator(_number_or_plan)] = "plan"
    """Pairings (and so judgments, times annotations_per_pairing) for each matchup; ``plan``: as many as the
    planner says for the study's gap and power, when pairings are made."""
    matchups: Literal["all"] | tuple[tuple[str, str], ...] = "all"
    against: tuple[str, ...] = ()
    """Compare these bots with every other bot, and the others not among themselves."""
    same_bot: tuple[str, ...] = ()
    """A/A matchups: these bots are also compared with themselves."""
    same_bot_share: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    """The share of all pairings that are A/A pairings: of the bots of same_bot, of all where it names none.
    With 0 every A/A matchup has as many as any other."""
    dialogue_once: Literal["matchup", "study"] = "matchup"
    match: Literal["auto", "off"] = "auto"
    """Whether dialogues of two bots that share a persona, topic, prompt or opener are put side by side."""
    kind: DialogueKind | None = None
    """Use only dialogues of this kind (and human-human ones, which meet either)."""
    mix_kinds: bool = False
    """Allow a matchup of, say, self-chats against live chats; the report says so."""
    leave_out: tuple[str, ...] = ()
    """Bots that are not compared, such as the weak one that is there for onboarding only."""
    onboarding: tuple[str, str] | None = None
    """Onboarding pairings: dialogues of the first bot are better than those of the second."""
    onboarding_count: Positive = 3
    attention_count: Annotated[int, Field(ge=0)] = 0
    """More pairings of the same two bots, as attention checks among the others."""
    pairs_per_matchup: Annotated[int, Field(ge=0)] = 0
    """Where three dialogues are ranked: so many pairings of two in each matchup besides, to see whether
    strengths from both agree."""
    file: str = "pairings.jsonl"

    @property
    def pairings_each(self) -> int:
        """Pairings for each matchup, once the planner has chosen their number.

        Raises:
            DesignError: It has not.
        """
        if self.per_matchup == "plan":
            raise DesignError("the planner has not said yet how many pairings each matchup needs.")
        return self.per_matchup


class AcuteSettings(ChoiceQuestionSettings):
    """Everything that makes an ACUTE-EVAL study what it is."""

    compare: Literal["bots", "phrasings"] = "bots"
    """What is compared: bots; or phrasings of questions, by how far annotators agree about the same pairs."""
    collect: Literal["dialogues", "parallel"] = "dialogues"
    """Whether annotators compare finished dialogues, or two live chats that they have at the same time."""
    after_failure: Literal["retry", "end"] = "retry"
    """When a bot in a parallel chat gives no reply: annotators may have it asked again, or the chat ends."""
    answer: Literal["choice", "graded", "ranking"] = "choice"
    """What is answered: one of the two sides; on four points, a side and whether clearly or slightly; or the
    order of three dialogues."""
    ties: bool = False
    """Offer one more answer, "no difference"."""
    reason: Literal["encouraged", "required", "off"] = "encouraged"
    annotations_per_pairing: Positive = 1
    questions: tuple[NamedQuestionSettings, ...] = ()
    ask: Literal["apart", "together"] = "apart"
    """Whether each of the questions is an arm of its own, or all are asked about the same dialogues."""
    question_order: Literal["random", "as-written"] = "random"
    """Of questions that are asked together: an order that belongs to the annotator, or that of the file."""
    verdicts: Literal["direct", "pooled"] = "direct"
    """Which verdicts decide: of each matchup's own judgments, or of strengths pooled over all matchups."""
    covariates: tuple[CovariateName, ...] = ()
    """What is counted in all dialogues, judged or not: pooled strengths are freed of what it explains."""
    primary: str | None = None
    """The question whose verdicts the study rests on; without one, all questions share the error rate."""
    pairings: PairingSettings = PairingSettings()

    @field_validator("questions")
    @classmethod
    def _names_differ(cls, questions: tuple[NamedQuestionSettings, ...]) -> tuple[NamedQuestionSettings, ...]:
        names = [question.name for question in questions]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two questions have the same name: {', '.join(twice)}")
        return questions

    @model_validator(mode="after")
    def _questions_can_be_asked(self) -> Self:
        shows_choices = not self.is_ranked or bool(self.pairings.pairs_per_matchup)
        self.require_known(shows_choices=shows_choices)
        for question in self.questions:
            question.require_known(shows_choices=shows_choices)
        return self

    @model_validator(mode="after")
    def _primary_is_asked(self) -> Self:
        names = [question.name for question in self.questions]
        if self.primary is not None and self.primary not in names:
            have = ", ".join(names) or "none"
            raise ValueError(f"primary: {self.primary!r} is not the name of a question (there are: {have})")
        return self

    @model_validator(mode="after")
    def _questions_are_asked_together(self) -> Self:
        if self.is_together and len(self.questions) < 2:
            raise ValueError('ask: "together" needs two [[acute.questions]] tables or more, each with a name')
        if self.is_together and self.compares_phrasings:
            raise ValueError(
                'ask: compare = "phrasings" gives each annotator one phrasing; leave ask = "together" out'
            )
        if not self.is_together and self.question_order != "random":
            raise ValueError('question_order: it belongs to ask = "together"')
        return self

    @model_validator(mode="after")
    def _covariates_can_be_used(self) -> Self:
        if not self.covariates:
            return self
        if len(set(self.covariates)) < len(self.covariates):
            raise ValueError("covariates: each is named once")
        for other, is_set in (
            ('verdicts = "direct"', self.verdicts != "pooled"),
            ('answer = "ranking"', self.is_ranked),
            ('collect = "parallel"', self.is_parallel),
        ):
            if is_set:
                raise ValueError(
                    "covariates: they are for pooled verdicts on choices or four points about finished "
                    f'dialogues, and not for {other}. Set verdicts = "pooled", or leave them out'
                )
        return self

    @model_validator(mode="after")
    def _chats_are_judged_by_those_who_had_them(self) -> Self:
        if self.is_parallel and self.annotations_per_pairing > 1:
            raise ValueError(
                "annotations_per_pairing: a parallel chat is judged by the annotator who had it; for more "
                "judgments set per_matchup in [acute.pairings]"
            )
        if not self.is_parallel and self.after_failure != "retry":
            raise ValueError('after_failure: it belongs to collect = "parallel"')
        return self

    @model_validator(mode="after")
    def _phrasings_can_be_compared(self) -> Self:
        if not self.compares_phrasings:
            if any(question.axis is not None for question in self.questions):
                raise ValueError('questions: axis belongs to compare = "phrasings"')
            return self
        other = {
            "answer": self.answer != "choice",
            "ties": self.ties,
            "collect": self.is_parallel,
            "verdicts": self.verdicts != "direct",
            "primary": self.primary is not None,
        }
        for name in (name for name, is_set in other.items() if is_set):
            raise ValueError(
                f'{name}: compare = "phrasings" asks for a choice between two finished dialogues, and says '
                "nothing about bots; leave this as it is by default"
            )
        if self.pairings.per_matchup == "plan":
            raise ValueError(
                "pairings.per_matchup: say how many pairs phrasings are compared on; one that was picked by "
                "hand is usual"
            )
        if not self.questions:
            raise ValueError(
                'questions: compare = "phrasings" needs an [[acute.questions]] table for each phrasing'
            )
        for axis, phrasings in self.axes.items():
            if len(phrasings) < 2:
                raise ValueError(
                    f"questions: {phrasings[0].name!r} is the only phrasing of {axis}; give it another one"
                )
        return self

    @property
    def compares_phrasings(self) -> bool:
        """Whether the study is about phrasings of questions."""
        return self.compare == "phrasings"

    @property
    def axes(self) -> dict[str, tuple[NamedQuestionSettings, ...]]:
        """The phrasings of each axis, where these are compared."""
        found: dict[str, tuple[NamedQuestionSettings, ...]] = {}
        for phrasing in self.questions:
            found[phrasing.phrases] = (*found.get(phrasing.phrases, ()), phrasing)
        return found

    @model_validator(mode="after")
    def _rankings_fit(self) -> Self:
        pairings = self.pairings
        if not self.is_ranked:
            if pairings.pairs_per_matchup:
                raise ValueError('pairings.pairs_per_matchup: it belongs to answer = "ranking"')
            return self
        if self.is_parallel:
            raise ValueError(
                'answer: three live chats at once cannot be ranked. Set collect = "dialogues", or answer = '
                '"choice" or "graded"'
            )
        if self.ties:
            raise ValueError(
                'ties: a ranking of three is strict. Leave ties out, or set answer = "choice" or "graded"'
            )
        for name, is_set in (
            ("matchups", pairings.matchups != "all"),
            ("against", bool(pairings.against)),
            ("same_bot", bool(pairings.same_bot)),
            ("same_bot_share", bool(pairings.same_bot_share)),
        ):
            if is_set:
                raise ValueError(
                    f"pairings.{name}: where three are ranked, every bot meets every other. Leave it out "
                    "(leave_out names bots that are not compared)"
                )
        if pairings.pairs_per_matchup and pairings.dialogue_once == "study":
            raise ValueError(
                "pairings.pairs_per_matchup: rankings and pairings of two share dialogues. Set "
                'dialogue_once = "matchup"'
            )
        return self

    @property
    def is_parallel(self) -> bool:
        """Whether annotators chat with two bots at once, and compare these chats."""
        return self.collect == "parallel"

    @property
    def is_graded(self) -> bool:
        """Whether annotators say how clearly a side is preferred."""
        return self.answer == "graded"

    @property
    def is_ranked(self) -> bool:
        """Whether three dialogues are put in order."""
        return self.answer == "ranking"

    @property
    def is_together(self) -> bool:
        """Whether several questions are asked about the same dialogues."""
        return self.ask == "together"

    @property
    def question_names(self) -> tuple[str, ...]:
        """The names of the questions, as the file has them; none where there is one question."""
        return tuple(question.name for question in self.questions)

    @property
    def lead(self) -> str:
        """The question that counts where a judgment can have one alone: the primary one, or the first."""
        return self.primary or next(iter(self.question_names), "")

    def question_of(self, arm: str) -> Question:
        """The question of that name, or of that arm; the study's own where it has one question.

        Where several are asked together there is one arm, whose question is the leading one.
        """
        name = self.lead if self.is_together and arm not in self.question_names else arm
        for candidate in self.questions:
            if candidate.name == name:
                return candidate.resolved()
        return self.resolved()
