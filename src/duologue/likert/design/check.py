"""Looking a study of ratings over before anybody is paid."""

from __future__ import annotations

from collections import Counter

from duologue.likert.design.numbers import weak_ratings
from duologue.likert.settings import LikertSettings
from duologue.protocols import HUMAN
from duologue.screening import read_words
from duologue.studies import Study, material_of, odd_dialogues, odd_onboarding, planned_items


def check_likert(study: Study, settings: LikertSettings) -> tuple[list[str], list[str]]:
    """What is wrong, and what is only odd, about a study of ratings.

    Raises:
        DuologueError: Its items cannot be drawn, or a file it names cannot be read.
    """
    groups = Counter(item.group for item in planned_items(study))
    screening = study.file.screening
    if screening.offensive_words:
        read_words(study.folder / screening.offensive_words)
    problems = [] if groups else [f"{study.items_path.name}: there is nothing to rate."]
    weak = odd_onboarding(study)
    weak += weak_ratings(study, settings, study.caps.judgments_of(groups))
    if settings.source == "dialogues":
        return problems, [*odd_dialogues(study), *weak]
    return problems, [*_odd_chats(study, groups), *weak]


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
