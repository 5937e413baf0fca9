"""What will happen in a study of comparisons, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from duologue.acute.design.pairings import shared_starts
from duologue.acute.design.table import acute_settings
from duologue.acute.matching import beside
from duologue.acute.ranking.answers import is_ranking
from duologue.acute.settings import AcuteSettings
from duologue.dialogues import index_dialogues
from duologue.protocols import read_items, say_percent
from duologue.studies import Study, asked_besides, changed_material, material_of, time_and_cost


def describe_acute(study: Study) -> list[str]:
    """Who is compared, by which question, how often, with what onboarding, and what it costs."""
    counts = _count_items(study)
    lines = [*_material(study), *_question(study), *_work(study, counts), *_onboarding(study, counts)]
    if acute_settings(study).verdicts == "pooled":
        lines.append("Verdicts: pooled; strengths from all matchups together decide.")
    return lines


def _material(study: Study) -> list[str]:
    if acute_settings(study).is_parallel:
        return _chats(study)
    kinds: Counter[tuple[str, str]] = Counter((head.bot, head.kind) for head in index_dialogues(study.folder))
    if not kinds:
        return ["Dialogues: none yet."]
    bots = ", ".join(f"{bot} ({count:,} {kind})" for (bot, kind), count in sorted(kinds.items()))
    return [f"Dialogues: {bots}.", *changed_material(study)]


def _chats(study: Study) -> list[str]:
    chat, settings = study.file.chat, acute_settings(study)
    bots = ", ".join(material_of(study).bots)
    least, most = chat.min_exchanges, chat.max_exchanges
    first = {"annotator": "the annotator begins", "partner": "the bots begin"}.get(
        chat.first, "the annotator begins half of the chats"
    )
    failure = "the annotator may have it asked again, or ends"
    if settings.after_failure == "end":
        failure = "the chat ends"
    return [
        f"Parallel live chats: annotators chat with two bots at once ({bots}) and compare the two chats.",
        f"A chat: {least if least == most else f'{least} to {most}'} exchanges; every message goes to both "
        f"bots, both replies are shown together; {first}; personas "
        + (f"from {chat.personas}." if chat.personas else "none."),
        f"When a bot gives no reply, {failure} with credit.",
    ]


def _question(study: Study) -> list[str]:
    arms, settings = study.arms, acute_settings(study)
    if settings.is_together:
        return [*_together(settings), *_answers(settings)]
    if len(arms) == 1:
        return [f"Question: {arms[0].summary}", *_answers(acute_settings(study))]
    whose = "every annotator goes through all" if study.caps.sees_each_arm else "one per annotator"
    lines = [f"{len(arms)} arms, launched together, {whose}, never pooled:"]
    return [*lines, *(f"  {arm.name}: {arm.summary}" for arm in arms), *_answers(acute_settings(study))]


def _together(settings: AcuteSettings) -> list[str]:
    """The questions about the same dialogues, in which order, and which of them leads."""
    order = "in the order written here"
    if settings.question_order == "random":
        order = "in an order that is each annotator's own"
    lead = f"; {settings.lead} leads: reasons, checks and what has one answer only are about it"
    return [
        f"{len(settings.questions)} questions about the same dialogues, one after the other, {order}{lead}:",
        *(f"  {one.name}: {one.resolved().text}" for one in settings.questions),
    ]


def _answers(settings: AcuteSettings) -> list[str]:
    """What can be answered, where it is more than one of the two sides."""
    if settings.is_ranked:
        return ["Answers: an order of three, without ties."]
    answers = ["four points, clearly or slightly for one side"] if settings.is_graded else []
    answers += ["no difference"] if settings.ties else []
    if not answers:
        return []
    return [f"Answers: {', or '.join(answers if settings.is_graded else ['one side', *answers])}."]


@dataclass(frozen=True, slots=True)
class _ItemCounts:
    groups: Counter[str]
    onboarding: int
    most_shown: int
    """How many items the most used dialogue is in."""
    threes: frozenset[str] = frozenset()
    """The groups whose items are rankings."""
    meetings: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often every two bots meet in rankings."""
    shared: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """In how many items of each group the dialogues share what they began with."""

    @property
    def items(self) -> int:
        return self.groups.total()


