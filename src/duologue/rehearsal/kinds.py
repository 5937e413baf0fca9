"""The kinds of simulated annotators, and how many of each come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from duologue.errors import DesignError

Kind = Literal[
    "careful",
    "careless",
    "always-left",
    "always-highest",
    "never-a-reason",
    "fails-onboarding",
    "spammer",
    "leaves-half-way",
    "double-clicker",
]

KINDS: tuple[Kind, ...] = get_args(Kind)

SUMMARIES: Mapping[Kind, str] = {
    "careful": "choose by their true preference and say why",
    "careless": "choose at random",
    "always-left": "always choose the first answer",
    "never-a-reason": "choose by their true preference and never say why",
    "fails-onboarding": "answer onboarding wrongly, and go against the true preference afterwards",
    "leaves-half-way": "are careful and leave half-way, with a comparison open",
    "double-clicker": "are careful and send every answer twice at once",
}
"""What annotators of each kind do where dialogues are compared."""

RATING_SUMMARIES: Mapping[Kind, str] = {
    "careful": "rate by the bot's true mean and their own leniency, and say why",
    "careless": "rate at random",
    "always-highest": "always give the highest rating",
    "never-a-reason": "rate by the bot's true mean and their own leniency, and never say why",
    "spammer": "send the same word again and again and give the highest rating",
    "leaves-half-way": "are careful and leave in the middle of a conversation",
    "double-clicker": "are careful and send every message and every answer twice at once",
}
"""What annotators of each kind do where bots are talked to, or their dialogues read, and rated."""

MIX: Mapping[Kind, float] = {
    "careful": 0.60,
    "careless": 0.05,
    "always-left": 0.05,
    "never-a-reason": 0.05,
    "fails-onboarding": 0.10,
    "leaves-half-way": 0.05,
    "double-clicker": 0.10,
}
"""The share of each kind that comes to a rehearsal of comparisons."""

RATING_MIX: Mapping[Kind, float] = {
    "careful": 0.60,
    "careless": 0.05,
    "always-highest": 0.05,
    "never-a-reason": 0.05,
    "spammer": 0.10,
    "leaves-half-way": 0.05,
    "double-clicker": 0.10,
}
"""The share of each kind that comes to a rehearsal of ratings."""


@dataclass(frozen=True, slots=True)
class SimulatedAnnotator:
    """One simulated annotator; all that it does follows from its kind, its number and the seed."""

    number: int
    kind: Kind
    has_script: bool
    """Whether its browser runs our script, or posts plain forms."""
    seed: int

    def rng(self, item: str) -> np.random.Generator:
        """Random numbers for judging one item: the same whenever, and after whatever, it is judged."""
        return np.random.default_rng(np.random.SeedSequence([self.seed, self.number, *item.encode()]))


def cast_annotators(
    count: int, *, seed: int, mix: Mapping[Kind, float] = MIX
) -> tuple[SimulatedAnnotator, ...]:
    """``count`` annotators, of each kind its share (rounded by largest remainder), in a drawn order.

    Raises:
        DesignError: There are none.

    Example:
        >>> [annotator.kind for annotator in cast_annotators(20, seed=7)].count("careful")
        12
    """
    if count < 1:
        raise DesignError(f"a rehearsal needs at least one annotator, and {count} were asked for.")
    kinds = [kind for kind, share in _shares(count, mix).items() for _ in range(share)]
    rng = np.random.default_rng(np.random.SeedSequence([seed, count]))
    order = rng.permutation(count).tolist()
    scripts = rng.random(count) < 0.5
    return tuple(
        SimulatedAnnotator(number, kinds[place], bool(scripts[number]), seed)
        for number, place in enumerate(order)
    )


def _shares(count: int, mix: Mapping[Kind, float]) -> dict[Kind, int]:
    total = sum(mix.values())
    exact = {kind: count * share / total for kind, share in mix.items()}
    shares = {kind: int(share) for kind, share in exact.items()}
    # Rounded, so that 0.05 of 60 and 0.1 of 30 are both whole on every machine.
    by_remainder = sorted(exact, key=lambda kind: round(shares[kind] - exact[kind], 9))
    for kind in by_remainder[: count - sum(shares.values())]:
        shares[kind] += 1
    return shares
