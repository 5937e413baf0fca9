"""What an annotator sees at every turn of a chat with several bots, and what the cards and forms say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel

from duologue.bots import Briefing
from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.judgments import ChosenTurn, Judgment
from duologue.per_turn.rows import Setting
from duologue.per_turn.settings import PerTurnSettings, TurnArm, mechanism_of, words_of
from duologue.per_turn.stored import turn_records
from duologue.per_turn.template import TEMPLATE
from duologue.protocols import (
    CHAT,
    ONLY_ARM,
    Answer,
    Arm,
    Asked,
    AtTurn,
    CardQuestion,
    ChatPlan,
    ChatSettings,
    First,
    FormValues,
    Item,
    Material,
    Selection,
    StudyProtocol,
    VerdictRules,
    View,
    dialogue_view,
    read_selection,
)
from duologue.seeds import seed_sequence

SETTING = "setting"
"""The extra of an item that says how replies are selected; a single bot's has none."""

DIMENSION = "also_"
"""What the fields of further questions about the cards begin with."""

WHOLE = "whole_"
"""What the fields of questions about the whole conversation begin with."""

RULE = (
    "the larger p-value of a test that takes turns as independent (exact binomial, McNemar mid-p, Pearson's "
    "chi-square, Cochran's Q) and of one clustered by dialogue and annotator (CR3; T² for several bots)"
)
"""Which test decides about turns, as the plan says it."""

WORDING = {
    "instructions": (
        "You will have a conversation in writing. After each of your messages you see one or more replies: "
        "select as you are asked, and the conversation goes on. There are no right or wrong answers."
    ),
    "chat_instructions": (
        "Write as you would to somebody you have just met. After each message, select among the replies as "
        "you are asked: the conversation goes on with one of them."
    ),
    "keys": "Keys: the number of an answer to choose it, Enter to go on",
    "progress": "Conversation {number} of {total}",
}
"""What is said in other words than where dialogues are compared."""


