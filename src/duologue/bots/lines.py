"""The written lines of the built-in bots."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import cast

import numpy as np


def read_lines(name: str) -> Mapping[str, list[str]]:
    """The lines in ``<name>.toml`` beside this file, by what they are for."""
    written = tomllib.loads(files("duologue.bots").joinpath(f"{name}.toml").read_text("utf-8"))
    return cast("Mapping[str, list[str]]", written)


def fresh_line(candidates: Sequence[str], said: str, rng: np.random.Generator) -> str:
    """One of the lines that nobody has said yet; any of them once all have been said.

    Example:
        >>> fresh_line(["Oh.", "Ah."], "Oh. How so?", np.random.default_rng(1))
        'Ah.'
    """
    left = [line for line in candidates if line not in said] or list(candidates)
    return left[int(rng.integers(len(left)))]
