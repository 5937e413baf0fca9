"""Default texts as annotators read them: they follow `[consent]`, and who wrote what is read.

Texts that the study file sets stay as they are.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from duologue.dialogues import DialogueKind
from duologue.protocols import Item, chat_plan
from duologue.studies.model import Study

WITHDRAWING = " If you do not want us to use your answers, please tell us."
"""The end of the default debriefing, where there is somebody to tell."""
PEOPLE_WROTE = (
    "In this study, people wrote everything that you read; no computer program took part. We did not say so "
    "before, because it could have changed your answers."
)
"""The default debriefing of a study that declares deception and shows no words of programs."""


def in_served_words(study: Study, *, has_programs: bool) -> Study:
    """The study in the words that its annotators read.

    Args:
        study: The study, as its file says it.
        has_programs: Whether annotators may talk to a computer program, or read what one wrote.
    """
    wording, consent = study.file.wording, study.file.consent
    own = tomllib.loads(study.text).get("wording", {})
    words: dict[str, str] = {}
    if "consent" not in own:
        words["consent"] = wording.consent
        if consent.deception:  # the word would tell what is told at the end
            words["consent"] = wording.consent.replace("conversational systems", "conversations")
        if not consent.contact:  # nobody can be asked
            about, _, _ = words["consent"].partition(", and ask us")
            words["consent"] = about.rstrip(".") + "."
    if "debriefing" not in own:
        told = wording.debriefing.removesuffix(WITHDRAWING) if has_programs else PEOPLE_WROTE
        words["debriefing"] = told + (WITHDRAWING if consent.contact else "")
    if not has_programs:
        words["read_program"] = ""
    worded = wording.model_copy(update=words)
    return replace(study, file=study.file.model_copy(update={"wording": worded}))


def human_bots(kinds: Mapping[str, Collection[DialogueKind]]) -> frozenset[str]:
    """The bots that are people: all their dialogues are between people.

    Args:
        kinds: By bot, the kinds of its dialogues.
    """
    return frozenset(bot for bot, theirs in kinds.items() if set(theirs) == {"human-human"})


def shows_programs(items: Iterable[Item], people: Collection[str]) -> bool:
    """Whether annotators may read what a program wrote; so it is where nothing says who wrote it.

    Args:
        items: What is judged; live chats say nothing of what is read.
        people: Bots that are people.
    """
    return any(
        chat_plan(item) is None and not (item.dialogues and set(item.bots) <= set(people)) for item in items
    )
