"""What an annotator sees of a pairing, and what the submitted form says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import BaseModel

from duologue.acute.answers import choices_of, legal_answers
from duologue.acute.gold import gold_slot
from duologue.acute.options import AcuteAnalysisOptions, AcutePlanOptions
from duologue.acute.phrasings.design.rules import PHRASING_RULES, PHRASING_STEPS
from duologue.acute.phrasings.design.template import PHRASINGS_TEMPLATE
from duologue.acute.questions import Question
from duologue.acute.ranking.answers import (
    PLACES,
    gold_place,
    is_ranking,
    ranked_slots,
    ranks_in,
    read_ranks,
)
from duologue.acute.ranking.rows import NOT_OF_A_RANKING, pair_rows, shown_positions
from duologue.acute.settings import VERSUS, AcuteSettings, say_matchup
from duologue.acute.template import PARALLEL_TEMPLATE, SAME_BOT_TEMPLATE, TEMPLATE
from duologue.acute.together import (
    AskedView,
    field_ending,
    given_together,
    kept_together,
    names_in_order,
    seconds_in,
)
from duologue.acute.wording import FACT_SETTINGS, facts_of, heading_of, numbers_of, wording_of
from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.judgments import Column, Judgment
from duologue.protocols import (
    ONLY_ARM,
    AnalysisOptions,
    Answer,
    AnytimeInterval,
    Arm,
    AskedItem,
    ChatSettings,
    Counted,
    Fact,
    FormValues,
    Heading,
    Item,
    JudgedBatch,
    KeptCounts,
    PlanOptions,
    StudyProtocol,
    TruthOption,
    VerdictRules,
    View,
    Win,
    addendum_asking,
    dialogue_view,
    group_asked,
    shared_columns,
)

MAX_REASON_CHARS = 10_000
_DAVIDSON = "Davidson's model where ties are allowed"

PARALLEL_STEPS = (
    "duologue pairings make {study}",
    "duologue rehearse {study}",
    "duologue serve {study}",
)
"""What brings a study of parallel chats to its annotators."""


class AcuteProtocol(StudyProtocol[AcuteSettings]):
    """Two dialogues side by side, one judged speaker in each (Li, Weston and Roller 2019).

    They are finished ones, or two live chats that the annotator has at the same time.
    """

    name: ClassVar[str] = "acute"
    settings_model: ClassVar[type[BaseModel]] = AcuteSettings
    template: ClassVar[str] = TEMPLATE
    other_templates: ClassVar[Mapping[str, str]] = {
        "parallel": PARALLEL_TEMPLATE,
        "phrasings": PHRASINGS_TEMPLATE,
        "same-bot": SAME_BOT_TEMPLATE,
    }
    next_steps: ClassVar[tuple[str, ...]] = (
        "duologue dialogues import {study} LOGS.jsonl --bot NAME",
        "duologue pairings make {study}",
        "duologue serve {study}",
    )
    group_noun: ClassVar[str] = "matchup"
    wording: ClassVar[Mapping[str, str]] = {}  # a study file says it in these words by default
    heading: ClassVar[Heading] = {}
    fact_settings: ClassVar[Mapping[Fact, str]] = FACT_SETTINGS
    truth_options: ClassVar[tuple[TruthOption, ...]] = (
        TruthOption(
            "prefer",
            "Where dialogues are compared: a true preference as A:B=0.7 (A is preferred 70 % of the time); "
            "may be repeated.",
            "A:B=0.7",
        ),
        TruthOption(
            "order",
            'Where dialogues are compared: all or some bots from best to worst: "A > B > C".',
            '"A > B > C"',
            is_repeated=False,
        ),
        TruthOption(
            "clarity",
            "Where phrasings are compared: the share of careful annotators who give the same answer by one, "
            "as PHRASING=0.9; may be repeated.",
            "PHRASING=0.9",
        ),
        TruthOption(
            "drift",
            "Where matchups are asked again: what is true then, as A:B=0.4; may be repeated.",
            "A:B=0.4",
        ),
    )
    analysis_options: ClassVar[type[AnalysisOptions]] = AcuteAnalysisOptions
    plan_options: ClassVar[type[PlanOptions]] = AcutePlanOptions
    parts: ClassVar[Mapping[str, str]] = {
        "design": "duologue.acute.design:AcuteDesign",
        "planner": "duologue.acute.design.planner:AcutePlanner",
        "report": "duologue.acute.report:AcuteReport",
        "rehearsal": "duologue.acute.rehearsal:AcuteRehearsal",
    }

    def study_steps(self) -> tuple[str, ...]:
        """Dialogues are brought in and paired; of parallel chats only the pairs of bots are."""
        if self.settings.compares_phrasings:
            return PHRASING_STEPS
        return PARALLEL_STEPS if self.settings.is_parallel else self.next_steps

    def facts(self) -> frozenset[Fact]:
        """Two or three conversations are read, or two are had, and compared as the settings say."""
        return facts_of(self.settings)

    def numbers(self) -> Mapping[Counted, frozenset[int]]:
        """As many as the settings say."""
        return numbers_of(self.settings)

    def study_wording(self) -> Mapping[str, str]:
        """What is compared, how it is answered, and whether a reason is asked for."""
        return wording_of(self.settings)

    def study_heading(self) -> Heading:
        """That of chats with two partners at once, and of rankings, where there are such."""
        return heading_of(self.settings)

    def arms(self) -> tuple[Arm, ...]:
        """One arm per question; one with all of them where they are asked together."""
        acute = self.settings
        if not acute.questions:
            return (Arm(ONLY_ARM, acute.resolved().text),)
        if acute.is_together:
            texts = " / ".join(one.resolved().text for one in acute.questions)
            return (Arm(ONLY_ARM, texts, leading=acute.question_of(ONLY_ARM).text),)
        if acute.compares_phrasings:
            return tuple(Arm(arm.name, arm.resolved().text, arm.phrases) for arm in acute.questions)
        return tuple(Arm(arm.name, arm.resolved().text) for arm in acute.questions)

    def items_file(self) -> str:
        """The pairings file."""
        return self.settings.pairings.file

    def annotations_per_item(self) -> int:
        """How many annotators judge each pairing."""
        return self.settings.annotations_per_pairing

    def dialogues_read(self) -> int:
        """Two side by side, three that are ranked; parallel chats are held and not read."""
        if self.settings.is_parallel:
            return 0
        return len(PLACES) if self.settings.is_ranked else 2

    def questions_asked(self) -> int:
        """As many as are asked together."""
        return len(self.settings.questions) if self.settings.is_together else 1

    def max_per_group(self, chat: ChatSettings) -> int | None:
        """How many parallel chats of a matchup an annotator has; of finished dialogues, any number."""
        return chat.chats_per_annotator if self.settings.is_parallel else None

    def rules(self, *, stopping: str) -> VerdictRules:
        """The exact test, clustered where anything repeats; Holm over the matchups."""
        acute = self.settings
        if acute.compares_phrasings:
            return replace(
                PHRASING_RULES,
                asks_for_reasons=acute.reason != "off",
                requires_reasons=acute.reason == "required",
            )
        test = (
            "exact two-sided binomial test of an even split, ties left out; the larger p-value of it and a "
            "cluster-robust one (CR3) where an annotator or a dialogue occurs more than once in a matchup"
        )
        if acute.is_graded:
            test = (
                "that the mean score is 0 (clearly better 1, slightly better 0.5, a tie 0, negative for the "
                "other bot): the larger p-value of Student's t-test, cluster-robust (CR3) where an annotator "
                "or a dialogue occurs more than once in a matchup, and of the exact sign-flip test, whole "
                "clusters flipped"
            )
        if acute.is_ranked:
            test = f"each ranking of three as its three pairs, one in a matchup; {test}"
        if stopping == "sequential":
            on = "the scores of the judgments" if acute.is_graded else "the judgments with a winner"
            test = (
                f"mixture sequential probability ratio test for the planned gap, on {on} in the order in "
                "which they come; one bet for each annotator where annotators judge a matchup more than once"
            )
        if acute.verdicts == "pooled" and stopping != "sequential":
            model = "a graded answer as a part of a win" if acute.is_graded else _DAVIDSON
            test = (
                f"differences of Bradley–Terry strengths pooled over all matchups ({model}), clustered by "
                "annotator and dialogue, Student's t; with fewer than 20 annotators, no more annotators than "
                f"bots, or a lack of fit below 0.01, each matchup by itself: {test}"
            )
            if acute.covariates:
                test += (
                    f". Covariates ({', '.join(acute.covariates)}) of all dialogues free the strengths of "
                    "what they explain within matchups, where the lower end of the 90 % interval of that is "
                    "at least 5 %, on 200 judgments or more"
                )
        share = "Bonferroni" if stopping == "sequential" else "Holm"
        part = "question" if acute.is_together else "arm"
        family = f"{share} over all matchups" + (f" of all {part}s" if len(acute.questions) > 1 else "")
        if acute.primary is not None:
            family = (
                f"{share} over the matchups of the primary {part}, {acute.primary}; other {part}s are "
                "secondary"
            )
        if acute.verdicts == "pooled" and stopping != "sequential":
            family = f"all pairs of bots, closed testing; of direct verdicts: {family}"
        return VerdictRules(
            test,
            family,
            asks_for_reasons=acute.reason != "off",
            requires_reasons=acute.reason == "required",
        )

    def say_group(self, group: str) -> str:
        """A matchup in words: ``ada against bea``."""
        again = addendum_asking(group)
        return say_matchup(group_asked(group)) + (f", asked again ({again})" if again else "")

    def rivals(self, group: str) -> tuple[str, str] | None:
        """The two bots of a matchup; None of a ranking, whose three pairs are matchups of their own."""
        group = group_asked(group)
        if self.settings.is_ranked and group.count(VERSUS) == len(PLACES) - 1:
            return None
        first = group[: (len(group) - len(VERSUS)) // 2]
        if group == f"{first}{VERSUS}{first}":
            return first, first
        first, _, second = group.partition(VERSUS)
        return first, second

    def win(self, row: Mapping[str, Json]) -> Win | None:
        """Who won; a bot compared with itself is told apart by where it was shown.

        None of a ranking, whose three pairs are matchups of their own.
        """
        if row.get("middle"):
            return None
        winner, loser = str(row["winner"]), str(row["loser"])
        if winner == loser:
            shown = ("shown first", "shown second")
            side = 0 if row["winner_side"] == 1 else 1
            winner, loser = f"{winner}, {shown[side]}", f"{loser}, {shown[1 - side]}"
        return Win(str(row["arm"]), str(row["matchup"]), winner, loser, is_tie=row["outcome"] == "tie")

    def anytime(self, kept: KeptCounts) -> Mapping[tuple[str, str], AnytimeInterval]:
        """The interval of the mixture SPRT, by the functions with which the analysis computes it."""
        if self.settings.compares_phrasings:
            return {}
        from duologue.acute.analysis.looking import anytime_of_groups  # with scipy, for these studies only

        return anytime_of_groups(self.settings, kept, rivals=self.rivals)

    def show(self, asked: AskedItem) -> View:
        """The question, its choices, and the dialogues in the order they are shown: two, or three to rank.

        Keys: ``question`` (the text of all of them, by which an arm with another one is known), ``questions``
        (each an `AskedView`, in the order asked), ``places`` of a ranking,
        ``dialogues`` and ``reason``.
        """
        acute = self.settings
        questions = tuple(self._questions(asked))
        values: dict[str, object] = {
            "question": " / ".join(question.text for question in questions),
            "questions": questions,
            "dialogues": tuple(
                dialogue_view(asked.dialogues[slot], judged=_judged(asked, slot), side=side)
                for side, slot in enumerate(asked.order, 1)
            ),
            "reason": acute.reason,
        }
        if is_ranking(asked.item):
            return View("ranking.html", {**values, "places": PLACES})
        return View("comparison.html", values)

    def _questions(self, asked: AskedItem) -> Iterator[AskedView]:
        """The questions about an item in the order in which this annotator is asked them."""
        acute = self.settings
        names = names_in_order(acute, asked.annotator) if acute.is_together else (asked.arm,)
        for name in names:
            question = acute.question_of(name)
            choices = choices_of(question, is_graded=acute.is_graded, ties=acute.ties)
            has_reason = acute.reason != "off" and (not acute.is_together or name == acute.lead)
            of_two = () if is_ranking(asked.item) else choices
            yield AskedView(question.text, field_ending(acute, name), has_reason, of_two)

    def read(self, asked: AskedItem, form: FormValues) -> Answer:
        """The chosen side and how clearly, a tie where the study allows it, or the places; and the reason.

        Of several questions, all of that for each, and one reason.
        """
        acute = self.settings
        if acute.is_together:
            order = names_in_order(acute, asked.annotator)
            ending = {name: field_ending(acute, name) for name in order}
            took = {name: seconds_in(form.get(f"took{ending[name]}", "")) for name in order}
            said: Mapping[str, Json] = kept_together(
                acute,
                {name: self._said(asked, form, ending[name]) for name in order},
                order,
                {name: seconds for name, seconds in took.items() if seconds is not None},
            )
        else:
            said = self._said(asked, form)
        reason = form.get("reason", "").strip() if acute.reason != "off" else ""
        if acute.reason == "required" and not reason:
            raise AnswerError("Please say in a few words why.", field="reason")
        if len(reason) > MAX_REASON_CHARS:
            raise AnswerError(
                f"Please keep the reason under {MAX_REASON_CHARS:,} characters.", field="reason"
            )
        return Answer(said, reason)

    def _said(self, asked: AskedItem, form: FormValues, ending: str = "") -> Mapping[str, Json]:
        """What the form says to one question."""
        if is_ranking(asked.item):
            return {"ranks": read_ranks(form, ending)}
        field = f"choice{ending}"
        legal = legal_answers(is_graded=self.settings.is_graded, ties=self.settings.ties)
        said = legal.get(form.one(field))
        if said is None:
            raise AnswerError("Please choose one of the answers.", field=field)
        return said

    def is_correct(self, asked: AskedItem, answer: Answer) -> bool | None:
        """Whether the credited side is the gold one (a tie is not), or has the place that it should have."""
        question = self.settings.question_of(asked.arm)
        ranks = ranks_in(answer.values)
        if ranks is not None:
            known = gold_place(asked.item)
            return (
                None
                if known is None
                else ranked_slots(question, asked.order, ranks)[known[1] - 1] == known[0]
            )
        gold = gold_slot(asked.item)
        if gold is None:
            return None
        return _credited_slot(question, asked.order, answer.values) == gold

    def position_chosen(self, answer: Answer) -> int | None:
        """The side as it was shown; none of a tie. Of a ranking, what was put in the first place."""
        ranks = ranks_in(answer.values)
        if ranks is not None:
            return ranks.index(1) + 1
        side = answer.values["side"]
        return side if isinstance(side, int) else None

    def same_answer(self, item: Item, first: Judgment, second: Judgment) -> bool:
        """Whether both name the same dialogue, or both none; of rankings, whether both have one order."""
        question = self.settings.question_of(first.arm)
        one, other = (_said_of_slots(question, given.order, given.answer) for given in (first, second))
        return one == other

    def different_answers(self) -> int | None:
        """One dialogue, the other, or none where the study allows ties; six orders of three.

        None where some are ranked and others compared.
        """
        if self.settings.is_ranked:
            return None if self.settings.pairings.pairs_per_matchup else math.factorial(len(PLACES))
        return 3 if self.settings.ties else 2

    def columns(self, batch: JudgedBatch) -> Mapping[str, Column]:
        """Winner and loser by bot name, the side the winner was shown on, and all that goes with it.

        Of a ranking the winner is its first and the loser its last; between them is the ``middle``. None
        where several questions are asked together: a judgment is then several rows.
        """
        if self.settings.is_together:
            return {}
        decided = self._decided(batch)
        both = [
            (slots[0], slots[-1], bots, shown)
            for (slots, _, _), bots, shown in zip(decided, batch.bots, batch.dialogues, strict=True)
        ]
        leads = [str(answer.get("lead", "")) for answer in batch.answers]
        texts = {arm: self.settings.question_of(arm).text for arm in set(batch.arms)}
        return {
            **shared_columns(batch),
            "question": [texts[arm] for arm in batch.arms],
            "outcome": [outcome for _, outcome, _ in decided],
            "winner": [bots[winner] for winner, _, bots, _ in both],
            "loser": [bots[loser] for _, loser, bots, _ in both],
            "winner_side": np.array([side for _, _, side in decided], dtype=np.int8),
            **({"lead": leads} if any(leads) else {}),
            "pairing": np.array(batch.item_numbers, dtype=np.int32),
            "winner_dialogue": [shown[winner] for winner, _, _, shown in both],
            "loser_dialogue": [shown[loser] for _, loser, _, shown in both],
            **self._middles(batch, [slots for slots, _, _ in decided]),
        }

    def _middles(self, batch: JudgedBatch, decided: Sequence[Sequence[int]]) -> Mapping[str, Column]:
        """Of rankings, the bot in the middle, its dialogue, and where all three were shown."""
        if all(len(slots) < len(PLACES) for slots in decided):
            return {}
        found = [slots[1] if len(slots) == len(PLACES) else None for slots in decided]
        every = list(zip(found, batch.bots, batch.dialogues, batch.orders, decided, strict=True))
        return {
            "middle": ["" if slot is None else bots[slot] for slot, bots, _, _, _ in every],
            "middle_dialogue": ["" if slot is None else shown[slot] for slot, _, shown, _, _ in every],
            "positions": [
                "" if slot is None else shown_positions(order, slots) for slot, _, _, order, slots in every
            ],
        }

    def _decided(self, batch: JudgedBatch) -> list[tuple[tuple[int, ...], str, int]]:
        """The slots from the best to the worst, the outcome, and the winner's side: there are few different.

        A ranking has no side of its own; its pairs have.
        """
        found: dict[tuple[str, int, tuple[int, ...]], tuple[tuple[int, ...], str, int]] = {}
        decided = []
        for arm, answer, order in zip(batch.arms, batch.answers, batch.orders, strict=True):
            key = arm, id(answer), order
            if key not in found:
                slots, outcome = _from_best(self.settings.question_of(arm), order, answer)
                side = 0 if len(slots) == len(PLACES) else order.index(slots[0]) + 1
                found[key] = slots, outcome, side
            decided.append(found[key])
        return decided

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """Winner and loser by bot name, the side the winner was shown on, and all that goes with it.

        On a tie ``winner`` and ``loser`` are the bots on side 1 and side 2, and ``outcome`` says ``tie``. Of
        a ranking they are the first and the last, and ``middle`` is between; `as_rows` has its three pairs.
        """
        question = self.settings.question_of(judgment.arm)
        slots, outcome = _from_best(question, judgment.order, judgment.answer)
        row = self._row(item, judgment, slots, outcome)
        if len(slots) == len(PLACES):
            middle = slots[1]
            row |= {
                "winner_side": None,
                "middle": item.bots[middle],
                "middle_dialogue": item.dialogues[middle],
                "positions": shown_positions(judgment.order, slots),
            }
        return row

    def as_rows(self, item: Item, judgment: Judgment) -> Sequence[Mapping[str, Json]]:
        """One row of a comparison of two, three of a ranking, a pair each; and so for every question."""
        given = (
            tuple(given_together(self.settings, judgment.answer, seconds=judgment.seconds))
            if self.settings.is_together
            else ()
        )
        if not given:
            return self._pairs(item, judgment)
        rows: list[Mapping[str, Json]] = []
        for one in given:
            reason = judgment.reason if one.name == self.settings.lead else ""
            own = replace(judgment, arm=one.name, answer=one.values, reason=reason)
            asked: dict[str, Json] = {
                "asked": one.place,
                "asked_seconds": None if math.isnan(one.seconds) else one.seconds,
            }
            rows += [{**row, **_of_ranking(row, one.place), **asked} for row in self._pairs(item, own)]
        return rows

    def _pairs(self, item: Item, judgment: Judgment) -> Sequence[Mapping[str, Json]]:
        """The rows of one answer."""
        question = self.settings.question_of(judgment.arm)
        slots, outcome = _from_best(question, judgment.order, judgment.answer)
        row = self._row(item, judgment, slots, outcome)
        if len(slots) == len(PLACES):
            return tuple(pair_rows(row, item, judgment, slots))
        return ({**row, **NOT_OF_A_RANKING} if self.settings.is_ranked else row,)

    def _row(self, item: Item, judgment: Judgment, slots: Sequence[int], outcome: str) -> dict[str, Json]:
        winner, loser = slots[0], slots[-1]
        return {
            "judgment": judgment.id,
            "arm": judgment.arm,
            "question": self.settings.question_of(judgment.arm).text,
            "matchup": item.group,
            "outcome": outcome,
            "winner": item.bots[winner],
            "loser": item.bots[loser],
            "winner_side": judgment.order.index(winner) + 1,
            "chosen_side": judgment.answer.get("side"),
            **self._lead(judgment),
            **self._phrasing(judgment.arm),
            "annotator": judgment.annotator,
            "annotator_kind": judgment.annotator_kind,
            "pairing": item.id,
            "winner_dialogue": item.dialogues[winner],
            "loser_dialogue": item.dialogues[loser],
            "reason": judgment.reason,
            "seconds": judgment.seconds,
            "seconds_kind": judgment.seconds_kind,
            "at": judgment.at,
            "revision": judgment.revision,
            "is_onboarding": judgment.is_onboarding,
            "is_correct": judgment.is_correct,
            "excluded": judgment.excluded,
        }

    def _phrasing(self, arm: str) -> dict[str, Json]:
        """What the arm's question is a phrasing of, and its answer for Speaker 1, where they are compared."""
        if not self.settings.compares_phrasings:
            return {}
        axis = next((one.phrases for one in self.settings.questions if one.name == arm), "")
        return {"phrasing_axis": axis, "phrasing_choice": self.settings.question_of(arm).choices[0]}

    def _lead(self, judgment: Judgment) -> dict[str, Json]:
        """How clearly the winner won, where answers are graded, or were when this one was given."""
        if not self.settings.is_graded and "lead" not in judgment.answer:
            return {}
        return {"lead": judgment.answer.get("lead")}


