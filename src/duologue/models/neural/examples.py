"""What models learn from, and what they are validated on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from duologue.models.retrieval import CandidateModel, ReplyContext


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A context and the reply that was given; for validation with candidates, the true one first."""

    context: ReplyContext
    reply: str
    candidates: tuple[str, ...] = ()


def recall_at_one(model: CandidateModel, examples: Sequence[TrainingExample]) -> float:
    """How often the true reply is the best of the candidates; ties count by chance."""
    asked = [(one.context, (one.reply, *one.candidates)) for one in examples]
    found = model.scores([context for context, _ in asked], [some for _, some in asked])
    return float(np.mean([(scores[0] >= scores).all() / (scores[0] == scores).sum() for scores in found]))
