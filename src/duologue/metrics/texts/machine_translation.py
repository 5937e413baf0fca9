"""BLEU and chrF by sacrebleu, with its signature, from sums that a bootstrap can draw again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from duologue.errors import MissingExtra

Name = Literal["bleu", "chrf"]


class TranslationMetric:
    """One of sacrebleu's corpus metrics, as counts for each example and a score for sums of them.

    Corpus BLEU is no mean of the BLEU of sentences: matches and lengths are summed first. Those sums are what
    sacrebleu itself draws again for its confidence intervals; here they are drawn by dialogue.

    Source: Post 2018, "A call for clarity in reporting BLEU scores"; Papineni et al. 2002; Popović 2015.

    Raises:
        MissingExtra: sacrebleu is not installed.

    Example:
        >>> bleu = TranslationMetric("bleu")
        >>> counts = bleu.counts(["the cat sat on the mat"], [["the cat sat on a mat"]])
        >>> round(bleu.score(counts.sum(axis=0)), 1), bleu.signature.split("|")[0]
        (53.7, 'nrefs:1')
    """

    def __init__(self, name: Name) -> None:
        try:
            from sacrebleu.metrics.bleu import BLEU
            from sacrebleu.metrics.chrf import CHRF
        except ImportError as error:
            raise MissingExtra("sacrebleu", "bleu") from error
        self.name = name
        # ``force``: logs are often tokenised, and sacrebleu would say so for each bootstrap sample.
        self._metric: Any = BLEU(force=True) if name == "bleu" else CHRF()

    def counts(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """The counts of each example: a row each. Examples may have different numbers of references."""
        most = max(map(len, references))
        streams = [[one[at] if at < len(one) else None for one in references] for at in range(most)]
        found = self._metric._extract_corpus_statistics(list(predictions), streams)
        return np.array(found, dtype=np.float64)

    def score(self, sums: NDArray[np.float64]) -> float:
        """The score of summed counts, from 0 to 100."""
        # ``tolist``: sacrebleu divides with Python's numbers, and numpy's would warn where they are zero.
        return float(self._metric._compute_score_from_stats(sums.tolist()).score)

    def scores(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of many rows of summed counts."""
        return np.array([self.score(row) for row in sums])

    @property
    def signature(self) -> str:
        """sacrebleu's own: what a reader needs to get the same number. Known once counts were made."""
        return str(self._metric.get_signature())
