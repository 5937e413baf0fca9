"""What a researcher changed about the dialogues before they were shown, in sentences to report."""

from __future__ import annotations

from collections import Counter

from duologue.dialogues import masked_names, removed_dialogues, study_dialogues
from duologue.protocols import say_count
from duologue.studies.model import Study


def changed_material(study: Study) -> tuple[str, ...]:
    """How many dialogues were taken out and why, and in how many names are masked; nothing when none.

    Raises:
        FormatError: A file of dialogues is damaged.
    """
    reasons = Counter(one.reason for one in removed_dialogues(study.folder))
    is_masked = [bool(masked_names(dialogue)) for dialogue in study_dialogues(study.folder)]
    masked = sum(is_masked)
    sentences = []
    if reasons:
        were = "was" if reasons.total() == 1 else "were"
        why = "; ".join(f"{reason}: {count:,}" for reason, count in reasons.most_common())
        sentences.append(f"{say_count(reasons.total(), 'dialogue')} {were} taken out of the study ({why}).")
    if masked:
        in_all = say_count(len(is_masked), "dialogue")
        sentences.append(f"Names are masked in {masked:,} of the {in_all} that were imported.")
    return tuple(sentences)
