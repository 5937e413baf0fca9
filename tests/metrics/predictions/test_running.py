"""Metrics of predictions: by hand, by twin, and what goes with them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import AnalysisError, FormatError, NotEnoughJudgments
from duologue.metrics import (
    PUBLISHED_REPLY,
    HeldOutExample,
    MetricResult,
    MetricsResults,
    Prediction,
    Predictions,
    rank_of_gold,
    read_test_set,
    run_metrics,
    toy_reply,
)

VALID = Path(__file__).parents[4] / "shared" / "data" / "convai2_valid" / "valid_self_original_no_cands.txt"


def predictions(*answers: Prediction, references: tuple[str, ...] = ("i like green tea",)) -> Predictions:
    examples = tuple(
        HeldOutExample(str(n), str(n // 2), ("hi", "do you like tea ?"), (), references)
        for n in range(len(answers))
    )
    return Predictions("mint", examples, answers, "made.jsonl")


def value(given: Predictions, metric: str) -> float:
    found = run_metrics(given, draws=100).results.metric(metric)
    assert found is not None
    return found.value


def test_f1_is_the_mean_over_examples_and_the_best_of_references() -> None:
    given = predictions(*[Prediction("tea"), Prediction("i like tea")] * 2)
    assert value(given, "f1") == pytest.approx((2 / 5 + 6 / 7) / 2)
    several = predictions(*[Prediction("tea")] * 4, references=("i like green tea", "tea"))
    found = run_metrics(several, draws=100).results.metric("f1")
    assert found is not None
    assert found.gain is not None
    assert found.value == 1.0
    assert found.gain.value == pytest.approx(3 / 5)


def test_ties_are_broken_against_the_model() -> None:
    flat = Prediction(candidates=("i like green tea", "no", "yes"), scores=(0.0, 0.0, 0.0))
    assert value(predictions(*[flat] * 4), "hits@1") == 0.0
    assert value(predictions(*[flat] * 4), "mrr") == pytest.approx(1 / 3)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=1, max_size=8))
def test_the_rank_is_that_of_sorting_with_the_wrong_ones_first(rows: list[tuple[bool, int]]) -> None:
    ordered = sorted(rows, key=lambda row: (-row[1], row[0]))
    places = [n for n, (right, _) in enumerate(ordered, 1) if right]
    found = rank_of_gold([right for right, _ in rows], [float(score) for _, score in rows])
    assert found == (places[0] if places else None)
    assert rank_of_gold([right for right, _ in ordered]) == found


def test_a_candidate_is_right_when_it_is_a_reference_after_the_normalisation() -> None:
    ranked = Prediction(candidates=("I like the green tea!", "no"))
    assert value(predictions(*[ranked] * 4), "hits@1") == 1.0


def test_the_two_perplexities_are_two_metrics() -> None:
    one = Prediction(word_probabilities=(0.5, None, 0.125), token_logprobs=(-1.0, -2.0, -3.0))
    given = predictions(*[one] * 4)
    assert value(given, "perplexity-word") == pytest.approx(4.0)
    assert value(given, "perplexity-token") == pytest.approx(math.e**2)
    results = run_metrics(given, draws=100).results
    assert {one.metric: one.details for one in results.metrics}["perplexity-word"] == {
        "words": 8,
        "skipped": 4,
    }
    assert any("never compare" in text for text in results.warnings)
    assert all(metric.metric != "perplexity" for metric in results.metrics)


def test_perplexity_weighs_words_not_examples() -> None:
    long, short = Prediction(word_probabilities=(0.5,) * 9), Prediction(word_probabilities=(0.25,))
    assert value(predictions(long, long, short, short), "perplexity-word") == pytest.approx(
        math.exp(-math.log(0.5**9 / 4) / 10)
    )


def test_the_parrot_is_left_out_of_hits_and_counts_in_the_attack() -> None:
    said = ("i like green tea", "no", "do you like tea ?")
    echo = Prediction(candidates=said, scores=(0.5, 0.1, 0.9), parrot=2)
    results = run_metrics(predictions(*[echo] * 4), draws=100).results
    attack = next(one for one in results.attacks if one.metric == "hits@1")
    assert (attack.before, attack.after, attack.change.value) == (1.0, 0.0, -1.0)
    assert any("parrot lowers hits@1" in text for text in results.warnings)


def test_revised_personas_are_compared_on_the_same_examples() -> None:
    right = Prediction(candidates=("i like green tea", "no"))
    wrong = Prediction(candidates=("no", "i like green tea"))
    before, after = predictions(*[right] * 4), predictions(right, wrong, wrong, wrong)
    attack = next(one for one in run_metrics(before, revised=after, draws=100).results.attacks)
    assert (attack.attack, attack.before, attack.after) == ("revised-personas", 1.0, 0.25)
    with pytest.raises(FormatError, match="other examples"):
        run_metrics(before, revised=predictions(*[right] * 3), draws=100)


def test_failures_are_counted_and_not_scored() -> None:
    given = predictions(
        Prediction("i like green tea"), Prediction("tea"), Prediction(failure="late"), Prediction("tea")
    )
    results = run_metrics(given, draws=100).results
    assert (results.answered, results.failed) == (3, 1)
    assert results.metrics[0].n == 3
    assert any("1 of 4 examples" in text for text in results.warnings)
    with pytest.raises(AnalysisError, match=r"mint answered none of 2 examples. The first: it sleeps"):
        run_metrics(predictions(*[Prediction(failure="it sleeps")] * 2), draws=100)


def test_why_nothing_can_be_measured_is_said() -> None:
    with pytest.raises(AnalysisError, match="no candidate is a reference"):
        run_metrics(predictions(*[Prediction(candidates=("no", "yes"))] * 4), draws=100)
    with pytest.raises(NotEnoughJudgments, match="at least 2 answered dialogues and has 1"):
        run_metrics(predictions(*[Prediction("tea")] * 2), draws=100)


def test_the_toy_reply_beats_a_weak_bot_and_a_warning_says_so() -> None:
    weak = predictions(
        *[Prediction("do you like rain")] * 8, references=("i am to do that and you like your tea",)
    )
    results = run_metrics(weak, draws=100).results
    assert results.toy is not None
    assert results.toy.reply == PUBLISHED_REPLY
    assert results.toy.value > results.metrics[0].value
    assert any("not clearly above" in text for text in results.warnings)
    strong = predictions(*[Prediction("i like green tea")] * 8)
    assert not any("not clearly above" in text for text in run_metrics(strong, draws=100).results.warnings)


@given(
    st.lists(st.lists(st.sampled_from("wxyz"), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6)
)
def test_the_toy_reply_says_its_own_f1_and_no_single_change_helps(replies: list[str]) -> None:
    from duologue.metrics import f1_scores

    made = toy_reply(replies)
    words = made.reply.split()

    def mean(trial: list[str]) -> float:
        return float(f1_scores([" ".join(trial)] * len(replies), replies).mean())

    assert mean(words) == pytest.approx(made.training_f1)
    for place in range(len(words)):
        for word in "wxyz":
            assert mean([*words[:place], word, *words[place + 1 :]]) <= made.training_f1 + 1e-9


def _width(one: MetricResult) -> float:
    assert one.low is not None
    assert one.high is not None
    return one.high - one.low


def test_intervals_are_by_dialogue() -> None:
    """Two replies of a dialogue that are always alike say no more than one of them."""
    rng = np.random.default_rng(4)
    right = rng.random(60) < 0.5
    alike = predictions(*[Prediction("i like green tea" if one else "no") for one in right for _ in range(2)])
    wide = run_metrics(alike, draws=2000, seed=1).results.metrics[0]
    apart = replace(alike, examples=tuple(replace(one, dialogue=one.id) for one in alike.examples))
    narrow = run_metrics(apart, draws=2000, seed=1).results.metrics[0]
    assert _width(wide) / _width(narrow) == pytest.approx(2**0.5, rel=0.12)
    assert (wide.dialogues, wide.n) == (60, 120)


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    parrot = Prediction("tea", ("i like green tea", "no", "hm"), (0.5, 0.1, 0.9), 2, (-1.0,), (0.5, None))
    results = run_metrics(
        predictions(*[parrot] * 4, references=("i like green tea", "tea")), draws=100
    ).results
    path = tmp_path / "results.json"
    path.write_text(results.to_json(), encoding="utf-8")
    assert MetricsResults.read(path) == results
    path.write_text(results.to_json().replace("duologue.metrics/1", "duologue.metrics/9"), encoding="utf-8")
    with pytest.raises(Exception, match="upgrade"):
        MetricsResults.read(path)
    for text in ("{", "[]", '{"format": "duologue.metrics/1"}'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FormatError):
            MetricsResults.read(path)


def test_bleu_and_chrf_are_sacrebleus_with_its_signature() -> None:
    import sacrebleu

    said = ["i like green tea a lot", "do you drink tea too ?", "no", "i like green tea"]
    refs = ["i like green tea very much", "do you drink coffee too ?", "never", "i like green tea"]
    examples = tuple(HeldOutExample(str(n), str(n), (), (), (refs[n],)) for n in range(4))
    given = Predictions("mint", examples, tuple(map(Prediction, said)))
    assert value(given, "bleu") == pytest.approx(sacrebleu.corpus_bleu(said, [refs]).score)
    assert value(given, "chrf") == pytest.approx(sacrebleu.corpus_chrf(said, [refs]).score)
    found = run_metrics(given, draws=100).results.metric("bleu")
    assert found is not None
    assert str(found.details["signature"]).startswith("nrefs:1|case:mixed|")


@pytest.mark.skipif(not VALID.exists(), reason="the ConvAI2 validation set is not here")
def test_the_convai2_validation_set_has_its_published_size() -> None:
    """Dinan et al. 2019, Table 2."""
    examples = read_test_set(VALID)
    assert (len(examples), len({one.dialogue for one in examples})) == (7801, 1000)
    assert all(len(one.context) % 2 for one in examples)


def test_what_cannot_be_measured_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in ("sacrebleu.metrics.bleu", "nltk.translate"):
        monkeypatch.setitem(sys.modules, name, None)
    odd = Prediction("tea", candidates=("no", "yes"))
    right = Prediction("tea", candidates=("i like green tea", "yes"))
    results = run_metrics(predictions(odd, right, right, right), draws=100).results
    found = results.metric("hits@1")
    assert found is not None
    assert (found.n, results.metric("bleu"), results.metric("meteor")) == (3, None, None)
    for told in ("In 1 examples no candidate", "duologue[bleu]", "duologue[meteor]"):
        assert any(told in text for text in results.warnings)
