"""The kinds of simulated annotators, and how many of each come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from duologue.errors import DesignError

Kind = str
"""What annotators of a kind answer is for each protocol to say; those below also walk in their own way."""

LEAVES_HALF_WAY: Kind = "leaves-half-way"
"""Goes away in the second half of the sitting, with something open."""
DOUBLE_CLICKER: Kind = "double-clicker"
"""Sends every message and every answer twice at once."""
CARELESS: Kind = "careless"
"""Sends forms about themselves before they have filled them in, and then as little as they must."""
SPAMMER: Kind = "spammer"
"""Says the same word again and again in live chats."""
ALWAYS_LEFT: Kind = "always-left"
"""Chooses the first answer every time."""
HURRIED: frozenset[Kind] = frozenset({CARELESS, SPAMMER, ALWAYS_LEFT})
"""Answer at once; their browsers run our script, so that the time they took is known."""
SLOW: Kind = "slow"
"""Lets the time of some items run out, where a study sets one; comes to every such study."""
SLOW_SHARE = 0.1
SLOW_DOES = "are careful, and let the time of some items run out"
FAILS_ONBOARDING: Kind = "fails-onboarding"
"""Answers wrongly what has a known answer; comes only where something has one."""
NEVER_A_REASON: Kind = "never-a-reason"
"""Leaves every text field empty."""


@dataclass(frozen=True, slots=True)
class SimulatedAnnotator:
    """One simulated annotator; all that it does follows from its kind, its number and the seed."""

    number: int
    kind: Kind
    has_script: bool
    """Whether its browser runs our script, or posts plain forms."""
    seed: int
    cohort: str = ""
    """The cohort that they belong to, by their link or by what they answered."""

    def rng(self, item: str) -> np.random.Generator:
        """Random numbers for judging one item: the same whenever, and after whatever, it is judged."""
        return np.random.default_rng(np.random.SeedSequence([self.seed, self.number, *item.encode()]))


def draw_annotators(count: int, *, seed: int, mix: Mapping[Kind, float]) -> tuple[SimulatedAnnotator, ...]:
    """``count`` annotators, of each kind its share (rounded by largest remainder), in a drawn order.

    Raises:
        DesignError: There are none.

    Example:
        >>> mix = {"careful": 0.6, "careless": 0.4}
        >>> [annotator.kind for annotator in draw_annotators(20, seed=7, mix=mix)].count("careful")
        12
    """
    if count < 1:
        raise DesignError(f"a rehearsal needs at least one annotator, and {count} were asked for.")
    kinds = [kind for kind, share in _shares(count, mix).items() for _ in range(share)]
    rng = np.random.default_rng(np.random.SeedSequence([seed, count]))
    order = rng.permutation(count).tolist()
    scripts = rng.random(count) < 0.5
    return tuple(
        SimulatedAnnotator(number, kinds[place], bool(scripts[number]) or kinds[place] in HURRIED, seed)
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
