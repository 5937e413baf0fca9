"""What an annotator sees at every turn of a chat with several bots, and what the cards and forms say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from pydantic import BaseModel

from duologue.bots import Briefing
from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.judgments import Judgment
from duologue.per_turn.finished.chat import FinishedChat, finished_chat
from duologue.per_turn.finished.page import TURN_FIELD, moment_of, moment_sent
from duologue.per_turn.options import PerTurnAnalysisOptions, PerTurnPlanOptions
from duologue.per_turn.rows import Setting
from duologue.per_turn.settings import PerTurnSettings, TurnArm, label_of, mechanism_of
from duologue.per_turn.stored import participant_records, turn_records
from duologue.per_turn.template import TEMPLATE
from duologue.per_turn.wording import (
    FACT_SETTINGS,
    arm_wording_of,
    facts_of,
    heading_of,
    numbers_of,
    wording_of,
)
from duologue.protocols import (
    CHAT,
    CHOSEN_FIELD,
    NONE_FIELD,
    ONLY_ARM,
    WRITTEN_FIELD,
    AnalysisOptions,
    Answer,
    Arm,
    AskedItem,
    AtTurn,
    CardQuestion,
    ChatPlan,
    ChatSettings,
    Counted,
    DialogueView,
    Fact,
    FormValues,
    Heading,
    Item,
    Material,
    PlanOptions,
    Selection,
    StudyProtocol,
    TruthOption,
    TurnView,
    VerdictRules,
    View,
    dialogue_view,
    labels_below,
    read_selection,
)

SETTING = "setting"
"""The extra of an item that says how replies are selected; a single bot's has none."""

DIMENSION = "also_"
"""What the fields of further questions about the cards begin with."""

NONE_VALUE = "none"
"""What such a field says where no reply is selected; that must be said, not only left open."""

WHOLE = "whole_"
"""What the fields of questions about the whole conversation begin with."""

RULE = (
    "the larger p-value of a test that takes turns as independent (exact binomial, McNemar mid-p, Pearson's "
    "chi-square, Cochran's Q) and of one clustered by dialogue and annotator (CR3; T² for several bots)"
)
"""Which test decides about turns, as the plan says it."""


