"""F1 against a twin: one pair at a time, regular expressions, Counter, exact fractions."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.metrics import exact_matches, f1, f1_scores, normal_text, normal_words

VALID = Path(__file__).parents[4] / "shared" / "data" / "convai2_valid" / "valid_self_original_no_cands.txt"
WORDS = st.sampled_from(
    [
        "a",
        "an",
        "the",
        "i",
        "The",
        "cats",
        "don't",
        "U.S.A.",
        "a’s",
        "the\x01",
        "ΣΑΣ",
        "\n",
        "İ",
        "tea",
        "_a_",
    ]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=8).map(" ".join), st.text(max_size=20))


def plain_normal(text: str) -> list[str]:
    spaced = re.sub(r"""[!"#$%&()*+,\-./:;<=>?@\[\]\\^`{|}~_']""", " ", text.lower())
    return re.sub(r"\b(a|an|the)\b", " ", spaced).split()


def plain_f1(prediction: str, reference: str) -> float:
    said, wanted = Counter(plain_normal(prediction)), Counter(plain_normal(reference))
    shared = (said & wanted).total()
    if not shared:
        return 0.0
    precision, recall = Fraction(shared, said.total()), Fraction(shared, wanted.total())
    return float(2 * precision * recall / (precision + recall))


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=12))
def test_f1_agrees_with_the_plain_twin_to_the_last_bit(pairs: list[tuple[str, str]]) -> None:
    said, wanted = [one for one, _ in pairs], [other for _, other in pairs]
    assert f1_scores(said, wanted).tolist() == [plain_f1(*pair) for pair in pairs]


@given(st.lists(TEXTS, max_size=12))
def test_normalising_many_is_normalising_each(texts: list[str]) -> None:
    assert normal_words(texts) == [plain_normal(text) for text in texts]


@given(TEXTS, TEXTS)
def test_f1_is_symmetric_and_one_only_for_the_same_words(one: str, other: str) -> None:
    assert f1(one, [other]) == f1(other, [one])
    assert (f1(one, [other]) == 1) == (len(normal_words([one])[0]) > 0 and plain_same(one, other))


def plain_same(one: str, other: str) -> bool:
    return sorted(plain_normal(one)) == sorted(plain_normal(other))


@pytest.mark.parametrize(
    ("text", "normal"), [("don't", "don t"), ("U.S.A.", "u s"), ("An owl, a cat.", "owl cat"), ("...", "")]
)
def test_words_are_those_of_the_field(text: str, normal: str) -> None:
    assert normal_text(text) == normal


def test_more_than_one_batch_is_read() -> None:
    said, wanted = ["i like tea", "no"] * 300, ["tea", "no"] * 300
    assert f1_scores(said, wanted).tolist() == [0.5, 1.0] * 300


def test_the_best_of_several_references_counts() -> None:
    assert f1("tea please", ["coffee", "tea", "some tea please"]) == 0.8
    assert f1("tea", []) == 0.0


def test_exact_match_is_after_the_normalisation_and_keeps_the_order() -> None:
    assert exact_matches(["The tea!", "tea like i", "a"], ["tea", "i like tea", "b"]).tolist() == [
        1.0,
        0.0,
        0.0,
    ]


@pytest.mark.skipif(not VALID.exists(), reason="the ConvAI2 validation set is not here")
def test_the_published_toy_reply_has_its_published_f1() -> None:
    """Dinan et al. 2019, section 3.1.2: 20.5 on the validation set."""
    lines = VALID.read_text(encoding="utf-8").splitlines()
    gold = [line.split("\t")[1] for line in lines if "\t" in line]
    assert len(gold) == 7801
    assert round(100 * float(f1_scores(["i am you to do and your is like"] * 7801, gold).mean()), 1) == 20.5
