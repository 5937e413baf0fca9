"""What a bot is asked on a test set, and what it answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

PREDICTIONS_FORMAT = "duologue.predictions/1"


@dataclass(frozen=True, slots=True)
class HeldOutExample:
    """One place in a dialogue where a reply is wanted.

    ``context`` are the turns so far, the speakers in turn and the partner's last. ``persona`` is what the
    speaker who replies was told. ``references`` are replies that people gave. ``candidates`` are given where
    a reply is to be chosen; which of them is right is known by its text.
    """

    id: str
    dialogue: str
    context: tuple[str, ...] = ()
    persona: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a bot answered on one example; what it was not asked, or cannot do, is None.

    ``scores`` are those of ``candidates``, higher is better; without them candidates come ranked, the best
    first. ``parrot`` is the place among the candidates of the partner's last turn, where it was added as a
    distractor. ``token_logprobs`` are natural logarithms, one for each of the bot's own tokens of the first
    reference. ``word_probabilities`` are those of its words over the dictionary of the test, None for a word
    outside it. ``failure`` says why there is no answer.
    """

    text: str | None = None
    candidates: tuple[str, ...] = ()
    scores: tuple[float, ...] | None = None
    parrot: int | None = None
    token_logprobs: tuple[float, ...] | None = None
    word_probabilities: tuple[float | None, ...] | None = None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class ExampleSet:
    """Which examples were asked: results are comparable where the hashes agree.

    ``sha256`` is over contexts, personas and references in their order; ``candidates_sha256`` over the
    candidates, without a parrot distractor and whatever their order, None where there are none.
    """

    name: str
    sha256: str
    candidates_sha256: str | None
    examples: int
    dialogues: int


@dataclass(frozen=True, slots=True)
class Predictions:
    """The answers of one bot on a test set, an answer for each example."""

    bot: str
    examples: tuple[HeldOutExample, ...]
    answers: tuple[Prediction, ...]
    test_set: str = ""
    warnings: tuple[str, ...] = field(default=())

    @property
    def facts(self) -> ExampleSet:
        """Which test set it was."""
        shown = [_without_parrot(answer) or one.candidates for one, answer in self.pairs]
        whole = [[one.persona, one.context, one.references] for one in self.examples]
        return ExampleSet(
            self.test_set,
            _digest(whole),
            _digest([sorted(some) for some in shown]) if any(shown) else None,
            len(self.examples),
            len({one.dialogue for one in self.examples}),
        )

    @property
    def pairs(self) -> Sequence[tuple[HeldOutExample, Prediction]]:
        """Examples with their answers."""
        return list(zip(self.examples, self.answers, strict=True))

    @property
    def failed(self) -> int:
        """How many examples have no answer."""
        return sum(answer.failure is not None for answer in self.answers)


def _without_parrot(answer: Prediction) -> tuple[str, ...]:
    return tuple(text for place, text in enumerate(answer.candidates) if place != answer.parrot)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()