class PerTurnProtocol(StudyProtocol[PerTurnSettings]):
    """A live chat in which replies are selected at every turn: one bot, two or several at once.

    Others may read such chats when they are finished, and select at every turn likewise.
    """

    name: ClassVar[str] = "per-turn"
    settings_model: ClassVar[type[BaseModel]] = PerTurnSettings
    template: ClassVar[str] = TEMPLATE
    next_steps: ClassVar[tuple[str, ...]] = (
        "duologue study show {study}",
        "duologue study plan {study}",
        "duologue serve {study}",
    )
    group_noun: ClassVar[str] = "arm"
    wording: ClassVar[Mapping[str, str]] = wording_of(PerTurnSettings())
    heading: ClassVar[Heading] = heading_of(PerTurnSettings())
    fact_settings: ClassVar[Mapping[Fact, str]] = FACT_SETTINGS
    truth_options: ClassVar[tuple[TruthOption, ...]] = (
        TruthOption(
            "appropriate",
            "Of turns: how often a bot's reply is appropriate, as A=0.7; may be repeated.",
            "A=0.7",
        ),
        TruthOption(
            "anchoring",
            "Of turns: what being shown first adds to that, as 0.06.",
            "0.06",
            is_repeated=False,
        ),
        TruthOption(
            "same",
            "Of finished chats: how often readers select as those did who had them, as 0.7; else by chance.",
            "0.7",
            is_repeated=False,
        ),
    )
    analysis_options: ClassVar[type[AnalysisOptions]] = PerTurnAnalysisOptions
    plan_options: ClassVar[type[PlanOptions]] = PerTurnPlanOptions
    parts: ClassVar[Mapping[str, str]] = {
        "design": "duologue.per_turn.design:PerTurnDesign",
        "planner": "duologue.per_turn.design.planner:PerTurnPlanner",
        "report": "duologue.per_turn.report:PerTurnReport",
        "rehearsal": "duologue.per_turn.rehearsal:PerTurnRehearsal",
    }

    def facts(self) -> frozenset[Fact]:
        """Annotators chat, or read what others said, and choose between replies."""
        return facts_of(self.settings)

    def numbers(self) -> Mapping[Counted, frozenset[int]]:
        """As many as the settings say."""
        return numbers_of(self.settings)

    def study_wording(self) -> Mapping[str, str]:
        """Whether conversations are had or read, how many replies there are, and what is asked at the end."""
        return wording_of(self.settings)

    def item_wording(self, item: Item) -> Mapping[str, str]:
        """What an arm says of its own replies."""
        if self.settings.collect != "live":
            return {}
        return arm_wording_of(self.settings, len(item.bots), setting_of(item))

    def study_heading(self) -> Heading:
        """Annotators chat, or read what others said."""
        return heading_of(self.settings)

    def arms(self) -> tuple[Arm, ...]:
        """One for the store: the arms of the study are groups of items, each with its own bots."""
        return (Arm(ONLY_ARM, self.settings.question or f"replies: {self.settings.ask}"),)

    def items_file(self) -> str:
        """The file of chats to hold."""
        return self.settings.file

    def annotations_per_item(self) -> int:
        """A chat is had once; how many read a finished one is the study's."""
        return self.settings.annotations_per_chat

    def max_per_group(self, chat: ChatSettings) -> int | None:
        """How many chats of an arm an annotator has; of finished ones they read any number."""
        return chat.chats_per_annotator if self.settings.collect == "live" else None

    def rules(self, *, stopping: str) -> VerdictRules:
        """The rule of turns; Holm over all comparisons, or those of the primary arm, by each question."""
        primary = self.settings.primary
        family = "Holm over the comparisons of all arms"
        if primary is not None:
            family = f"Holm over the comparisons of the arm {primary}; the others are secondary"
        if self.settings.dimensions:
            family += "; by the main question, and each question of dimensions is a family of its own"
        return VerdictRules(test=RULE, family=family, asks_for_reasons=False, gap=self.settings.gap)

    def draw(self, material: Material) -> Iterable[Item] | None:
        """The chats of every arm: as many, with the same personas and topics, one after the other.

        Finished chats are sampled by a command.
        """
        return self._chats(material) if self.settings.collect == "live" else None

    def adding_a_bot_leaves_items(self) -> bool:
        """Where no arm is named, all bots answer at once: one more is in every chat."""
        return bool(self.settings.arms)

    def _chats(self, material: Material) -> Iterator[Item]:
        arms = self.settings.arms_with(material.bots)
        briefings = material.shuffled_briefings() or (Briefing(),)
        for arm in arms:
            for number in range(arm.chats or material.chat.chats_per_bot):
                plan = self._plan(arm, number, briefings[number % len(briefings)], material.chat)
                extras: dict[str, Json] = {CHAT: plan.record()}
                if arm.chosen is not None:
                    extras[SETTING] = arm.chosen
                yield Item(f"{arm.name}-{number + 1}", arm.name, arm.bots, (), (), extras=extras)

    def _plan(self, arm: TurnArm, number: int, briefing: Briefing, chat: ChatSettings) -> ChatPlan:
        setting = arm.chosen
        return ChatPlan(
            first=chat.first_in(number),
            persona=briefing.persona,
            annotator_persona=briefing.partner_persona,
            topic=briefing.topic,
            choose="one" if setting == "soba" else "any",
            goes_on="chosen" if setting == "soba" else "annotator" if setting == "sata-user" else "random",
            after_failure=self.settings.after_failure,
            min_written=self.settings.min_written if setting == "sata-user" else 1,
        )

    def show(self, asked: AskedItem) -> View:
        """At a turn the question over the cards; after the chat what is asked about all of it."""
        if isinstance(asked.moment, AtTurn):
            question, values = self._cards(asked.item, asked.moment)
            return View("", values, cards=question)
        chat = finished_chat(asked.item)
        if chat is not None and (moment := moment_of(asked, chat)) is not None:
            question, values = self._cards(asked.item, moment)
            values |= {**_reading(chat, moment), "question": question}
            before = [one.turn for one in chat.asked].index(moment.turn)
            return View("finished.html", values, share_done=before / (len(chat.asked) + 1))
        dialogue = asked.dialogues[0] if asked.dialogues else None
        return View(
            "whole.html",
            {
                "questions": [
                    (f"{WHOLE}{one.name}", one.text, one.points, labels_below(one.labels))
                    for one in self.settings.questions
                ],
                "dialogue": dialogue_view(dialogue, judged=dialogue.judged) if dialogue else None,
            },
            share_done=0.0 if chat is None else len(chat.asked) / (len(chat.asked) + 1),
            asks=bool(self.settings.questions),
        )

    def _cards(self, item: Item, moment: AtTurn) -> tuple[CardQuestion, dict[str, object]]:
        """What is asked about the candidates of a turn, and what stands on the page for it."""
        setting = setting_of(item)
        further = tuple(
            CardQuestion(self.settings.words_for(one, setting), label_of(one, setting), f"{DIMENSION}{one}")
            for one in self.settings.dimensions
        )
        label = "" if self.settings.question else label_of(self.settings.ask, setting)
        values = {"is_one": setting == "soba", "texts": moment.candidates}
        return CardQuestion(self.settings.words(setting), label, further=further), values

    def read(self, asked: AskedItem, form: FormValues) -> Answer | Selection:
        """What was selected at a turn, or what was said about the whole conversation."""
        chat = finished_chat(asked.item)
        moment = asked.moment if chat is None else moment_sent(asked, chat, form)
        if isinstance(moment, AtTurn):
            return self._selection(replace(asked, moment=moment), moment, form)
        given: dict[str, Json] = {}
        for question in self.settings.questions:
            value = form.one(f"{WHOLE}{question.name}")
            if value not in {point for point, _ in question.points}:
                raise AnswerError("Please choose one of the answers.", field="choice", question=question.text)
            given[question.name] = int(value)
        return Answer({"whole": given})

    def _selection(self, asked: AskedItem, moment: AtTurn, form: FormValues) -> Selection:
        setting = setting_of(asked.item)
        is_one = setting == "soba"
        if not form.every(CHOSEN_FIELD) and NONE_FIELD not in form:
            words = self.settings.words(setting)
            raise AnswerError("Please answer the question.", field=CHOSEN_FIELD, question=words)
        found = read_selection(asked, form)
        if is_one and len(found.chosen) != 1:
            raise AnswerError("Please choose one of the replies.", field=CHOSEN_FIELD)
        values: dict[str, Json] = {}
        for name in self.settings.dimensions:
            field = f"{DIMENSION}{name}"
            if not form.every(field):
                words = self.settings.words_for(name, setting)
                raise AnswerError("Please answer the question.", field=field, question=words)
            values[name] = [*_further(field, form, cards=len(moment.candidates), is_one=is_one)]
        if moment.is_live:
            return Selection(found.turn, found.chosen, found.written, values)
        if found.written.strip():
            raise AnswerError("Nothing can be written here.", field=WRITTEN_FIELD)
        return Selection(found.turn, found.chosen, "", values, moment.behind)

    def texts_shown(self, asked: AskedItem) -> Iterable[str]:
        """Of a finished chat, nothing: its turns are read before the end, and timed one by one."""
        return () if finished_chat(asked.item) is not None else super().texts_shown(asked)

    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The chat with its turns, each as a record of ``duologue.turns/1``."""
        setting = setting_of(item)
        whole = judgment.answer.get("whole")
        given = whole if isinstance(whole, Mapping) else {}
        answers: dict[str, Json] = {
            one.name: {"point": given[one.name], "of": len(one.labels)}
            for one in self.settings.questions
            if one.name in given
        }
        chat = finished_chat(item)
        had: dict[str, Json] = {}
        read = 0.0
        if chat is not None:
            had["participant_turns"] = list(participant_records(item, judgment, chat, setting))
            read = sum(turn.seconds or 0.0 for turn in judgment.turns)
        return {
            "judgment": judgment.id,
            "arm": item.group,
            "mechanism": mechanism_of(item.bots),
            "setting": setting or "",
            "bots": "|".join(item.bots),
            "turns": list(turn_records(item, judgment, setting=setting, whole=answers)),
            **had,
            **{f"whole_{question.name}": given.get(question.name) for question in self.settings.questions},
            "annotator": judgment.annotator,
            "annotator_kind": judgment.annotator_kind,
            "item": item.id,
            "dialogue": judgment.dialogue if chat is None else chat.dialogue,
            "seconds": judgment.seconds + read,
            "seconds_kind": judgment.seconds_kind,
            "at": judgment.at,
            "revision": judgment.revision,
            "is_onboarding": judgment.is_onboarding,
            "excluded": judgment.excluded,
        }


def _further(field: str, form: FormValues, *, cards: int, is_one: bool) -> list[int]:
    """The cards that are selected for a further question, by their numbers."""
    given = set(form.every(field))
    if given == {NONE_VALUE} and not is_one:
        return []
    legal = {str(number): number for number in range(1, cards + 1)}
    if not given <= set(legal) or (is_one and len(given) != 1):
        raise AnswerError("Please choose among the replies that are shown.", field=field)
    return sorted(legal[value] for value in given)


def _reading(chat: FinishedChat, moment: AtTurn) -> dict[str, object]:
    """What a page shows of a finished chat: all that was said before the replies of a turn."""
    turn = next(one for one in chat.asked if one.turn == moment.turn)
    said = tuple(TurnView(text, is_bot, None) for is_bot, text in chat.until(turn))
    return {"dialogue": DialogueView(1, said), "turn": moment.turn, "turn_field": TURN_FIELD}


def setting_of(item: Item) -> Setting | None:
    """How replies are selected in a chat; None of a single bot."""
    found: Mapping[object, Setting] = {"soba": "soba", "sata-random": "sata-random", "sata-user": "sata-user"}
    return found.get(item.extras.get(SETTING))
