"""What an annotator sees of three dialogues, screen by screen, and what the forms say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import ClassVar

from pydantic import BaseModel

from duologue.dialogues import Dialogue, Json
from duologue.errors import AnswerError, DesignError
from duologue.judgments import Judgment
from duologue.protocols import (
    CHAT,
    ONLY_ARM,
    AnalysisOptions,
    Answer,
    Arm,
    AskedItem,
    AtTurn,
    CardQuestion,
    ChatSettings,
    Draft,
    FormValues,
    Item,
    Material,
    Option,
    PlanOptions,
    Screen,
    Selection,
    StudyProtocol,
    TruthOption,
    VerdictRules,
    View,
    dialogue_view,
    read_selection,
)
from duologue.seeds import seed_sequence
from duologue_best_worst.live import live_items, most_and_least_chosen
from duologue_best_worst.options import BestWorstOptions, BestWorstPlanOptions
from duologue_best_worst.settings import TEMPLATE, BestWorstSettings

TIE = "tie"
TALKED = "talked"
CHECK = "check"
FAILED = "check-failed"
"""The rule of our own: the annotator does not know which conversation ended with a message."""


@dataclass(frozen=True, slots=True)
class Step:
    """One screen: the field that it fills in, what it asks, and what may be chosen."""

    field: str
    question: str
    options: tuple[Option, ...]


class BestWorstProtocol(StudyProtocol[BestWorstSettings]):
    """Three finished dialogues: the best one, the worst one, and whether they were read."""

    name: ClassVar[str] = "best-worst"
    settings_model: ClassVar[type[BaseModel]] = BestWorstSettings
    template: ClassVar[str] = TEMPLATE
    next_steps: ClassVar[tuple[str, ...]] = (
        "duologue dialogues self-chat {study} -n 40",
        "duologue study show {study}",
        "duologue serve {study}",
    )
    group_noun: ClassVar[str] = "three"
    wording: ClassVar[Mapping[str, str]] = {
        "instructions": "Read three conversations. Then tell us which speaker is best and which is worst.",
        "progress": "Conversations {number} of {total}",
    }
    truth_options: ClassVar[tuple[TruthOption, ...]] = (
        TruthOption("strength", "Of best-worst: the true strength of a bot as A=1.5, in logits.", "A=1.5"),
    )
    analysis_options: ClassVar[type[AnalysisOptions]] = BestWorstOptions
    plan_options: ClassVar[type[PlanOptions]] = BestWorstPlanOptions
    parts: ClassVar[Mapping[str, str]] = {
        "design": "duologue_best_worst.design:BestWorstDesign",
        "planner": "duologue_best_worst.design:BestWorstPlanner",
        "rehearsal": "duologue_best_worst.rehearsal:BestWorstRehearsal",
        "report": "duologue_best_worst.report:BestWorstReport",
    }

    def arms(self) -> tuple[Arm, ...]:
        """One arm."""
        return (Arm(ONLY_ARM, self.settings.best),)

    def items_file(self) -> str:
        """The file of threes."""
        return "triples.jsonl"

    def annotations_per_item(self) -> int:
        """How many annotators judge each three."""
        return self.settings.annotations_per_item

    def say_group(self, group: str) -> str:
        """Three bots in words."""
        return group.replace("+", ", ")

    def rules(self, *, stopping: str) -> VerdictRules:
        """A sign test over annotators for every two bots."""
        return VerdictRules(
            test="exact sign test over annotators: who placed a bot above the other more often than below it",
            family="Holm over all pairs of bots",
            asks_for_reasons=False,
        )

    def max_per_group(self, chat: ChatSettings) -> int | None:
        """How often an annotator chats with the same three."""
        return chat.chats_per_annotator if self.settings.source == "live" else None

    def draw(self, material: Material) -> Iterator[Item]:
        """Every three bots, a dialogue of each, drawn by the study's seed; or live chats with all three."""
        judged = self.settings.items_per_triple
        if self.settings.source == "live":
            yield from live_items(material)
            judged = 0  # dialogues are for attention checks only
            if not self.settings.attention:
                return
        found: defaultdict[str, list[Dialogue]] = defaultdict(list)
        for dialogue in material.dialogues():
            found[dialogue.bot].append(dialogue)
        if len(found) < 3:
            raise DesignError(f"best-worst compares three bots, and there are dialogues of {len(found)}.")
        for bots in combinations(sorted(found), 3):
            drawn = [_shuffled(found[bot], material.seed, *bots, bot) for bot in bots]
            threes = zip(*drawn, strict=False)  # as many as the bot with the fewest dialogues has
            for number, three in enumerate(islice(threes, judged + self.settings.attention)):
                item = _item(number, bots, three)
                yield item if number < judged else _as_check(item)

    def show(self, asked: AskedItem) -> View:
        """The first screen that is not filled in yet, under the three dialogues; in a chat, the cards."""
        if isinstance(asked.moment, AtTurn):
            return View("", {}, cards=CardQuestion(self.settings.chosen))
        steps = self.steps(asked)
        at = next((n for n, step in enumerate(steps) if step.field not in asked.draft), len(steps) - 1)
        step = steps[at]
        values = {
            "field": step.field,
            "question": step.question,
            "options": step.options,
            "number": at + 1,
            "dialogues": tuple(
                dialogue_view(asked.dialogues[slot], judged=asked.item.judged[slot], side=side)
                for side, slot in enumerate(asked.order, 1)
                if asked.item.dialogues
            ),
            "is_last": at == len(steps) - 1 and asked.draft.get("best") is not None,
        }
        return View(
            "ranking.html", values, Screen(at + 1, step.field, step.question, step.options, "off", False)
        )

    def steps(self, asked: AskedItem) -> tuple[Step, ...]:
        """The screens of an item as far as they are known: without a best one there is no worst one."""
        if CHAT in asked.item.extras:
            return (
                Step(TALKED, "Did the conversation make sense?", (Option("1", "Yes"), Option("2", "No"))),
            )
        sides = tuple(Option(str(side), f"Conversation {side}") for side in range(1, len(asked.order) + 1))
        best = asked.draft.get("best")
        steps = [Step("best", self.settings.best, (*sides, Option(TIE, "No difference")))]
        if best != TIE:
            left = tuple(side for side in sides if side.value != best)
            steps.append(Step("worst", self.settings.worst, left))
        if self.settings.check and (slot := _checked(asked.item)) is not None:
            text = asked.dialogues[slot].turns[-1].text if asked.dialogues else ""
            steps.append(Step(CHECK, f"Which conversation ends with “{text}”?", sides))
        return tuple(steps)

    def read(self, asked: AskedItem, form: FormValues) -> Answer | Draft | Selection:
        """Best, worst and the check by shown side, when nothing is left to ask; in a chat, a selection."""
        if isinstance(asked.moment, AtTurn):
            return read_selection(asked, form)
        given: dict[str, str] = {}
        steps: tuple[Step, ...] = ()
        while len(given) < len(steps := self.steps(_with(asked, given))):
            step = steps[len(given)]
            value = form.get(step.field)
            if value is None:
                break
            if value not in {option.value for option in step.options}:
                raise AnswerError("Please choose one of the answers.", field=step.field)
            given[step.field] = value
        if form.get("screen", "") == str(len(given) + 1):
            raise AnswerError("Please choose one of the answers.", field=steps[len(given)].field)
        if len(given) < len(steps):
            return Draft(given)
        if CHAT in asked.item.extras:
            return Answer({**most_and_least_chosen(asked), CHECK: None})
        return Answer({name: _side(given.get(name)) for name in ("best", "worst", CHECK)})

    def is_correct(self, asked: AskedItem, answer: Answer) -> bool | None:
        """Whether an attention check was answered as its gold says; what is best is nobody's to know."""
        side, gold = answer.values.get(CHECK), asked.item.gold
        if not isinstance(gold, Mapping):
            return None
        return isinstance(side, int) and asked.order[side - 1] == gold[CHECK]

    def same_answer(self, item: Item, first: Judgment, second: Judgment) -> bool:
        """Whether the best and the worst are the same dialogues."""
        return all(_named(first, field) == _named(second, field) for field in ("best", "worst"))

    def screen(self, asked: AskedItem, answer: Answer) -> Mapping[str, str]:
        """A judgment does not count whose annotator names the wrong conversation in the check."""
        side, slot = answer.values[CHECK], _checked(asked.item)
        if not isinstance(side, int) or slot is None or asked.order[side - 1] == slot:
            return {}
        return {FAILED: "The annotator did not know which conversation ended with a message of it."}

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The bots with the best and the worst one of them, both empty on a tie."""

        def bot(name: str) -> str:
            side = judgment.answer[name]
            return item.bots[judgment.order[side - 1]] if isinstance(side, int) else ""

        return {
            "judgment": judgment.id,
            "arm": judgment.arm,
            "bots": "|".join(item.bots),
            "best": bot("best"),
            "worst": bot("worst"),
            "annotator": judgment.annotator,
            "annotator_kind": judgment.annotator_kind,
            "item": item.id,
            "dialogues": "|".join(item.dialogues),
            "seconds": judgment.seconds,
            "seconds_kind": judgment.seconds_kind,
            "at": judgment.at,
            "revision": judgment.revision,
            "is_onboarding": judgment.is_onboarding,
            "excluded": judgment.excluded,
        }


def _with(asked: AskedItem, draft: Mapping[str, str]) -> AskedItem:
    return AskedItem(asked.arm, asked.item, asked.order, asked.dialogues, FormValues(draft))


def _named(judgment: Judgment, field: str) -> int | None:
    """The slot that an answer names."""
    side = judgment.answer[field]
    return judgment.order[side - 1] if isinstance(side, int) else None


def _as_check(item: Item) -> Item:
    """A three whose last question has a known answer, among those that are judged."""
    return replace(item, id=f"{item.id}-check", role="attention", gold={CHECK: item.extras.get(CHECK)})


def _side(value: str | None) -> int | None:
    return None if value in (None, TIE) else int(value or 0)


def _checked(item: Item) -> int | None:
    slot = item.extras.get(CHECK)
    return slot if isinstance(slot, int) else None


def _item(number: int, bots: tuple[str, ...], three: Sequence[Dialogue]) -> Item:
    ends = [dialogue.turns[-1].text for dialogue in three]
    told_apart = [slot for slot, end in enumerate(ends) if ends.count(end) == 1]
    extras: dict[str, Json] = {CHECK: told_apart[number % len(told_apart)]} if told_apart else {}
    return Item(
        id=f"{'+'.join(bots)}-{number + 1}",
        group="+".join(bots),
        bots=bots,
        dialogues=tuple(dialogue.id for dialogue in three),
        judged=tuple(dialogue.judged for dialogue in three),
        extras=extras,
    )


def _shuffled(dialogues: Sequence[Dialogue], seed: int, *names: str) -> list[Dialogue]:
    import numpy as np  # a tenth of a second that showing pages need not wait for

    order = np.random.default_rng(seed_sequence(seed, "triples", *names)).permutation(len(dialogues))
    return [dialogues[place] for place in order.tolist()]
