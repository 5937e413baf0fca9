"""Per-turn chats made up for tests: rows by hand, and whole studies with stated win rates and clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from duologue.per_turn import Candidate, Continuation, Mechanism, Setting, TurnRow


def row(
    selected: Mapping[str, bool],
    *,
    dialogue: str = "d1",
    turn: int = 1,
    setting: Setting | None = "sata-random",
    order: Sequence[str] | None = None,
    texts: Mapping[str, str] | None = None,
    **fields: Any,
) -> TurnRow:
    """A turn in which these bots were selected or not, shown in this order (that of their names if none)."""
    said = {bot: f"{bot} says {dialogue} {turn}" for bot in selected} | dict(texts or {})
    cards = list(dict.fromkeys(said[bot] for bot in order or selected))
    few: dict[int, Mechanism] = {1: "single", 2: "pairwise"}
    mechanism = few.get(len(selected), "multi")
    chosen = [bot for bot, is_chosen in selected.items() if is_chosen] or list(selected)
    by: Literal["selected", "random"] = (
        "selected" if sum(selected.values()) == 1 or mechanism == "single" else "random"
    )
    made: dict[str, Any] = {
        "dialogue": dialogue,
        "turn": turn,
        "annotator": f"ann-{dialogue}",
        "mechanism": mechanism,
        "setting": None if mechanism == "single" else setting,
        "message": f"message {turn} of {dialogue}",
        "candidates": tuple(
            Candidate(
                bot=bot,
                text=said[bot],
                position=cards.index(said[bot]) + 1,
                selected=is_selected,
                seconds=1.0,
            )
            for bot, is_selected in selected.items()
        ),
        "continuation": Continuation(text=said[chosen[0]], by=by, bot=chosen[0]),
        **fields,
    }
    return TurnRow(**made)


@dataclass(frozen=True)
class MadeUp:
    """A study to make up: how often each bot is selected, and how alike turns of one dialogue are."""

    rates: Mapping[str, float]
    setting: Setting | None = "sata-random"
    annotators: int = 40
    turns: int = 10
    icc: float = 0.0
    """Of one bot's selections within a dialogue (a beta-binomial's)."""
    first_bonus: float = 0.0
    """Added to the rate of what is shown first."""


def made_up(study: MadeUp, seed: int, **fields: Any) -> tuple[TurnRow, ...]:
    """Rows of a study, one dialogue an annotator."""
    rng = np.random.default_rng(seed)
    bots = sorted(study.rates)
    found = []
    for number in range(study.annotators):
        felt = _felt(study, bots, rng)
        for turn in range(1, study.turns + 1):
            order = [bots[at] for at in rng.permutation(len(bots))]
            rates = [felt[bot] + (study.first_bonus if bot == order[0] else 0.0) for bot in bots]
            if study.setting == "soba":
                weights = np.maximum(rates, 1e-9)
                best = rng.choice(len(bots), p=weights / weights.sum())
                selected = {bot: at == best for at, bot in enumerate(bots)}
            else:
                selected = {bot: bool(rng.random() < rate) for bot, rate in zip(bots, rates, strict=True)}
            found.append(
                row(
                    selected,
                    dialogue=f"d{number}",
                    turn=turn,
                    setting=study.setting,
                    order=order,
                    seconds=float(rng.gamma(4, 2)),
                    message=f"message {rng.integers(10**9)} of {number} at {turn}",
                    **fields,
                )
            )
    return tuple(found)


def _felt(study: MadeUp, bots: Sequence[str], rng: np.random.Generator) -> dict[str, float]:
    if not study.icc:
        return {bot: study.rates[bot] for bot in bots}
    spread = 1 / study.icc - 1
    return {bot: float(rng.beta(study.rates[bot] * spread, (1 - study.rates[bot]) * spread)) for bot in bots}
