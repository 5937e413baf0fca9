"""What per-turn says of a study before anybody chats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from duologue.per_turn.design.numbers import counted_turns, weak_arms
from duologue.per_turn.design.table import per_turn_settings
from duologue.per_turn.finished.chat import finished_chat
from duologue.per_turn.protocol import setting_of
from duologue.per_turn.rows import Setting
from duologue.per_turn.rules import RULES
from duologue.per_turn.settings import PerTurnSettings, mechanism_of
from duologue.protocols import Item, say_arm
from duologue.screening import read_words
from duologue.studies import ProtocolDesign, Study, StudyCheck, odd_onboarding, planned_items, time_and_cost

_WAYS = {
    "soba": "one best reply is selected, and the chat goes on with it",
    "sata-random": "all that apply are selected; a random one of them goes on, or of all when none is",
    "sata-user": "all that apply are selected; a random one goes on; when none is, the annotator writes",
    "": "the reply is selected or not, and the chat goes on with it",
}

MOST_NAMED = 20
"""Items that are looked at one by one before anybody is asked."""


class PerTurnDesign(ProtocolDesign):
    """Chats with several bots at once: checked and described."""

    noun: ClassVar[str] = "chat"

    def check(self, study: Study) -> StudyCheck:
        """Whether there are chats to hold, and turns enough for the planned gap."""
        settings = per_turn_settings(study)
        if study.file.screening.offensive_words:
            read_words(study.folder / study.file.screening.offensive_words)
        items = tuple(planned_items(study))
        if settings.collect != "live":
            return StudyCheck(tuple(_unread(study, items)), tuple(odd_onboarding(study)))
        problems = () if items else (f"{study.items_path.name}: there is nothing to chat about.",)
        return StudyCheck(problems, (*odd_onboarding(study), *weak_arms(study, settings, items)))

    def describe(self, study: Study) -> Iterator[str]:
        """The arms, what is asked at a turn, what is screened, and what it costs."""
        settings = per_turn_settings(study)
        items = tuple(planned_items(study))
        if settings.collect != "live":
            yield from _describe_reading(study, settings, items)
            return
        groups = Counter(item.group for item in items)
        first: dict[str, Item] = {}
        for item in items:
            first.setdefault(item.group, item)
        for group, chats in groups.items():
            item = first[group]
            way = _WAYS[str(item.extras.get("setting", ""))]
            who = ", ".join(item.bots)
            mechanism = mechanism_of(item.bots)
            where = f"Arm {group} ({mechanism})" if say_arm(group) else mechanism.capitalize()
            yield f"{where}: {chats:,} chats with {who}; {way}."
        chat = study.file.chat
        turns = counted_turns(study, settings)
        count = "turn counts" if turns == 1 else "turns count"
        yield f"A chat: {chat.min_exchanges} to {chat.max_exchanges} exchanges; at least {turns} {count}."
        ways = [arm.chosen for arm in settings.arms] or ["sata-random"]
        yield f"Asked at every turn: {_asked_at_turns(settings, ways)}"
        for question in settings.questions:
            yield f"Asked after the chat: {question.text}"
        total = sum(study.caps.judgments_of(groups).values())
        each = study.caps.max_judgments or len(groups) * chat.chats_per_annotator
        fewest = -(-total // each)
        yield (
            f"Chats: {total:,}, at most {each} per annotator, {chat.chats_per_annotator} of an arm: at least "
            f"{fewest:,} annotators."
        )
        yield from time_and_cost(study, total, what="chat")
        applied = ", ".join(settings.rules) or "none"
        left = f" (not applied: {', '.join(rule for rule in RULES if rule not in settings.rules)})"
        yield f"Screening of turns: {applied}{left}; {len(RULES)} rules are explained in docs/per-turn.md."


def _unread(study: Study, items: Sequence[Item]) -> Iterator[str]:
    """What is wrong with the finished chats of a study."""
    if not items:
        yield (
            f"{study.items_path.name}: there are no finished chats; make such a study with `duologue turns "
            "reread STUDY SOURCE`."
        )
    for item in items[:MOST_NAMED]:
        chat = finished_chat(item)
        if chat is None or not chat.asked:
            yield f"{study.items_path.name}: {item.id} is no finished chat with something to select."


def _describe_reading(study: Study, settings: PerTurnSettings, items: Sequence[Item]) -> Iterator[str]:
    groups = Counter(item.group for item in items)
    bots = {item.group: ", ".join(item.bots) for item in items}
    what = "written replies" if settings.collect == "written" else "finished chats"
    for group, chats in groups.items():
        turns = sum(
            len(chat.asked) for item in items if item.group == group and (chat := finished_chat(item))
        )
        where = f"Arm {group}: " if say_arm(group) else ""
        yield f"{where}{chats:,} {what} with {bots[group]}; {turns:,} turns are asked about."
    yield f"Asked at every turn: {_asked_at_turns(settings, map(setting_of, items))}"
    for question in settings.questions:
        yield f"Asked at the end: {question.text}"
    total = len(items) * settings.annotations_per_chat
    yield f"Each is read by {settings.annotations_per_chat}: {total:,} readings in all."
    yield from time_and_cost(study, total, what="chat")


def _asked_at_turns(settings: PerTurnSettings, ways: Iterable[Setting | None]) -> str:
    """The questions over the cards, what else is asked about the same cards included."""
    used = sorted(set(ways), key=str)
    first = sorted({settings.words(way) for way in used})
    further = (settings.words_for(one, way) for one in settings.dimensions for way in used)
    return " / ".join(dict.fromkeys((*first, *further)))