def _of_ranking(row: Mapping[str, Json], place: int) -> dict[str, Json]:
    """The number of a ranking, where each question has one of its own."""
    ranking = row.get("ranking")
    return {"ranking": f"{ranking}-{place}"} if ranking else {}


def _judged(asked: AskedItem, slot: int) -> str:
    """Who is judged in a dialogue: as the item says, or of a live chat the bot."""
    return asked.item.judged[slot] if asked.item.judged else asked.dialogues[slot].judged


def _credited_slot(question: Question, order: Sequence[int], values: Mapping[str, object]) -> int | None:
    side = values["side"]
    if side is None:
        return None
    assert isinstance(side, int)  # noqa: S101  `parse` made it
    return order[question.credited_side(side) - 1]


def _from_best(
    question: Question, order: Sequence[int], values: Mapping[str, object]
) -> tuple[tuple[int, ...], str]:
    """The slots from the best to the worst, and whether one won; on a tie as they were shown."""
    ranks = ranks_in(values)
    if ranks is not None:
        return ranked_slots(question, order, ranks), "win"
    slot = _credited_slot(question, order, values)
    winner = order[0] if slot is None else slot
    return (winner, 1 - winner), "tie" if slot is None else "win"


def _said_of_slots(question: Question, order: Sequence[int], values: Mapping[str, object]) -> object:
    """The slot that is better, or none, or all from best to worst."""
    ranks = ranks_in(values)
    return _credited_slot(question, order, values) if ranks is None else ranked_slots(question, order, ranks)
