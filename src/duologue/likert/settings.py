"""The ``[likert]`` table of a study file."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from duologue.dialogues import DialogueKind

Positive = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]

DEFAULT_GAP = 0.3
"""Points of the scale, as `study plan` has it."""

Source = Literal["live", "dialogues"]
"""Rated are live chats, by the annotator who had them; or finished dialogues, by somebody who reads them."""


class RatingQuestionSettings(BaseModel):
    """One question: a scale of points, each with its label."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    """A short name for tables: ``enjoyment`` gives the column ``rating_enjoyment``."""
    text: Text
    labels: Annotated[tuple[str, ...], Field(min_length=2, max_length=101)]
    """What is written at the points, the lowest first; an empty label leaves the number alone."""
    low: int = 1
    """The number of the lowest point."""

    @property
    def high(self) -> int:
        """The number of the highest point."""
        return self.low + len(self.labels) - 1

    @property
    def points(self) -> tuple[tuple[str, str], ...]:
        """What is submitted for each point, and its label, the lowest first.

        Example:
            >>> RatingQuestionSettings(name="fun", text="Fun?", labels=("No", "Yes"), low=0).points
            (('0', 'No'), ('1', 'Yes'))
        """
        return tuple((str(point), label) for point, label in enumerate(self.labels, self.low))


ENJOYMENT = RatingQuestionSettings(
    name="enjoyment",
    text="How much did you enjoy talking to this user?",
    labels=("Not at all", "A little", "Somewhat", "A lot"),
)
"""The question of ConvAI2 (Dinan et al. 2019, section 3.2.2), on its scale from 1 to 4."""

ENJOYMENT_READ = ENJOYMENT.model_copy(
    update={"text": "How much would you enjoy talking to the highlighted speaker?"}
)
"""The same of those who did not talk to anybody; the words are ours."""

PERSONA_QUESTION_READ = "Which of these two characters is the highlighted speaker?"


class LikertSettings(BaseModel):
    """Everything that makes a study of ratings what it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Source = "live"
    questions: Annotated[tuple[RatingQuestionSettings, ...], Field(min_length=1)] = (ENJOYMENT,)
    """Asked one by one, each on a screen of its own, in this order; of finished dialogues `ENJOYMENT_READ`
    where none is given."""
    primary: str | None = None
    """The question whose verdicts the study rests on; without one, all questions are one family."""
    gap: Annotated[float, Field(gt=0)] = DEFAULT_GAP
    """The difference between two mean ratings that is worth finding, in points of the scale."""
    reason: Literal["optional", "required", "off"] = "optional"
    """Asked for on the last screen."""
    persona_detection: bool = False
    """Whether annotators then tell the partner's persona from another one."""
    persona_question: Text = "Which of these two characters was your partner?"
    persona_labels: tuple[Text, Text] = ("Character 1", "Character 2")
    annotations_per_dialogue: Positive = 1
    """How many annotators rate each finished dialogue; a live chat is rated by who had it."""
    dialogue_kind: DialogueKind | None = None
    """Of finished dialogues, rate only those of this kind."""
    leave_out: tuple[str, ...] = ()
    """Bots whose finished dialogues are not rated."""
    per_bot: Positive | None = None
    """How many finished dialogues of each bot are rated; all when not given."""
    file: str = ""
    """The file of items; ``chats.jsonl`` or ``ratings.jsonl`` when not given."""

    @model_validator(mode="before")
    @classmethod
    def _readers_are_asked_as_readers(cls, given: object) -> object:
        if not isinstance(given, dict) or given.get("source") != "dialogues":
            return given
        return {"questions": (ENJOYMENT_READ,), "persona_question": PERSONA_QUESTION_READ, **given}

    @field_validator("questions")
    @classmethod
    def _names_differ(
        cls, questions: tuple[RatingQuestionSettings, ...]
    ) -> tuple[RatingQuestionSettings, ...]:
        names = [question.name for question in questions]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two questions have the same name: {', '.join(twice)}")
        return questions

    @model_validator(mode="after")
    def _primary_is_asked(self) -> Self:
        names = [question.name for question in self.questions]
        if self.primary is not None and self.primary not in names:
            raise ValueError(
                f"primary: {self.primary!r} is not the name of a question (there are: {', '.join(names)})"
            )
        return self
