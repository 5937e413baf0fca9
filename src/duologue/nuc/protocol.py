"""What an annotator is asked in next utterance classification: the best and the second-best reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from pydantic import BaseModel

from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.judgments import Judgment
from duologue.nuc.options import NucPlanOptions
from duologue.nuc.questions import question_of
from duologue.nuc.settings import NucSettings
from duologue.nuc.template import TEMPLATE
from duologue.protocols import (
    NOTHING_WRITTEN,
    ONLY_ARM,
    Answer,
    Arm,
    AskedItem,
    Fact,
    FormValues,
    Heading,
    Item,
    Material,
    PlanOptions,
    StudyProtocol,
    TruthOption,
    VerdictRules,
    View,
    say_list,
)

BEST, SECOND = "best", "second"
"""The two columns of the table of replies."""

RULE = (
    "difference of Recall@1 between two cohorts, and between a cohort and a model on the same questions, by "
    "Student's t with a variance that is clustered by annotator and question; of models, and of cohorts with "
    "fewer than five right or wrong answers, by the exact test of that recall too"
)
"""Which test decides, as the plan says it."""

WORDING = {
    "consent": NOTHING_WRITTEN,
    "instructions": (
        "You will read the beginnings of conversations. With each one you see some replies, and one of them "
        "is the one that was really given. Choose the reply that fits best, and then the one that fits "
        "second best."
    ),
    "choose_first": "Please choose the best reply and, in another row, the second-best one.",
    "keys": (
        "Keys: the number beside a reply for the best one, then the number beside the second-best one; the "
        "same number again takes it back; Tab and arrow keys choose too; Enter to submit"
    ),
    "progress": "Question {number} of {total}",
}
"""What is said in other words than where two dialogues are compared."""

HEADING: Heading = {
    "title": "Which reply comes next?",
    "description": "Read the beginnings of conversations and choose the replies that fit best.",
    "keywords": ("conversation", "reading", "survey"),
}


class NucProtocol(StudyProtocol[NucSettings]):
    """A context and candidate replies: which one is best, and which one second best (Lowe et al. 2016)."""

    name: ClassVar[str] = "nuc"
    settings_model: ClassVar[type[BaseModel]] = NucSettings
    template: ClassVar[str] = TEMPLATE
    next_steps: ClassVar[tuple[str, ...]] = (
        "duologue nuc build CORPUS… --out {study}/task",
        "duologue study show {study}",
        "duologue serve {study}",
    )
    group_noun: ClassVar[str] = "corpus"
    free_settings: ClassVar[frozenset[str]] = frozenset({"scores"})
    wording: ClassVar[Mapping[str, str]] = WORDING
    heading: ClassVar[Heading] = HEADING
    truth_options: ClassVar[tuple[TruthOption, ...]] = (
        TruthOption(
            "skill",
            "Of nuc: how often careful annotators find the true reply, as COHORT=0.8, COHORT:CORPUS=0.8 or "
            "0.8.",
            "expert=0.8",
        ),
    )
    plan_options: ClassVar[type[PlanOptions]] = NucPlanOptions
    parts: ClassVar[Mapping[str, str]] = {
        "design": "duologue.nuc.design:NucDesign",
        "planner": "duologue.nuc.planner:NucPlanner",
        "rehearsal": "duologue.nuc.rehearsal:NucRehearsal",
        "report": "duologue.nuc.report:NucReport",
    }

    def study_wording(self) -> Mapping[str, str]:
        """Whether something about the speakers is read too."""
        if not self.settings.show_background:
            return WORDING
        about = " You also read some lines about the people who talk."
        return {**WORDING, "instructions": WORDING["instructions"] + about}

    def facts(self) -> frozenset[Fact]:
        """Annotators read, and choose between replies; nobody knows whether programs wrote the corpus."""
        return frozenset({"reads", "one at a time", "selects", "one best", "second best", "several replies"})

    def arms(self) -> tuple[Arm, ...]:
        """One arm."""
        return (Arm(ONLY_ARM, self.settings.question),)

    def items_file(self) -> str:
        """The file of questions, with the version of each."""
        return "questions.jsonl"

    def annotations_per_item(self) -> int:
        """How many annotators answer each version."""
        return self.settings.annotations_per_item

    def rules(self, *, stopping: str) -> VerdictRules:
        """Cohorts and models compared by Recall@1."""
        return VerdictRules(
            test=RULE,
            family=_family(self.settings.models),
            asks_for_reasons=False,
        )

    def drawn_files(self) -> tuple[str, ...]:
        """The items that questions and attention checks are drawn from."""
        return tuple(name for name in (self.settings.items, self.settings.attention_file) if name)

    def draw(self, material: Material) -> Iterator[Item]:
        """All versions of the questionnaire, and the attention checks."""
        from duologue.nuc.drawing import draw_questions  # nothing that showing pages needs

        return draw_questions(self.settings, material)

    def show(self, asked: AskedItem) -> View:
        """The context and a table of replies.

        Keys: ``context`` (speaker, text, and whether it is the first speaker, of each turn), ``replies``
        (number and text, as shown), ``next_speaker`` (who says the reply, or ""), ``background`` (a speaker,
        or "", and lines about them), ``question``, and the labels of the columns.
        """
        question = question_of(asked.item)
        first = question.context[0][0]
        values = {
            "context": tuple((speaker, text, speaker == first) for speaker, text in question.context),
            "replies": tuple(
                (str(number), question.candidates[slot]) for number, slot in enumerate(asked.order, 1)
            ),
            "background": question.told() if self.settings.show_background else (),
            "question": self.settings.question,
            "labels": {BEST: self.settings.best_label, SECOND: self.settings.second_label},
            "next_speaker": question.next_speaker(),
            "reply_label": self.settings.reply_label,
            "background_label": self.settings.background_label,
        }
        return View("questionnaire.html", values)

    def read(self, asked: AskedItem, form: FormValues) -> Answer:
        """The numbers of the best and the second-best reply, as shown."""
        legal = {str(number) for number in range(1, len(asked.order) + 1)}
        best, second = form.one(BEST), form.one(SECOND)
        if best == second or not {best, second} <= legal:
            raise AnswerError("Please choose two different replies.", field="choice")
        return Answer({BEST: int(best), SECOND: int(second)})

    def is_correct(self, asked: AskedItem, answer: Answer) -> bool | None:
        """Whether the best reply of an attention check is the true one."""
        return None if asked.item.gold is None else _slot(asked.order, answer.values[BEST]) == asked.item.gold

    def same_answer(self, item: Item, first: Judgment, second: Judgment) -> bool:
        """Whether both times the same reply was the best one."""
        return _slot(first.order, first.answer[BEST]) == _slot(second.order, second.answer[BEST])

    def texts_shown(self, asked: AskedItem) -> Iterable[str]:
        """Context and replies."""
        question = question_of(asked.item)
        background = question.background if self.settings.show_background else ()
        return (*background, *(text for _, text in question.context), *question.candidates)

    def position_chosen(self, answer: Answer) -> int | None:
        """The row of the best reply."""
        return int(str(answer.values[BEST]))

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The best and the second-best reply by their places in the file of items, and the true one."""
        question = question_of(item)
        return {
            "judgment": judgment.id,
            "arm": judgment.arm,
            "item": question.item,
            "corpus": question.corpus,
            "version": item.block,
            "candidates": len(question.candidates),
            "truth": question.truth,
            BEST: _slot(judgment.order, judgment.answer[BEST]),
            SECOND: _slot(judgment.order, judgment.answer[SECOND]),
            "annotator": judgment.annotator,
            "annotator_kind": judgment.annotator_kind,
            "seconds": judgment.seconds,
            "seconds_kind": judgment.seconds_kind,
            "at": judgment.at,
            "revision": judgment.revision,
            "is_onboarding": judgment.is_onboarding,
            "excluded": judgment.excluded,
        }


def _family(declared: tuple[str, ...]) -> str:
    """Which comparisons share an error rate, as the plan says it."""
    said = "Holm over all comparisons of cohorts; of each model, over its comparisons with cohorts"
    together = tuple(dict.fromkeys(declared))
    return said if len(together) < 2 else f"{said}, but {say_list(together)} share one family"


def _slot(order: tuple[int, ...], number: object) -> int:
    """The place of a reply in its item, by the number that it was shown with."""
    return order[int(str(number)) - 1]
