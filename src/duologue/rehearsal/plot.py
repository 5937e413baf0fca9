"""What a rehearsal of a study is about: comparisons or ratings, who comes to them, and what is true."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from duologue.errors import DesignError
from duologue.protocols import Item, chat_plan
from duologue.rehearsal.kinds import MIX, RATING_MIX, RATING_SUMMARIES, SUMMARIES, Kind
from duologue.rehearsal.means import Means, draw_means
from duologue.rehearsal.preferences import Preferences, draw_preferences


@dataclass(frozen=True, slots=True)
class Plot:
    """Who comes, what they know to be true, and what an item is called."""

    mix: Mapping[Kind, float]
    summaries: Mapping[Kind, str]
    noun: str
    preferences: Preferences = field(default_factory=lambda: Preferences({}))
    means: Means = field(default_factory=lambda: Means({}))
    has_chats: bool = False
    """Whether annotators chat with bots before they rate them."""


def plot_for(
    items: Iterable[Item],
    *,
    preferences: Mapping[tuple[str, str], float] | None = None,
    order: Sequence[str] = (),
    means: Mapping[str, float] | None = None,
    seed: int,
) -> Plot:
    """What is to be rehearsed of these items: comparisons where they show two bots, ratings where one.

    Raises:
        DesignError: A preference or a mean names a bot that is not in the study, or is none of its kind.
    """
    judged = [item for item in items if not item.is_onboarding]
    bots = sorted({bot for item in judged for bot in item.bots})
    rng = np.random.default_rng(seed)
    if any(len(item.bots) > 1 for item in judged):
        if means:
            raise DesignError("--mean: dialogues are compared in this study; say --prefer A:B=0.7.")
        truth = draw_preferences(bots, stated=preferences, order=order, rng=rng)
        return Plot(MIX, SUMMARIES, "pairing", preferences=truth)
    if preferences or order:
        name = "--prefer" if preferences else "--order"
        raise DesignError(f"{name}: bots are rated one by one in this study; say --mean A=3.2.")
    return Plot(
        RATING_MIX,
        RATING_SUMMARIES,
        "chat" if _has_chats(judged) else "dialogue",
        means=draw_means(bots, stated=means, rng=rng),
        has_chats=_has_chats(judged),
    )


def _has_chats(items: Iterable[Item]) -> bool:
    return any(chat_plan(item) is not None for item in items)