def _count_items(study: Study) -> _ItemCounts:
    groups: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    onboarding = 0
    threes: set[str] = set()
    meetings: Counter[tuple[str, str]] = Counter()
    if study.items_path.exists():
        for item in read_items(study.items_path):
            if item.role == "onboarding":
                onboarding += 1
            elif item.is_judged:
                groups[item.group] += 1
                shown.update(item.dialogues)
                if is_ranking(item):
                    threes.add(item.group)
                    meetings.update(combinations(sorted(item.bots), 2))
    most = max(shown.values(), default=0)
    return _ItemCounts(groups, onboarding, most, frozenset(threes), meetings, shared_starts(study))


def _in_threes(counts: _ItemCounts) -> str:
    """How many rankings there are, and how often bots meet in them."""
    rankings = sum(counts.groups[group] for group in counts.threes)
    met = counts.meetings.values()
    least, most = min(met, default=0), max(met, default=0)
    times = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return (
        f"Rankings of three: {rankings:,} of {len(counts.threes):,} different threes; every two of "
        f"{len({bot for pair in counts.meetings for bot in pair})} bots meet {times} times."
    )


def _work(study: Study, counts: _ItemCounts) -> list[str]:
    if not counts.items:
        return ["Pairings: none yet."]
    settings = acute_settings(study)
    lines = [f"Matchups: {len(counts.groups)}"]
    if settings.is_ranked:
        lines = [_in_threes(counts)]
    shown = sorted(counts.groups.items())
    what = "parallel chats" if settings.is_parallel else "pairings"
    lines += [
        f"  {study.protocol.say_group(group)}: {count:,} {'rankings' if group in counts.threes else what}"
        + beside(counts.shared.get(group, {}))
        for group, count in shown[:20]
    ]
    if len(shown) > 20:
        lines.append(f"  … and {len(shown) - 20} more")
    return lines + _cost(study, counts)


def _cost(study: Study, counts: _ItemCounts) -> list[str]:
    caps = study.caps
    judgments = sum(caps.judgments_of(counts.groups).values()) * len(study.arms)
    second = caps.second_judgments_of(counts.groups) * len(study.arms)
    per_annotator = caps.max_judgments or len(counts.groups)
    # Nobody sees a dialogue twice, so a dialogue shown u times needs u annotators.
    at_once = counts.most_shown * (caps.judgments_per_item + bool(second)) * len(study.arms)
    in_all = per_annotator * caps.arms_per_annotator
    annotators = max(-(-(judgments + second) // in_all), at_once, *_of_one_group(study, counts))
    besides = asked_besides(study, judgments=judgments + second, annotators=annotators)
    arms = f" and arm, {len(study.arms)} arms" if len(study.arms) > 1 else ""
    each = f"{'up to ' if caps.items_of else ''}{caps.judgments_per_item}"
    in_arm = f" ({per_annotator} in each arm)" if caps.arms_per_annotator > 1 else ""
    lines = [
        f"Judgments: {judgments:,} ({each} per pairing{arms}), at most {in_all} "
        f"per annotator{in_arm}: at least {annotators:,} annotators."
    ]
    if second:
        lines.append(f"Second judgments: {second:,}, of pairings that two annotators judge.")
    if counts.most_shown > 1:
        lines.append(
            f"A dialogue is shown up to {counts.most_shown:,} times and never twice to one annotator: "
            "invite some more, or nobody may be left for the last pairings."
        )
    what = "ranking" if acute_settings(study).is_ranked else "comparison"
    return [*lines, *time_and_cost(study, judgments + second, what=what, besides=besides)]


def _of_one_group(study: Study, counts: _ItemCounts) -> list[int]:
    """How many annotators the chats of each matchup need: one has only so many of them."""
    caps, arms = study.caps, len(study.arms)
    if caps.max_per_group is None:
        return []
    return [-(-count * arms // caps.max_per_group) for count in counts.groups.values()]


def _onboarding(study: Study, counts: _ItemCounts) -> list[str]:
    caps = study.caps
    if caps.onboarding_comparisons and not counts.onboarding:
        return [
            f"Onboarding: none. {_comparisons(caps.onboarding_comparisons)} asked for, and there are no "
            "onboarding pairings, so nobody is screened."
        ]
    if caps.onboarding_comparisons:
        fate = {
            "soft": "can finish, but their answers are excluded",
            "at-once": "are sent away at once, and their answers are excluded",
            "off": "are counted all the same",
        }[caps.block]
        asked = min(caps.onboarding_comparisons, counts.onboarding)
        return [
            f"Onboarding: {_comparisons(asked)} first; annotators with less than "
            f"{say_percent(caps.onboarding_threshold, 0)} right {fate}."
        ]
    return ["Onboarding: off."]


def _comparisons(count: int) -> str:
    return "1 comparison" if count == 1 else f"{count:,} comparisons"
