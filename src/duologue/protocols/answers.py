"""Every answer about two bots, for drawing them again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PairAnswers:
    """Every answer about two bots that counts."""

    values: NDArray[np.float64]
    """Of a comparison, how far it is for the first bot, from 0 to 1; of a rating, its points."""
    about_first: NDArray[np.bool_] | None
    """Which ratings are of the first bot; None of comparisons."""
    annotators: NDArray[np.intp]
    """A number for each annotator; who is not known is an annotator for every answer."""
    seconds: NDArray[np.float64]
    """NaN where not known."""
    dialogues: int
    """How many different dialogues were read or held; 0 where not known."""
    more_for_gap: int | None
    """Answers still needed to show the planned gap, where no difference was detected."""
