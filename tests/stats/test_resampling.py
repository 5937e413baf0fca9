"""The bootstrap by whole clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import cluster_totals, clustered_mean, percentile_interval, resampled_totals


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(-9, 9)), min_size=1, max_size=30))
def test_totals_are_sums_by_cluster(rows: list[tuple[int, float]]) -> None:
    names = sorted({cluster for cluster, _ in rows})
    codes = [names.index(cluster) for cluster, _ in rows]
    found = cluster_totals([[value, 1.0] for _, value in rows], codes)
    for code, name in enumerate(names):
        own = [value for cluster, value in rows if cluster == name]
        assert found[code].tolist() == pytest.approx([sum(own), len(own)], abs=1e-9)


def test_every_sample_has_as_many_clusters_and_another_one() -> None:
    totals = np.column_stack([np.ones(7), np.arange(7.0)])
    drawn = resampled_totals(totals, draws=200, rng=np.random.default_rng(3))
    assert set(drawn[:, 0]) == {7.0}
    assert drawn[:, 1].min() < 21 < drawn[:, 1].max()


def test_samples_do_not_depend_on_how_many_are_held_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    totals = np.arange(12.0).reshape(6, 2)
    whole = resampled_totals(totals, draws=50, rng=np.random.default_rng(5))
    monkeypatch.setattr("duologue.stats.clusters.resampling._CELLS", 20)
    assert (resampled_totals(totals, draws=50, rng=np.random.default_rng(5)) == whole).all()


def test_the_standard_error_is_that_of_the_clustered_mean() -> None:
    rng = np.random.default_rng(11)
    clusters = np.repeat(np.arange(60), 5)
    values = (rng.normal(size=60)[clusters] + rng.normal(size=300) > 0).astype(float)
    totals = cluster_totals(np.column_stack([values, np.ones(300)]), clusters)
    drawn = resampled_totals(totals, draws=4000, rng=rng)
    spread = float((drawn[:, 0] / drawn[:, 1]).std())
    assert spread == pytest.approx(
        clustered_mean(values, [clusters], bounds=(0, 1), null=0.5).standard_error, rel=0.06
    )


def test_values_that_are_no_number_are_left_out_of_the_interval() -> None:
    assert percentile_interval([0.0, np.nan, 1.0, np.inf], level=0.5).limits == (0.25, 0.75)
    with pytest.raises(NotEnoughJudgments):
        percentile_interval([np.nan])


def test_too_few_clusters_and_too_few_draws_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="2 clusters"):
        resampled_totals([[1.0]], rng=np.random.default_rng(1))
    with pytest.raises(BadNumber):
        resampled_totals([[1.0], [2.0]], draws=0, rng=np.random.default_rng(1))
    assert cluster_totals(np.zeros((0, 2)), []).shape == (0, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clusters", "least", "most"), [(5, 0.81, 0.89), (20, 0.91, 0.95), (50, 0.925, 0.965)]
)
def test_the_percentile_interval_covers_as_its_page_says(clusters: int, least: float, most: float) -> None:
    rng = np.random.default_rng(clusters)
    covered = 0
    for _ in range(1500):
        totals = np.column_stack([rng.normal(size=clusters), np.ones(clusters)])
        drawn = resampled_totals(totals, draws=800, rng=rng)
        covered += 0.0 in percentile_interval(drawn[:, 0] / drawn[:, 1])
    assert least <= covered / 1500 <= most
