"""Looking a study of ratings over before anybody is paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from duologue.likert.design.numbers import weak_ratings
from duologue.likert.gold import gold_problem
from duologue.likert.settings import LikertSettings
from duologue.protocols import HUMAN, Item, say_list
from duologue.screening import read_words
from duologue.studies import Study, material_of, odd_dialogues, odd_onboarding, planned_items

MOST_PROBLEMS = 20


def check_likert(study: Study, settings: LikertSettings) -> tuple[list[str], list[str]]:
    """What is wrong, and what is only odd, about a study of ratings.

    Raises:
        DuologueError: Its items cannot be drawn, or a file it names cannot be read.
    """
    items = planned_items(study)
    groups = Counter(item.group for item in items if item.is_judged)
    screening = study.file.screening
    if screening.offensive_words:
        read_words(study.folder / screening.offensive_words)
    problems = [] if groups else [f"{study.items_path.name}: there is nothing to rate."]
    problems += _wrong_gold(study, settings, items)
    weak = odd_onboarding(study)
    weak += weak_ratings(study, settings, study.caps.judgments_of(groups))
    if settings.source == "dialogues":
        return problems, [*odd_dialogues(study), *_too_few_dialogues(settings, groups), *weak]
    return problems, [*_odd_chats(study, groups), *weak]


def _wrong_gold(study: Study, settings: LikertSettings, items: Sequence[Item]) -> Iterator[str]:
    """Items whose known answer is no rating of a question."""
    wrong = ((item, gold_problem(item, settings.questions)) for item in items if item.gold is not None)
    said = (f"{study.items_path.name}: item {item.id}: {problem}" for item, problem in wrong if problem)
    yield from islice(said, MOST_PROBLEMS)


def _too_few_dialogues(settings: LikertSettings, groups: Mapping[str, int]) -> Iterator[str]:
    """Bots with fewer dialogues than the study wants to have rated of each."""
    wanted = settings.per_bot or 0
    few = {bot: count for bot, count in groups.items() if count < wanted}
    if few:
        there = say_list(f"{count:,} of {bot}" for bot, count in few.items())
        yield (
            f"[likert] per_bot asks for {wanted:,} dialogues of each bot, and there are only {there}: these "
            "are rated."
        )


def _odd_chats(study: Study, groups: Counter[str]) -> list[str]:
    warnings = []
    if len(groups) == 1 and HUMAN not in groups:
        warnings.append("there is only one bot to chat with: nothing can be compared.")
    briefings = material_of(study).briefings
    wanted = study.file.chat.chats_per_bot
    if briefings and len(briefings) < wanted:
        warnings.append(
            f"{study.file.chat.personas} has {len(briefings)} lines for {wanted} chats of each bot: "
            "personas come up again."
        )
    return warnings
