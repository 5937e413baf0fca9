"""All metrics of a bot's predictions, with intervals by dialogue, attacks and the toy baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from duologue.errors import AnalysisError, FormatError, NotEnoughJudgments
from duologue.metrics.predictions.records import Predictions
from duologue.metrics.predictions.results import (
    Attack,
    AttackResult,
    Change,
    MetricResult,
    MetricsResults,
    ToyBaseline,
)
from duologue.metrics.predictions.scoring import (
    ExampleScores,
    Floats,
    mean_scores,
    overlap_scores,
    perplexity_scores,
    ranking_scores,
    ranks,
    variety_scores,
)
from duologue.metrics.predictions.toy import PUBLISHED_REPLY
from duologue.metrics.texts.distinct import corpus_distinct
from duologue.metrics.texts.f1 import f1_scores
from duologue.stats import FEW_CLUSTERS, cluster_totals, percentile_interval, resampled_totals

CUTOFFS = (1, 2, 5)
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class MetricMeasurements:
    """Results, and the score of every example by metric (not a number where it has none)."""

    results: MetricsResults
    per_example: Mapping[str, Floats]


def run_metrics(
    given: Predictions,
    *,
    revised: Predictions | None = None,
    cutoffs: Sequence[int] = CUTOFFS,
    toy: str = PUBLISHED_REPLY,
    toy_source: str = "published (ConvAI2)",
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> MetricMeasurements:
    """Every metric that the predictions allow, with percentile bootstrap intervals by dialogue.

    Examples that the bot failed on are left out and counted. All metrics are drawn with the same dialogues,
    so that differences (several references against one, with and without an attack, the lead over the toy
    baseline) are paired.

    Args:
        given: What the bot answered.
        revised: What it answered to the same examples with revised personas.
        cutoffs: The k of hits@k.
        toy: The constant reply that F1 is compared with.
        toy_source: Where it comes from.
        level: Confidence of the intervals.
        draws: Bootstrap samples.
        seed: Where their randomness comes from.

    Raises:
        AnalysisError: Nothing was answered; says why.
        NotEnoughJudgments: All that was answered is of one dialogue.
        FormatError: ``revised`` is about other examples.
    """
    scores = [
        *overlap_scores(given),
        *ranking_scores(given, cutoffs),
        *perplexity_scores(given),
        *variety_scores(given),
    ]
    if not scores:
        raise AnalysisError(_nothing_to_score(given))
    dialogues = {one.dialogue for one, answer in given.pairs if answer.failure is None}
    if len(dialogues) < 2:
        raise NotEnoughJudgments("metrics", needed=2, got=len(dialogues), unit="answered dialogues")
    extra = _Extras(given, revised, scores, cutoffs, toy)
    drawn = _BootstrapValues([*scores, *extra.scores], given, level, draws, seed)
    results = [drawn.result(one) for one in scores] + _corpus_variety(given, drawn)
    toy_found = drawn.toy(extra.f1, extra.toy, toy, toy_source) if extra.f1 and extra.toy else None
    attacks = tuple(drawn.attack(*one) for one in extra.attacks)
    found = MetricsResults(
        given.bot,
        given.facts,
        len(given.answers) - given.failed,
        given.failed,
        tuple(results),
        attacks,
        toy_found,
        (*given.warnings, *_warnings(given, drawn, results, toy_found, attacks)),
        level,
        draws,
        seed,
        _version(),
    )
    return MetricMeasurements(found, {one.metric: one.values for one in scores})


def _nothing_to_score(given: Predictions) -> str:
    failures = [answer.failure for answer in given.answers if answer.failure is not None]
    if len(failures) == len(given.answers):
        return f"{given.bot} answered none of {len(failures):,} examples. The first: {failures[0]}"
    return f"{given.bot}: no metric can be computed, since no candidate is a reference."


class _Extras:
    """What is drawn together with the metrics, so that differences are paired."""

    def __init__(
        self,
        given: Predictions,
        revised: Predictions | None,
        scores: Sequence[ExampleScores],
        cutoffs: Sequence[int],
        toy: str,
    ) -> None:
        by_name = {one.metric: one for one in scores}
        self.f1 = by_name.get("f1")
        self.toy = _toy_scores(given, self.f1, toy) if self.f1 else None
        self.attacks: list[tuple[Attack, ExampleScores, ExampleScores]] = []
        if any(answer.parrot is not None for answer in given.answers):
            self._add("parrot", by_name, ranking_scores(given, cutoffs, with_parrot=True))
        if revised is not None:
            _check_same(given, revised)
            self._add(
                "revised-personas",
                by_name,
                [*overlap_scores(revised), *ranking_scores(revised, cutoffs), *perplexity_scores(revised)],
            )
        self.scores = [after for _, _, after in self.attacks]
        self.scores += [self.toy] if self.toy else []
        self.scores += [one.first for one in scores if one.first]

    def _add(
        self, attack: Attack, before: Mapping[str, ExampleScores], after: Sequence[ExampleScores]
    ) -> None:
        self.attacks += [(attack, before[one.metric], one) for one in after if one.metric in before]


def _toy_scores(given: Predictions, f1: ExampleScores, toy: str) -> ExampleScores:
    """The F1 of the toy reply on the examples that the bot answered, at most over references."""
    values = np.full(len(given.examples), np.nan)
    places = [place for place in range(len(values)) if np.isfinite(f1.values[place])]
    references = [given.examples[place].references for place in places]
    flat = f1_scores([toy] * sum(map(len, references)), [one for some in references for one in some])
    starts = np.cumsum([0, *map(len, references[:-1])])
    values[places] = np.maximum.reduceat(flat, starts)
    return mean_scores("toy-f1", "F1 of the toy reply", values)


def _check_same(given: Predictions, revised: Predictions) -> None:
    same = [(one.context, one.references) for one in given.examples] == [
        (one.context, one.references) for one in revised.examples
    ]
    if not same:
        expected = f"the examples of {given.test_set} in the same order, with other personas"
        raise FormatError(revised.test_set or "revised", expected=expected, got="other examples")


class _BootstrapValues:
    """Values of every metric in each bootstrap sample: the same samples of dialogues for all."""

    def __init__(
        self, scores: Sequence[ExampleScores], given: Predictions, level: float, draws: int, seed: int
    ) -> None:
        names = [example.dialogue for example in given.examples]
        self.answered = np.array([answer.failure is None for answer in given.answers])
        codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
        self.clusters = np.array([codes[name] for name in names], dtype=np.intp)
        self._level = level
        totals = cluster_totals(np.concatenate([one.columns for one in scores], axis=1), self.clusters)
        sums = resampled_totals(totals, draws=draws, rng=np.random.default_rng(seed))
        self._drawn: dict[int, Floats] = {}
        self._values: dict[int, float] = {}
        start = 0
        for one in scores:
            end = start + one.columns.shape[1]
            self._drawn[id(one)] = one.statistic(sums[:, start:end])
            self._values[id(one)] = float(one.statistic(totals[:, start:end].sum(axis=0)[None, :])[0])
            start = end

    def dialogues(self, values: Floats) -> int:
        """How many dialogues have an example with a value."""
        return len(np.unique(self.clusters[np.isfinite(values)]))

    def result(self, one: ExampleScores) -> MetricResult:
        interval = percentile_interval(self._drawn[id(one)], level=self._level)
        return MetricResult(
            one.metric,
            one.label,
            self._values[id(one)],
            interval.low,
            interval.high,
            self._level,
            int(np.isfinite(one.values).sum()),
            self.dialogues(one.values),
            one.better,
            "percentile bootstrap by dialogue",
            self.change(one.first, one) if one.first else None,
            dict(one.details),
        )

    def change(self, before: ExampleScores, after: ExampleScores) -> Change:
        interval = percentile_interval(self._drawn[id(after)] - self._drawn[id(before)], level=self._level)
        return Change(self._values[id(after)] - self._values[id(before)], interval.low, interval.high)

    def attack(self, attack: Attack, before: ExampleScores, after: ExampleScores) -> AttackResult:
        return AttackResult(
            attack,
            before.metric,
            after.label,
            self._values[id(before)],
            self._values[id(after)],
            self.change(before, after),
            int(np.isfinite(after.values).sum()),
        )

    def toy(self, f1: ExampleScores, toy: ExampleScores, reply: str, source: str) -> ToyBaseline:
        interval = percentile_interval(self._drawn[id(toy)], level=self._level)
        return ToyBaseline(
            reply, source, self._values[id(toy)], interval.low, interval.high, self.change(toy, f1)
        )


def _corpus_variety(given: Predictions, drawn: _BootstrapValues) -> list[MetricResult]:
    """Distinct-1, -2 and -3 over all replies."""
    there = [place for place, answer in enumerate(given.answers) if answer.text is not None]
    texts = [given.answers[place].text or "" for place in there]
    codes = np.unique(drawn.clusters[there], return_inverse=True)[1].tolist()
    made = []
    for n in (1, 2, 3):
        try:
            found = corpus_distinct(texts, codes, n, level=drawn._level)
        except NotEnoughJudgments:
            continue
        low, high = found.interval.limits if found.interval else (None, None)
        made.append(
            MetricResult(
                f"distinct-{n}",
                f"distinct-{n} over all replies (depends on how many words there are)",
                found.value,
                low,
                high,
                drawn._level,
                len(texts),
                found.clusters,
                "neither",
                "jackknife by dialogue",
                details={"different": found.different, "runs": found.runs},
            )
        )
    return made


def _warnings(
    given: Predictions,
    drawn: _BootstrapValues,
    results: Sequence[MetricResult],
    toy: ToyBaseline | None,
    attacks: Sequence[AttackResult],
) -> list[str]:
    said = []
    if given.failed:
        said.append(
            f"{given.failed:,} of {len(given.answers):,} examples were not answered; no metric counts them."
        )
    dialogues = drawn.dialogues(np.where(drawn.answered, 1.0, np.nan))
    if dialogues < FEW_CLUSTERS:
        said.append(
            f"Only {dialogues} dialogues were answered: intervals are too narrow below {FEW_CLUSTERS}."
        )
    if toy is not None and not toy.is_clearly_beaten:
        said.append(
            f"F1 is not clearly above that of a constant reply: always saying {toy.reply!r} has "
            f"{toy.value:.4f}, the bot's lead is {toy.lead.value:+.4f} (from {toy.lead.low:+.4f} to "
            f"{toy.lead.high:+.4f}). "
            "This F1 says nothing about the bot."
        )
    said += [
        f"The attack {one.attack} lowers {one.metric} from {one.before:.3f} to {one.after:.3f}: "
        + (
            "the bot ranks by words shared with the last turn."
            if one.attack == "parrot"
            else "the bot relies on words shared with the persona."
        )
        for one in attacks
        if one.metric == "hits@1" and one.change.high < 0
    ]
    names = {one.metric for one in results}
    if without := _without_right(given):
        said.append(f"In {without:,} examples no candidate is a reference: hits@k and MRR leave them out.")
    said += [
        f"{what} were left out: a package is missing. Install it with pip install 'duologue[{extra}]'."
        for metric, what, extra in (("bleu", "BLEU and chrF", "bleu"), ("meteor", "METEOR scores", "meteor"))
        if "f1" in names and metric not in names
    ]
    if {"perplexity-word", "perplexity-token"} <= names:
        said.append(
            "Perplexity per word and per token are different metrics: never compare one with the other."
        )
    return said


def _without_right(given: Predictions) -> int:
    """How many examples have candidates and none that is right."""
    asked = np.array([bool(answer.candidates) and answer.failure is None for answer in given.answers])
    return int((asked & ~np.isfinite(ranks(given))).sum())


def _version() -> str:
    from importlib.metadata import version

    return version("duologue")
