"""Distinct-n, within replies and over all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import NotEnoughJudgments
from duologue.metrics import corpus_distinct, distinct_within
from duologue.metrics.texts import distinct
from duologue.metrics.words import words_of

CORPUS = st.lists(
    st.tuples(st.integers(0, 4), st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)),
    min_size=1,
    max_size=15,
)


def plain_runs(texts: list[str], n: int) -> list[str]:
    return [" ".join(text.split()[at : at + n]) for text in texts for at in range(len(text.split()) - n + 1)]


@given(CORPUS, st.integers(1, 3))
def test_corpus_distinct_and_its_jackknife_agree_with_leaving_out_dialogues(
    rows: list[tuple[int, str]], n: int
) -> None:
    names = sorted({name for name, _ in rows})
    codes, texts = [names.index(name) for name, _ in rows], [text for _, text in rows]
    runs = plain_runs(texts, n)
    if not runs:
        with pytest.raises(NotEnoughJudgments):
            corpus_distinct(texts, codes, n)
        return
    found = corpus_distinct(texts, codes, n, level=0.6826895)
    assert (found.different, found.runs, found.clusters) == (len(set(runs)), len(runs), len(names))
    left = [
        plain_runs([t for c, t in zip(codes, texts, strict=True) if c != g], n) for g in range(len(names))
    ]
    values = np.array([len(set(one)) / len(one) for one in left if one])
    if len(values) < 2:
        assert found.interval is None or found.interval.limits == (found.value, found.value)
        return
    variance = (len(values) - 1) / len(values) * ((values - values.mean()) ** 2).sum()
    assert found.interval is not None
    assert (found.interval.low == found.value) == (variance < 1e-30 or found.value == 0)


def test_within_a_reply_every_run_counts_once() -> None:
    assert distinct_within(["Tea, tea, tea", "i like tea", ""], 1)[:2].tolist() == [1 / 3, 1.0]
    assert np.isnan(distinct_within(["tea"], 2)).all()


def test_words_are_cut_as_in_statistics_of_logs() -> None:
    """\"don't\" is one word, a letter of Chinese is one, and a smiley none."""
    assert distinct_within(["don't won't don't"], 1).tolist() == [pytest.approx(2 / 3)]
    assert distinct_within(["我喜我茶"], 1).tolist() == [pytest.approx(3 / 4)]
    assert np.isnan(distinct_within([":-)"], 1)).all()
    said = ["I don't, you DO :-)", "我喜欢tea。 I like it."]
    assert corpus_distinct(said, [0, 1], 1).runs == sum(len(words_of(text)) for text in said)


@pytest.mark.slow
def test_the_jackknife_covers_the_mean_over_corpora_of_this_size() -> None:
    """Replies drawn from a Zipf vocabulary, with words that a dialogue repeats; 95 % stated."""
    rng = np.random.default_rng(20)
    shares = 1 / np.arange(1, 2001)
    shares /= shares.sum()

    def corpus() -> tuple[list[str], list[int]]:
        texts, codes = [], []
        for dialogue in range(80):
            own = rng.choice(2000, size=15, p=shares)
            for _ in range(5):
                texts.append(" ".join(f"w{word}" for word in rng.choice(own, size=8)))
                codes.append(dialogue)
        return texts, codes

    found = [corpus_distinct(*corpus(), 1) for _ in range(300)]
    truth = float(np.mean([one.value for one in found]))
    covered = np.mean([one.interval is not None and truth in one.interval for one in found])
    assert covered >= 0.90


def test_codes_too_large_for_a_whole_number_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, codes = ["a b c a b", "c a b", "b b c"], [0, 0, 1]
    plain = corpus_distinct(texts, codes, 3)
    monkeypatch.setattr(distinct, "_LARGEST", 10)
    assert corpus_distinct(texts, codes, 3) == plain
    assert (plain.different, plain.runs) == (4, 5)
