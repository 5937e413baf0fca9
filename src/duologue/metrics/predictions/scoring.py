"""Each metric as sums over examples, so that one bootstrap by dialogue serves all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from duologue.errors import MissingExtra
from duologue.metrics.predictions.ranking import rank_of_gold
from duologue.metrics.predictions.records import Prediction, Predictions
from duologue.metrics.predictions.results import Better
from duologue.metrics.texts.distinct import distinct_within
from duologue.metrics.texts.f1 import exact_matches, f1_scores
from duologue.metrics.texts.normalising import normal_texts
from duologue.metrics.texts.rouge import rouge_l_scores

if TYPE_CHECKING:
    from duologue.metrics.texts.machine_translation import Name

Floats = NDArray[np.float64]
PairScores = Callable[[Sequence[str], Sequence[str]], Floats]


@dataclass(frozen=True, slots=True)
class ExampleScores:
    """A metric before it is summed: a row of ``columns`` for each example, zeros where it has none.

    ``statistic`` makes the metric's value of each row of sums. ``values`` are those of single examples, not a
    number where there is none. ``first`` is the same metric with the first reference alone.
    """

    metric: str
    label: str
    columns: Floats
    statistic: Callable[[Floats], Floats]
    values: Floats
    better: Better = "higher"
    details: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    first: ExampleScores | None = None


def mean_scores(
    metric: str,
    label: str,
    values: Floats,
    *,
    better: Better = "higher",
    details: Mapping[str, str | int | float | bool | None] | None = None,
    first: ExampleScores | None = None,
) -> ExampleScores:
    """A metric that is the mean over the examples that have it."""
    there = np.isfinite(values)
    columns = np.stack([np.where(there, values, 0.0), there.astype(np.float64)], axis=1)
    return ExampleScores(metric, label, columns, _ratio, values, better, details or {}, first)


def _ratio(sums: Floats) -> Floats:
    ratios = np.full(len(sums), np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=ratios, where=sums[:, 1] > 0)
    return ratios


def _exp_ratio(sums: Floats) -> Floats:
    return np.exp(_ratio(sums))


def overlap_scores(given: Predictions) -> list[ExampleScores]:
    """F1, exact match, ROUGE-L and, where their packages are installed, METEOR, BLEU and chrF."""
    said = _ReplyPairs(given)
    if not len(said.places):
        return []
    made = [
        said.scored("f1", "F1 of words (ConvAI2 normalisation)", f1_scores),
        said.scored("exact-match", "exact match after the ConvAI2 normalisation", exact_matches),
        said.scored("rouge-l", "ROUGE-L, F-measure, words in lower case, no stemming", rouge_l_scores),
    ]
    with suppress(MissingExtra):
        from duologue.metrics.texts.meteor import Meteor

        meteor = Meteor()
        stages = (
            "exact, stem, WordNet" if meteor.has_synonyms else "exact, stem; no synonyms: WordNet is absent"
        )
        made.append(said.scored("meteor", f"METEOR of NLTK ({stages})", meteor.scores))
    with suppress(MissingExtra):
        made += [said.translated("bleu"), said.translated("chrf")]
    return made


class _ReplyPairs:
    """The replies of a bot beside their references, flattened to pairs of texts."""

    def __init__(self, given: Predictions) -> None:
        self._n = len(given.examples)
        both = [
            (place, answer.text, example.references)
            for place, (example, answer) in enumerate(given.pairs)
            if answer.text is not None and example.references
        ]
        self.places = np.array([place for place, _, _ in both], dtype=np.intp)
        self._texts = [text for _, text, _ in both]
        self._references = [references for _, _, references in both]
        counts = [len(one) for one in self._references]
        self._starts = np.cumsum([0, *counts[:-1]]) if counts else np.array([], dtype=np.intp)
        self._has_several = any(count > 1 for count in counts)
        self._flat_texts = [
            text for text, count in zip(self._texts, counts, strict=True) for _ in range(count)
        ]
        self._flat_references = [one for references in self._references for one in references]

    def scored(self, metric: str, label: str, scores: PairScores) -> ExampleScores:
        """A metric of pairs of texts: the best over references, and with the first of them alone."""
        flat = scores(self._flat_texts, self._flat_references)
        best = self._spread(np.maximum.reduceat(flat, self._starts))
        if not self._has_several:
            return mean_scores(metric, label, best)
        alone = mean_scores(metric, label, self._spread(flat[self._starts]))
        return mean_scores(metric, f"{label}, the best of several references", best, first=alone)

    def translated(self, name: Name) -> ExampleScores:
        """A corpus metric of sacrebleu."""
        made = self._corpus(name, self._references)
        if not self._has_several:
            return made
        return replace(made, first=self._corpus(name, [one[:1] for one in self._references]))

    def _corpus(self, name: Name, references: Sequence[Sequence[str]]) -> ExampleScores:
        from duologue.metrics.texts.machine_translation import TranslationMetric

        metric = TranslationMetric(name)
        counts = metric.counts(self._texts, references)
        columns = np.zeros((self._n, counts.shape[1]))
        columns[self.places] = counts
        values = self._spread(metric.scores(counts))
        details = {"signature": metric.signature, "scale": "0 to 100"}
        label = {"bleu": "corpus BLEU of sacrebleu", "chrf": "corpus chrF of sacrebleu"}[name]
        return ExampleScores(name, label, columns, metric.scores, values, "higher", details)

    def _spread(self, values: Floats) -> Floats:
        """The values at the places of their examples."""
        whole = np.full(self._n, np.nan)
        whole[self.places] = values
        return whole


def variety_scores(given: Predictions) -> list[ExampleScores]:
    """Distinct-1, -2 and -3 within each reply."""
    texts = [answer.text or "" for answer in given.answers]
    made = []
    for n in (1, 2, 3):
        values = distinct_within(texts, n)
        if np.isfinite(values).any():
            label = f"distinct-{n} within a reply (mean)"
            made.append(mean_scores(f"distinct-{n}-within", label, values, better="neither"))
    return made


def ranks(given: Predictions, *, with_parrot: bool = False) -> Floats:
    """The rank of the right candidate in each example, not a number where there is none.

    A candidate is right when it is a reference after the ConvAI2 normalisation. The parrot distractor is left
    out unless it is asked for.
    """
    found = np.full(len(given.examples), np.nan)
    for place, (example, answer) in enumerate(given.pairs):
        if not answer.candidates or answer.failure is not None:
            continue
        kept = [at for at in range(len(answer.candidates)) if with_parrot or at != answer.parrot]
        wanted = set(normal_texts(example.references))
        right = [text in wanted for text in normal_texts([answer.candidates[at] for at in kept])]
        scores = None if answer.scores is None else [answer.scores[at] for at in kept]
        rank = rank_of_gold(right, scores)
        if rank is not None:
            found[place] = rank
    return found


def ranking_scores(
    given: Predictions, cutoffs: Sequence[int], *, with_parrot: bool = False
) -> list[ExampleScores]:
    """Hits@k, for every k below the number of candidates, and the mean reciprocal rank."""
    found = ranks(given, with_parrot=with_parrot)
    if not np.isfinite(found).any():
        return []
    sizes = sorted({_size(answer, with_parrot=with_parrot) for answer in given.answers if answer.candidates})
    spread = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"
    ties = "ties broken against the model"
    details = {"candidates": spread, "ties": ties}
    made = [
        mean_scores(
            f"hits@{k}",
            f"hits@{k}/{spread} (Recall@{k} of {spread} candidates), {ties}",
            np.where(np.isfinite(found), found <= k, np.nan),
            details=details | {"k": k},
        )
        for k in cutoffs
        if k < sizes[-1]
    ]
    label = f"mean reciprocal rank of {spread} candidates, {ties}"
    return [*made, mean_scores("mrr", label, 1 / found, details=details)]


def _size(answer: Prediction, *, with_parrot: bool) -> int:
    return len(answer.candidates) - (answer.parrot is not None and not with_parrot)


def perplexity_scores(given: Predictions) -> list[ExampleScores]:
    """Perplexity by word of the common dictionary, and by the bot's own tokens: two metrics, never one."""
    made = []
    words = [_log_loss(answer.word_probabilities) for answer in given.answers]
    if any(count for _, count, _ in words):
        label = "perplexity per word (ConvAI2: white space, one dictionary, words outside it skipped)"
        details = {"words": sum(one[1] for one in words), "skipped": sum(one[2] for one in words)}
        made.append(_perplexity("perplexity-word", label, words, details))
    tokens = [
        (-sum(answer.token_logprobs), len(answer.token_logprobs), 0) if answer.token_logprobs else (0.0, 0, 0)
        for answer in given.answers
    ]
    if any(count for _, count, _ in tokens):
        label = "perplexity per token of the bot's own (not comparable between bots with other tokens)"
        made.append(_perplexity("perplexity-token", label, tokens, {"tokens": sum(one[1] for one in tokens)}))
    return made


def _log_loss(shares: Sequence[float | None] | None) -> tuple[float, int, int]:
    """The summed loss of the words of a reply, how many there are, and how many were skipped."""
    there = [share for share in shares or () if share is not None]
    return float(-np.log(there).sum()) if there else 0.0, len(there), len(shares or ()) - len(there)


def _perplexity(
    metric: str, label: str, losses: Sequence[tuple[float, int, int]], details: Mapping[str, int]
) -> ExampleScores:
    columns = np.array([(loss, count) for loss, count, _ in losses], dtype=np.float64)
    return ExampleScores(metric, label, columns, _exp_ratio, _exp_ratio(columns), "lower", details)
