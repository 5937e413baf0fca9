"""What an annotator is asked after a chat, or about a dialogue, screen by screen; and what the form says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from duologue.dialogues import Dialogue, Json
from duologue.errors import AnswerError
from duologue.judgments import Column, Judgment
from duologue.likert.drawing import draw_chats, draw_ratings
from duologue.likert.gold import gold_ratings
from duologue.likert.options import LikertAnalysisOptions, LikertPlanOptions
from duologue.likert.persona_detection import detection_of
from duologue.likert.settings import LikertSettings, RatingQuestionSettings
from duologue.likert.template import TEMPLATE
from duologue.likert.wording import FACT_SETTINGS, facts_of, heading_of, numbers_of, wording_of
from duologue.protocols import (
    ONLY_ARM,
    AnalysisOptions,
    Answer,
    Arm,
    AskedItem,
    ChatSettings,
    Counted,
    Draft,
    Fact,
    Heading,
    Item,
    JudgedBatch,
    Material,
    Option,
    PlanOptions,
    Screen,
    StudyProtocol,
    TruthOption,
    VerdictRules,
    View,
    dialogue_view,
    labels_below,
    shared_columns,
)

MAX_REASON_CHARS = 10_000

PERSONA_FIELD = "persona"
SCREEN_FIELD = "screen"
"""A hidden field with the number of the screen that was filled in."""
BACK_FIELD = "back"
"""Present when the annotator wants to see the screen before."""
REASON_FIELD = "reason"
_AT_FIELD = "at"
"""In a draft: the number of the screen that comes next, where it is not the first one that is open."""

RULE = (
    "calibrated difference of means (annotators' leniency removed, REML) with Student's t; the larger "
    "p-value of it and a two-way clustered one where dialogues are rated repeatedly, or annotators rate one "
    "of two bots repeatedly and the other one too; Welch's test where nobody rated twice"
)
"""Which test decides about ratings, as the plan says it."""

Personas = tuple[tuple[str, tuple[str, ...]], ...]
"""Two personas to choose from: what the form sends, and the lines of each."""


@dataclass(frozen=True, slots=True)
class RatingScreen:
    """One screen: the field it fills in, what is legal there, and the question if it is one with a scale."""

    kind: Literal["rating", "persona"]
    field: str
    legal: tuple[str, ...]
    question: RatingQuestionSettings | None = None


class LikertProtocol(StudyProtocol[LikertSettings]):
    """A live chat with one bot, or a finished dialogue, then ratings (the human evaluation of ConvAI2)."""

    name: ClassVar[str] = "likert"
    settings_model: ClassVar[type[BaseModel]] = LikertSettings
    template: ClassVar[str] = TEMPLATE
    next_steps: ClassVar[tuple[str, ...]] = (
        "duologue study show {study}",
        "duologue bots chat {study} companion",
        "duologue serve {study}",
    )
    group_noun: ClassVar[str] = "bot"
    wording: ClassVar[Mapping[str, str]] = wording_of(LikertSettings())
    heading: ClassVar[Heading] = heading_of(LikertSettings())
    fact_settings: ClassVar[Mapping[Fact, str]] = FACT_SETTINGS
    truth_options: ClassVar[tuple[TruthOption, ...]] = (
        TruthOption("mean", "Where bots are rated: a true mean rating as A=3.2; may be repeated.", "A=3.2"),
    )
    analysis_options: ClassVar[type[AnalysisOptions]] = LikertAnalysisOptions
    plan_options: ClassVar[type[PlanOptions]] = LikertPlanOptions
    parts: ClassVar[Mapping[str, str]] = {
        "design": "duologue.likert.design:LikertDesign",
        "planner": "duologue.likert.design.planner:LikertPlanner",
        "report": "duologue.likert.report:LikertReport",
        "rehearsal": "duologue.likert.rehearsal:LikertRehearsal",
    }

    def facts(self) -> frozenset[Fact]:
        """Annotators chat, or read what others said; then they rate it."""
        return facts_of(self.settings)

    def numbers(self) -> Mapping[Counted, frozenset[int]]:
        """As many as the settings say."""
        return numbers_of(self.settings)

    def study_wording(self) -> Mapping[str, str]:
        """Whether conversations are had or read, and how much is asked about them."""
        return wording_of(self.settings)

    def study_heading(self) -> Heading:
        """Annotators chat, or read what others said."""
        return heading_of(self.settings)

    def arms(self) -> tuple[Arm, ...]:
        """One arm, with all questions."""
        return (Arm(ONLY_ARM, " / ".join(question.text for question in self.settings.questions)),)

    def items_file(self) -> str:
        """The file of chats to hold, or of dialogues to rate."""
        likert = self.settings
        return likert.file or ("chats.jsonl" if likert.source == "live" else "ratings.jsonl")

    def annotations_per_item(self) -> int:
        """How many annotators rate each dialogue; a live chat is rated by who had it."""
        likert = self.settings
        return 1 if likert.source == "live" else likert.annotations_per_dialogue

    def dialogues_read(self) -> int:
        """One, where finished dialogues are rated."""
        return 0 if self.settings.source == "live" else 1

    def max_per_group(self, chat: ChatSettings) -> int | None:
        """How often an annotator chats with the same bot; of finished dialogues, any number is rated."""
        return chat.chats_per_annotator if self.settings.source == "live" else None

    def rules(self, *, stopping: str) -> VerdictRules:
        """The rule of ratings; Holm over all pairs, or those of the primary question."""
        likert = self.settings
        family = "Holm over the pairs of bots of all questions"
        if likert.primary is not None:
            family = f"Holm over the pairs of bots of the question {likert.primary}; the others are secondary"
        return VerdictRules(
            test=RULE,
            family=family,
            asks_for_reasons=likert.reason == "required",
            requires_reasons=likert.reason == "required",
            gap=likert.gap,
        )

    def draw(self, material: Material) -> Iterable[Item]:
        """Live chats to hold with each bot, or finished dialogues to rate."""
        likert = self.settings
        draw = draw_chats if likert.source == "live" else draw_ratings
        return draw(likert, material)

    def show(self, asked: AskedItem) -> View:
        """The screen that comes next, with what was chosen and written there before.

        Keys: ``kind`` (``rating`` or ``persona``), ``question``, ``name`` (of the form's field), ``points``
        (value and label of each), ``labels_below`` (of the ends and the middle, or None), ``personas``
        (value and lines of each) with ``persona_labels``, ``number`` and ``screens``, ``reason`` (``off``
        but on the last screen), ``dialogue``, ``can_go_back``, ``chosen`` and ``written`` (empty where
        nothing was).

        The form must also send ``screen`` (the ``number``), and ``back`` when that button is pressed.
        """
        likert = self.settings
        screens = steps_of(likert, asked.item)
        at = _next_screen(screens, asked.draft)
        step, is_last = screens[at], at == len(screens) - 1
        dialogue = asked.dialogues[0] if asked.dialogues else None
        personas = _personas(asked.item, dialogue) if step.kind == "persona" else ()
        question = step.question.text if step.question else likert.persona_question
        points = step.question.points if step.question else ()
        screen = Screen(
            number=at + 1,
            field=step.field,
            text="\n\n".join([question, *_persona_cards(personas, likert.persona_labels)]),
            options=_persona_options(personas, likert.persona_labels) or _point_options(points),
            reason=likert.reason if is_last else "off",
            can_go_back=at > 0,
        )
        values = {
            "kind": step.kind,
            "question": question,
            "name": step.field,
            "points": points,
            "labels_below": labels_below(step.question.labels) if step.question else None,
            "personas": personas,
            "persona_labels": likert.persona_labels,
            "number": screen.number,
            "screens": len(screens),
            "reason": screen.reason,
            "dialogue": dialogue_view(dialogue, judged=dialogue.judged) if dialogue else None,
            "can_go_back": screen.can_go_back,
            "chosen": asked.draft.get(step.field, ""),
            "written": asked.draft.get(REASON_FIELD, "") if is_last else "",
        }
        return View("rating.html", values, screen, share_done=at / len(screens))

    def read(self, asked: AskedItem, form: Mapping[str, str]) -> Answer | Draft:
        """The ratings and the reason, when this was the last screen; what is known so far before that.

        Whoever goes back keeps what they chose and wrote, on the screen they leave too.
        """
        likert = self.settings
        screens = steps_of(likert, asked.item)
        given = {screen.field: form[screen.field] for screen in screens if screen.field in form}
        sent = _sent(screens, form)
        if BACK_FIELD in form:
            from_screen = min(_answered(screens, given), len(screens) - 1) if sent is None else sent
            legal = {one.field: given[one.field] for one in screens if given.get(one.field) in one.legal}
            return _draft(likert, screens, legal, form, at=max(from_screen - 1, 0))
        for screen in screens:
            value = given.get(screen.field)
            if value is not None and value not in screen.legal:
                raise AnswerError("Please choose one of the answers.", field="choice")
        if sent is not None and screens[sent].field not in given:
            raise AnswerError("Please choose one of the answers.", field="choice")
        at = _answered(screens, given) if sent is None else min(_answered(screens, given), sent + 1)
        if at < len(screens):
            return _draft(likert, screens, given, form, at=at)
        return Answer(
            {
                "ratings": {
                    screen.question.name: int(given[screen.field]) for screen in screens if screen.question
                },
                "persona": _detected(asked.item, given),
            },
            _reason(likert, form),
        )

    def points_given(self, answer: Answer) -> Mapping[str, int]:
        """The ratings."""
        ratings = answer.values["ratings"]
        assert isinstance(ratings, Mapping)  # noqa: S101  `read` made it
        return {name: point for name, point in ratings.items() if isinstance(point, int)}

    def is_correct(self, asked: AskedItem, answer: Answer) -> bool | None:
        """Whether every question with a known answer got a rating that is right."""
        gold = gold_ratings(asked.item)
        if not gold:
            return None
        given = self.points_given(answer)
        return all(low <= given[name] <= high for name, (low, high) in gold.items())

    def same_answer(self, item: Item, first: Judgment, second: Judgment) -> bool:
        """Whether every question got the same point; the persona is not a rating."""
        return _ratings_in(first.answer) == _ratings_in(second.answer)

    def columns(self, batch: JudgedBatch) -> Mapping[str, Column]:
        """The bot, its ratings (``rating_…``, NaN for a chat that could not go on), and all besides."""
        questions = self.settings.questions
        given = [_ratings_in(answer) for answer in batch.answers]
        personas = [_PERSONA_RIGHT[answer.get("persona")] for answer in batch.answers]
        return {
            **shared_columns(batch),
            "bot": [bots[0] for bots in batch.bots],
            **{f"rating_{one.name}": _points(given, one.name) for one in questions},
            **{f"scale_{one.name}": f"{one.low} to {one.high}" for one in questions},
            **{f"question_{one.name}": one.text for one in questions},
            "persona_right": np.array(personas, dtype=np.float64),
            "item": batch.items,
            "dialogue": [shown[0] if shown else "" for shown in batch.dialogues],
            "source": self.settings.source,
        }

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The bot, its ratings (``rating_…``, empty for a chat that could not go on), and all besides."""
        likert = self.settings
        given = _ratings_in(judgment.answer)
        persona = judgment.answer.get("persona")
        return {
            "judgment": judgment.id,
            "arm": judgment.arm,
            "bot": item.bots[0],
            **{f"rating_{question.name}": given.get(question.name) for question in likert.questions},
            **{
                f"scale_{question.name}": f"{question.low} to {question.high}"
                for question in likert.questions
            },
            **{f"question_{question.name}": question.text for question in likert.questions},
            "persona_right": None if persona is None else persona == "true",
            "annotator": judgment.annotator,
            "annotator_kind": judgment.annotator_kind,
            "item": item.id,
            "dialogue": item.dialogues[0] if item.dialogues else judgment.dialogue,
            "source": likert.source,
            "reason": judgment.reason,
            "seconds": judgment.seconds,
            "seconds_kind": judgment.seconds_kind,
            "at": judgment.at,
            "revision": judgment.revision,
            "is_onboarding": judgment.is_onboarding,
            "excluded": judgment.excluded,
        }


_PERSONA_RIGHT: Mapping[object, float] = {None: math.nan, "true": 1.0, "other": 0.0}


def _ratings_in(answer: Mapping[str, object]) -> Mapping[str, Json]:
    """The ratings of an answer by question; none where a chat could not go on."""
    ratings = answer.get("ratings")
    return ratings if isinstance(ratings, Mapping) else {}


def _points(given: Sequence[Mapping[str, Json]], name: str) -> NDArray[np.float64]:
    return np.array([points.get(name) for points in given], dtype=np.float64)


def steps_of(settings: LikertSettings, item: Item) -> tuple[RatingScreen, ...]:
    """The screens of an item: one a question, then the personas where annotators choose between two."""
    ratings = [
        RatingScreen(
            "rating", f"rating_{question.name}", tuple(value for value, _ in question.points), question
        )
        for question in settings.questions
    ]
    if settings.persona_detection and detection_of(item):
        ratings.append(RatingScreen("persona", PERSONA_FIELD, ("1", "2")))
    return tuple(ratings)


def _answered(screens: Sequence[RatingScreen], given: Mapping[str, str]) -> int:
    """How many screens are filled in, from the first on."""
    return next((at for at, screen in enumerate(screens) if screen.field not in given), len(screens))


def _next_screen(screens: Sequence[RatingScreen], draft: Mapping[str, str]) -> int:
    """The screen that a draft leads to, counted from 0."""
    at = draft.get(_AT_FIELD)
    return min(_answered(screens, draft) if at is None else int(at) - 1, len(screens) - 1)


def _draft(
    settings: LikertSettings,
    screens: Sequence[RatingScreen],
    given: Mapping[str, str],
    form: Mapping[str, str],
    *,
    at: int,
) -> Draft:
    """What is known so far, and the screen to show next."""
    fields = dict(given)
    if settings.reason != "off" and form.get(REASON_FIELD, "").strip():
        fields[REASON_FIELD] = form[REASON_FIELD]
    if at != _answered(screens, given):
        fields[_AT_FIELD] = str(at + 1)
    return Draft(fields)


def _sent(screens: Sequence[RatingScreen], form: Mapping[str, str]) -> int | None:
    """The screen that was sent, counted from 0; None when the form does not say."""
    number = form.get(SCREEN_FIELD, "")
    is_one = number.isascii() and number.isdigit() and 1 <= int(number) <= len(screens)
    return int(number) - 1 if is_one else None


def _personas(item: Item, dialogue: Dialogue | None) -> Personas:
    choice = detection_of(item)
    assert choice is not None  # noqa: S101  or there would be no such screen
    choice = choice.as_held(dialogue)
    true_one, other = (
        (str(choice.true_side), choice.persona),
        (str(3 - choice.true_side), choice.other_persona),
    )
    return (true_one, other) if choice.true_side == 1 else (other, true_one)


def _persona_cards(personas: Personas, labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        "\n".join([label, *(f"• {line}" for line in lines)])
        for (_, lines), label in zip(personas, labels, strict=False)
    )


def _persona_options(personas: Personas, labels: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(value, label) for (value, _), label in zip(personas, labels, strict=False))


def _point_options(points: Iterable[tuple[str, str]]) -> tuple[Option, ...]:
    return tuple(Option(value, f"{value} · {label}" if label else value) for value, label in points)


def _detected(item: Item, given: Mapping[str, str]) -> str | None:
    choice, side = detection_of(item), given.get(PERSONA_FIELD)
    if choice is None or side is None:
        return None
    return "true" if side == str(choice.true_side) else "other"


def _reason(settings: LikertSettings, form: Mapping[str, str]) -> str:
    reason = form.get(REASON_FIELD, "").strip() if settings.reason != "off" else ""
    if settings.reason == "required" and not reason:
        raise AnswerError("Please say in a few words why.", field=REASON_FIELD)
    if len(reason) > MAX_REASON_CHARS:
        raise AnswerError(
            f"Please keep the reason under {MAX_REASON_CHARS:,} characters.", field=REASON_FIELD
        )
    return reason
