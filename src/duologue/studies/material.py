"""What a researcher changed about the dialogues before they were shown, in sentences to report."""

from __future__ import annotations

from collections import Counter

from duologue.dialogues import masked_names, removed_dialogues, study_dialogues
from duologue.errors import DuologueError
from duologue.protocols import say_count
from duologue.studies.drawing import planned_items
from duologue.studies.model import Study


def changed_material(study: Study) -> tuple[str, ...]:
    """How many dialogues were taken out and why, and in how many names are masked; nothing when none.

    Raises:
        FormatError: A file of dialogues is damaged.
    """
    reasons = Counter(one.reason for one in removed_dialogues(study.folder))
    is_masked = {one.id: bool(masked_names(one)) for one in study_dialogues(study.folder)}
    masked = sum(is_masked.values())
    sentences = []
    if reasons:
        were = "was" if reasons.total() == 1 else "were"
        why = "; ".join(f"{reason}: {count:,}" for reason, count in reasons.most_common())
        sentences.append(f"{say_count(reasons.total(), 'dialogue')} {were} taken out of the study ({why}).")
    if masked:
        in_all = say_count(len(is_masked), "dialogue")
        judged = _judged(study) & is_masked.keys()
        of_judged = ""
        if 0 < len(judged) < len(is_masked):
            of_judged = (
                f", and in {sum(map(is_masked.__getitem__, judged)):,} of the {len(judged):,} to be judged"
            )
        sentences.append(f"Names are masked in {masked:,} of the {in_all} that were imported{of_judged}.")
    return tuple(sentences)


def _judged(study: Study) -> set[str]:
    """The dialogues that items to be judged show; none where these cannot be drawn yet."""
    try:
        return {key for item in planned_items(study) if item.is_judged for key in item.dialogues}
    except DuologueError:
        return set()
