"""Strengths from judgments of two kinds: equal ones are found equal, different ones different."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from duologue.errors import BadNumber, Disconnected, NotEnoughJudgments
from duologue.stats import AgreeingStrengths, agreeing_strengths, pooled_strengths

NAMES = ("A", "B", "C", "D")
TRUE = np.array([0.6, 0.2, -0.2, -0.6])


def drawn(
    rng: np.random.Generator, *, shift: float = 0.0, each: int = 6, people: int = 60, taste: float = 0.5
) -> dict[str, NDArray[Any]]:
    """Every annotator gives so many judgments of either kind; bot A is so much stronger in the first kind."""
    own = rng.normal(0, taste, (people, len(NAMES)))
    annotators = np.repeat(np.arange(people), 2 * each)
    is_one_kind = np.tile(np.repeat([True, False], each), people)
    first = rng.integers(0, len(NAMES), len(annotators))
    second = (first + rng.integers(1, len(NAMES), len(annotators))) % len(NAMES)
    strengths = TRUE + own[annotators] + shift * is_one_kind[:, None] * (np.arange(len(NAMES)) == 0)
    rows = np.arange(len(annotators))
    lead = strengths[rows, first] - strengths[rows, second]
    won = rng.random(len(rows)) < 1 / (1 + np.exp(-lead))
    return {
        "first": first,
        "second": second,
        "won": won,
        "is_one_kind": is_one_kind,
        "annotators": annotators,
    }


def found(data: dict[str, NDArray[Any]], **more: Any) -> AgreeingStrengths:
    return agreeing_strengths(
        data["first"], data["second"], data["won"].astype(float), NAMES,
        is_one_kind=data["is_one_kind"], annotators=data["annotators"], **more,
    )  # fmt: skip


def test_differences_are_those_of_the_two_fits_and_add_up_to_zero() -> None:
    data = drawn(np.random.default_rng(1))
    both = found(data)
    fits = [
        pooled_strengths(
            data["first"][own], data["second"][own], data["won"][own].astype(float), NAMES,
            annotators=data["annotators"][own],
        )
        for own in (data["is_one_kind"], ~data["is_one_kind"].astype(bool))
    ]  # fmt: skip
    assert both.differences == pytest.approx(fits[0].strengths - fits[1].strengths)
    assert float(both.differences.sum()) == pytest.approx(0, abs=1e-9)
    assert [*both.n, *both.df, both.clusters] == [360, 360, 3, 57, "annotators"]


def test_with_two_bots_it_is_a_t_test_of_one_difference() -> None:
    data = drawn(np.random.default_rng(2))
    own = np.maximum(data["first"], data["second"]) < 2
    less = {name: column[own] for name, column in data.items()}
    both = agreeing_strengths(
        less["first"], less["second"], less["won"].astype(float), NAMES[:2],
        is_one_kind=less["is_one_kind"], annotators=less["annotators"],
    )  # fmt: skip
    assert both.statistic == pytest.approx(float(both.differences[0] / both.errors[0]) ** 2)
    span = both.interval(both.largest)
    assert (span.low > 0 or span.high < 0) == (both.p_value < 0.05)


def test_a_bot_that_is_stronger_in_one_kind_is_named() -> None:
    both = found(drawn(np.random.default_rng(3), shift=1.2))
    assert both.p_value < 0.001
    assert both.names[both.largest] == "A"
    assert both.interval(0).low > 0


def test_kinds_may_come_from_different_annotators() -> None:
    data = drawn(np.random.default_rng(4))
    apart = {**data, "annotators": data["annotators"] * 2 + data["is_one_kind"]}
    assert found(apart).df == (3, 57)
    # Annotators who have the same taste in both kinds make the difference surer.
    assert found(apart).errors.sum() > found(data).errors.sum()


def test_dialogues_decide_where_they_spread_more() -> None:
    rng = np.random.default_rng(5)
    data = drawn(rng, taste=0.0)
    size = len(data["first"])
    once = np.arange(2 * size).reshape(2, size)
    assert found(data, dialogues=(once[0], once[1])).errors == pytest.approx(found(data).errors, rel=0.35)
    few = tuple(4 * rng.integers(0, 6, size) + data[side] for side in ("first", "second"))
    shared = found(data, dialogues=few)
    assert shared.p_value >= found(data).p_value


def test_order_of_judgments_and_of_the_kinds_do_not_matter() -> None:
    data = drawn(np.random.default_rng(6), shift=0.4)
    one = found(data)
    turned = found({name: column[::-1] for name, column in data.items()})
    assert turned.p_value == pytest.approx(one.p_value)
    other = found({**data, "is_one_kind": ~data["is_one_kind"].astype(bool)})
    assert other.p_value == pytest.approx(one.p_value)
    assert other.differences == pytest.approx(-one.differences)


def test_too_few_annotators_or_bots_that_never_met_are_refused() -> None:
    data = drawn(np.random.default_rng(7), people=4)
    with pytest.raises(NotEnoughJudgments, match="at least 5 clusters and has 4"):
        found(data)
    data = drawn(np.random.default_rng(7))
    met = ~data["is_one_kind"].astype(bool) | ((data["first"] < 3) & (data["second"] < 3))
    with pytest.raises(Disconnected):
        found({name: column[met] for name, column in data.items()})
    with pytest.raises(BadNumber, match="is_one_kind"):
        found({**data, "is_one_kind": data["is_one_kind"].astype(int)})


@pytest.mark.slow
@pytest.mark.parametrize("people", [12, 30, 100])
def test_equal_strengths_are_said_to_differ_no_more_often_than_alpha(people: int) -> None:
    rng = np.random.default_rng(people)
    errors = sum(found(drawn(rng, people=people)).p_value <= 0.05 for _ in range(1_000))
    assert errors <= 70  # 50 expected, three standard errors above