class PerTurnProtocol(StudyProtocol[PerTurnSettings]):
    """A live chat in which replies are selected at every turn: one bot, two or several at once."""

    name: ClassVar[str] = "per-turn"
    settings_model: ClassVar[type[BaseModel]] = PerTurnSettings
    template: ClassVar[str] = TEMPLATE
    next_steps: ClassVar[tuple[str, ...]] = (
        "duologue study show {study}",
        "duologue study plan {study}",
        "duologue serve {study}",
    )
    group_noun: ClassVar[str] = "arm"
    wording: ClassVar[Mapping[str, str]] = WORDING
    parts: ClassVar[Mapping[str, str]] = {
        "design": "duologue.per_turn.design:PerTurnDesign",
        "planner": "duologue.per_turn.design.planner:PerTurnPlanner",
        "report": "duologue.per_turn.report:PerTurnReport",
        "rehearsal": "duologue.per_turn.rehearsal:PerTurnRehearsal",
    }

    def arms(self) -> tuple[Arm, ...]:
        """One for the store: the arms of the study are groups of items, each with its own bots."""
        return (Arm(ONLY_ARM, self.settings.question or f"replies: {self.settings.ask}"),)

    def items_file(self) -> str:
        """The file of chats to hold."""
        return self.settings.file

    def annotations_per_item(self) -> int:
        """A chat is had once."""
        return 1

    def max_per_group(self, chat: ChatSettings) -> int | None:
        """How many chats of an arm an annotator has."""
        return chat.chats_per_annotator

    def rules(self, *, stopping: str) -> VerdictRules:
        """The rule of turns; Holm over all comparisons, or those of the primary arm."""
        primary = self.settings.primary
        family = "Holm over the comparisons of all arms"
        if primary is not None:
            family = f"Holm over the comparisons of the arm {primary}; the others are secondary"
        return VerdictRules(test=RULE, family=family, asks_for_reasons=False, gap=self.settings.gap)

    def draw(self, material: Material) -> Iterable[Item]:
        """The chats of every arm: as many, with the same personas and topics, one after the other."""
        arms = self.settings.arms_with(material.bots)
        briefings = _shuffled(material.briefings, material.seed) or (Briefing(),)
        for arm in arms:
            for number in range(arm.chats or material.chat.chats_per_bot):
                plan = self._plan(arm, number, briefings[number % len(briefings)], material.chat)
                extras: dict[str, Json] = {CHAT: plan.record()}
                if arm.chosen is not None:
                    extras[SETTING] = arm.chosen
                yield Item(f"{arm.name}-{number + 1}", arm.name, arm.bots, (), (), extras=extras)

    def _plan(self, arm: TurnArm, number: int, briefing: Briefing, chat: ChatSettings) -> ChatPlan:
        by_turns: First = "partner" if number % 2 else "annotator"
        first = by_turns if chat.first == "balanced" else chat.first
        setting = arm.chosen
        return ChatPlan(
            first=first,
            persona=briefing.persona,
            annotator_persona=briefing.partner_persona,
            topic=briefing.topic,
            choose="one" if setting == "soba" else "any",
            goes_on="chosen" if setting == "soba" else "annotator" if setting == "sata-user" else "random",
            after_failure=self.settings.after_failure,
            min_written=self.settings.min_written if setting == "sata-user" else 1,
        )

    def show(self, asked: Asked) -> View:
        """At a turn the question over the cards; after the chat what is asked about all of it."""
        if isinstance(asked.moment, AtTurn):
            setting = setting_of(asked.item)
            further = [(f"{DIMENSION}{one}", words_of(one, setting)) for one in self.settings.dimensions]
            values = {"further": further, "is_one": setting == "soba", "texts": asked.moment.candidates}
            template = "dimensions.html" if further else ""
            return View("", values, cards=CardQuestion(self.settings.words(setting), template))
        dialogue = asked.dialogues[0] if asked.dialogues else None
        return View(
            "whole.html",
            {
                "questions": [
                    (f"{WHOLE}{one.name}", one.text, one.points) for one in self.settings.questions
                ],
                "dialogue": dialogue_view(dialogue, judged=dialogue.judged) if dialogue else None,
            },
        )

    def read(self, asked: Asked, form: FormValues) -> Answer | Selection:
        """What was selected at a turn, or what was said about the whole conversation."""
        if isinstance(asked.moment, AtTurn):
            return self._selection(asked, asked.moment, form)
        given: dict[str, Json] = {}
        for question in self.settings.questions:
            value = form.get(f"{WHOLE}{question.name}")
            if value not in {point for point, _ in question.points}:
                raise AnswerError("Please choose one of the answers.", field="choice")
            given[question.name] = int(value or 0)
        return Answer({"whole": given})

    def _selection(self, asked: Asked, moment: AtTurn, form: FormValues) -> Selection:
        found = read_selection(asked, form)
        legal = {str(number): number for number in range(1, len(moment.candidates) + 1)}
        is_one = setting_of(asked.item) == "soba"
        values: dict[str, Json] = {}
        for name in self.settings.dimensions:
            given = form.every(f"{DIMENSION}{name}")
            if not set(given) <= set(legal) or (is_one and len(set(given)) != 1):
                raise AnswerError("Please choose among the replies that are shown.", field="chosen")
            values[name] = sorted({legal[value] for value in given})
        return Selection(found.turn, found.chosen, found.written, values, found.shown)

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The chat with its turns, each as a record of ``duologue.turns/1``."""
        setting = setting_of(item)
        whole = judgment.answer.get("whole")
        given = whole if isinstance(whole, Mapping) else {}
        return {
            "judgment": judgment.id,
            "arm": item.group,
            "mechanism": mechanism_of(item.bots),
            "setting": setting or "",
            "bots": "|".join(item.bots),
            "turns": self._turns(item, judgment, judgment.turns),
            **{f"whole_{question.name}": given.get(question.name) for question in self.settings.questions},
            "annotator": judgment.annotator,
            "annotator_kind": judgment.annotator_kind,
            "item": item.id,
            "dialogue": judgment.dialogue,
            "seconds": judgment.seconds,
            "seconds_kind": judgment.seconds_kind,
            "at": judgment.at,
            "revision": judgment.revision,
            "is_onboarding": judgment.is_onboarding,
            "excluded": judgment.excluded,
        }

    def _turns(self, item: Item, judgment: Judgment, turns: Sequence[ChosenTurn]) -> list[Json]:
        return list(turn_records(item, judgment, turns, setting=setting_of(item)))


def setting_of(item: Item) -> Setting | None:
    """How replies are selected in a chat; None of a single bot."""
    found: Mapping[object, Setting] = {"soba": "soba", "sata-random": "sata-random", "sata-user": "sata-user"}
    return found.get(item.extras.get(SETTING))


def _shuffled(briefings: Sequence[Briefing], seed: int) -> tuple[Briefing, ...]:
    if not briefings:
        return ()
    import numpy as np  # a tenth of a second that showing pages need not wait for

    order = np.random.default_rng(seed_sequence(seed, "personas")).permutation(len(briefings))
    return tuple(briefings[place] for place in order.tolist())
