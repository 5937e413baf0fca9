"""What will happen in a study of ratings, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from duologue.likert.design.numbers import ratings_of_one_annotator
from duologue.likert.settings import LikertSettings, RatingQuestionSettings
from duologue.protocols import HUMAN, say_count
from duologue.studies import Study, asked_besides, planned_items, time_and_cost


def describe_likert(study: Study, settings: LikertSettings) -> list[str]:
    """Who is talked to or read, what is asked, how often, what is screened, and what it costs.

    Raises:
        DesignError: Nothing can be drawn yet; says why.
    """
    groups = Counter(item.group for item in planned_items(study) if item.is_judged)
    is_live = settings.source == "live"
    lines = _chats(study, groups) if is_live else _dialogues(settings, groups)
    lines += [f"Question: {_question(question)}" for question in settings.questions]
    if settings.persona_detection:
        lines.append(f"Then: {settings.persona_question} (the true persona and another one, sides at random)")
    lines += _work(study, groups, is_live=is_live)
    return lines + (_screening(study) if is_live else [])


def _chats(study: Study, groups: Mapping[str, int]) -> list[str]:
    chat = study.file.chat
    first = {"annotator": "the annotator begins", "partner": "the partner begins"}.get(
        chat.first, "each begins in half of the chats"
    )
    exchanges = (
        f"{chat.min_exchanges}" if chat.min_exchanges == chat.max_exchanges
        else f"{chat.min_exchanges} to {chat.max_exchanges}"
    )  # fmt: skip
    lines = [
        "Live chats: " + ", ".join(f"{count:,} with {bot}" for bot, count in groups.items()) + ".",
        f"A chat: {exchanges} exchanges, {first}, "
        + (f"personas from {chat.personas}." if chat.personas else "no personas."),
    ]
    if HUMAN in groups:
        lines.append(
            f"{HUMAN}: two annotators chat and both rate; without a partner after {chat.waiting_minutes:g} "
            "minutes they go on with credit."
        )
    return lines


def _dialogues(settings: LikertSettings, groups: Mapping[str, int]) -> list[str]:
    shown = ", ".join(f"{count:,} of {bot}" for bot, count in groups.items())
    each = say_count(settings.annotations_per_dialogue, "annotator")
    return [f"Finished dialogues to rate: {shown}, each by {each}."]


def _question(question: RatingQuestionSettings) -> str:
    if all(question.labels):
        labels = " / ".join(question.labels)
    else:
        labels = ", ".join(f"{point} {label}" for point, label in question.points if label)
    return f"{question.text} {question.low} to {question.high}" + (f" ({labels})" if labels else "")


def _work(study: Study, groups: Mapping[str, int], *, is_live: bool) -> list[str]:
    caps = study.caps
    second = caps.second_judgments_of(groups)
    ratings = sum(caps.judgments_of(groups).values())
    per_annotator = ratings_of_one_annotator(study, len(groups))
    fewest = max(-(-(ratings + second) // per_annotator), caps.judgments_per_item + bool(second))
    if caps.max_per_group is not None:
        fewest = max(fewest, *(-(-count // caps.max_per_group) for count in groups.values()))
    what = "chat" if is_live else "dialogue"
    each = f", at most {caps.max_per_group} with the same bot" if caps.max_per_group is not None else ""
    return [
        f"Ratings: {ratings:,}, at most {per_annotator} per annotator{each}: at least {fewest:,} annotators.",
        *([f"Second ratings: {second:,}, of dialogues that two annotators rate."] if second else []),
        *time_and_cost(
            study,
            ratings + second,
            what=what,
            besides=asked_besides(study, judgments=ratings + second, annotators=fewest),
        ),
    ]


def _screening(study: Study) -> list[str]:
    screening = study.file.screening
    excluded = ", ".join(screening.exclude)
    fate = f"a rating is excluded for: {excluded}" if excluded else "no rating is excluded by itself"
    return [
        f"Screening: chats with fewer than {screening.min_words} words or other oddities are flagged; {fate}."
    ]
