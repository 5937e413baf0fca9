"""Ratings to analyse: bots of stated means, annotators of stated leniency."""

from collections.abc import Mapping

import numpy as np


def rated(
    means: Mapping[str, float],
    *,
    people: int = 40,
    leniency: float = 0.5,
    noise: float = 0.6,
    seed: int = 1,
    **columns: object,
) -> list[dict[str, object]]:
    """Everybody rates every bot once, on the points from 1 to 4."""
    rng = np.random.default_rng(seed)
    biases = rng.normal(0, leniency, people)
    return [
        {
            "bot": bot,
            "annotator": f"p{person}",
            "rating_enjoyment": int(np.clip(round(mean + bias + rng.normal(0, noise)), 1, 4)),
            "dialogue": f"{bot}-{person}",
            "arm": "main",
            **columns,
        }
        for person, bias in enumerate(biases.tolist())
        for bot, mean in means.items()
    ]
