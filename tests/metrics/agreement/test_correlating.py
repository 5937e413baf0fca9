"""Correlations of metrics with human scores: over items, dialogues and bots, and on published ratings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from duologue.errors import AnalysisError
from duologue.metrics import ScoreCorrelation, ScoreCorrelations, ScoredRow, ScoredRows, correlate_metrics
from tests.metrics.agreement.shared import DATA, conture_turns, usr_items

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not here")


def made_up(bots: int = 6, dialogues: int = 5, turns: int = 3) -> ScoredRows:
    rng = np.random.default_rng(4)
    return ScoredRows(
        tuple(
            ScoredRow(
                f"bot {bot}",
                f"{bot}-{dialogue}",
                str(turn),
                {"f1": float(bot + rng.normal()), "fun": float(bot + rng.normal()), "loss": float(-bot)},
            )
            for bot in range(bots)
            for dialogue in range(dialogues)
            for turn in range(turns)
        )
    )


def of(found: ScoreCorrelations, metric: str, unit: str) -> ScoreCorrelation:
    (one,) = (one for one in found.found if (one.metric, one.unit) == (metric, unit))
    return one


def test_each_unit_is_the_mean_of_its_items() -> None:
    items = made_up()
    found = correlate_metrics(items, ["fun"], metrics=["f1"], draws=100)
    assert [(one.unit, one.found.n, one.clusters) for one in found.found] == [
        ("item", 90, "dialogues"),
        ("dialogue", 30, "dialogues"),
        ("bot", 6, "bots"),
    ]
    assert [one.found.clusters for one in found.found] == [30, 30, 6]
    numbers = np.array([[one.scores["f1"], one.scores["fun"]] for one in items.items])
    for unit, size in (("item", 1), ("dialogue", 3), ("bot", 15)):
        x, y = numbers.reshape(-1, size, 2).mean(axis=1).T
        three = of(found, "f1", unit).found
        assert three.pearson.value == pytest.approx(stats.pearsonr(x, y).statistic)
        assert three.spearman.value == pytest.approx(stats.spearmanr(x, y).statistic)
        assert three.kendall.value == pytest.approx(stats.kendalltau(x, y).statistic)
    assert any("only 6 bots" in said for said in found.warnings)


def test_less_of_some_metrics_is_better() -> None:
    items = made_up()
    plain = correlate_metrics(items, ["fun"], metrics=["loss"], draws=100)
    turned = correlate_metrics(items, ["fun"], metrics=["loss"], lower=["loss"], draws=100)
    values = [of(found, "loss", "bot").found.spearman.value for found in (plain, turned)]
    assert values[0] == -values[1] < -0.8
    named = ScoredRows(
        tuple(ScoredRow("", "", "", {"perplexity-word": -n, "fun": float(n)}) for n in range(5))
    )
    assert (
        of(correlate_metrics(named, ["fun"], draws=100), "perplexity-word", "item").found.pearson.value == 1
    )


def test_items_without_a_dialogue_stand_for_themselves_with_a_warning() -> None:
    items = ScoredRows(tuple(ScoredRow("", "", "", {"f1": float(n % 4), "fun": float(n)}) for n in range(12)))
    found = correlate_metrics(items, ["fun"], draws=100)
    assert [(one.unit, one.found.clusters, one.clusters) for one in found.found] == [("item", 12, "items")]
    assert "too narrow" in found.warnings[-1]
    (row,) = found.rows()
    assert (row["metric"], row["n"], row["clustered_by"]) == ("f1", 12, "items")
    assert found.record()["format"] == "duologue.metric_correlations/1"


def test_what_cannot_be_correlated_is_named() -> None:
    items = made_up(bots=3)
    found = correlate_metrics(items, ["fun"], draws=100)
    assert {one.unit for one in found.found} == {"item", "dialogue"}
    assert any("f1 and fun over bots" in said for said in found.warnings)
    with pytest.raises(AnalysisError, match="No item has the score 'joy'"):
        correlate_metrics(items, ["joy"])
    with pytest.raises(AnalysisError, match="Nothing to correlate"):
        correlate_metrics(ScoredRows(items.items[:3]), ["fun"])
    unmatched = ScoredRows(items.items, unmatched=2)
    assert "2 of 47 items" in correlate_metrics(unmatched, ["fun"], draws=100).warnings[0]


@needs_data
def test_turns_and_dialogues_of_conture_correlate_as_published() -> None:
    """Mean turn score against the dialogue's rating: Pearson .482, Spearman .450 (Ghazarian et al. 2022)."""
    found = correlate_metrics(conture_turns(), ["dialogue"], draws=100)
    turn = of(found, "turn", "dialogue").found
    assert (turn.n, round(turn.pearson.value, 3), round(turn.spearman.value, 3)) == (119, 0.482, 0.450)
    words = of(found, "words", "item").found
    assert (words.n, words.clusters) == (1066, 119)
    assert abs(words.pearson.value) < 0.15


@needs_data
@pytest.mark.parametrize(("file", "bots"), [("pc_usr_data.json", 4), ("tc_usr_data.json", 5)])
def test_on_usr_a_metric_says_more_about_bots_than_about_replies(file: str, bots: int) -> None:
    found = correlate_metrics(usr_items(file), ["overall"], metrics=["f1"], draws=100)
    reply, bot = of(found, "f1", "item").found, of(found, "f1", "bot").found
    assert (reply.n, reply.clusters, bot.n) == (60 * bots, 60, bots)
    assert 0 < reply.pearson.value < 0.35 < bot.pearson.value
    assert any(f"only {bots} bots" in said for said in found.warnings)
