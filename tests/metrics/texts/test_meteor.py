"""METEOR against the example in NLTK's own documentation, and against its formula by hand."""

from __future__ import annotations

import pytest

from duologue.metrics.texts.meteor import Meteor

GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
REFERENCES = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of "
    "the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)


def test_nltk_s_documented_example() -> None:
    """nltk.translate.meteor_score prints 0.6944 for the first reference, which is the best of the three."""
    scores = Meteor().scores([GUIDE] * 3, REFERENCES)
    assert round(float(scores[0]), 4) == 0.6944
    assert scores.argmax() == 0


def test_the_formula_by_hand() -> None:
    """Five of six words in two runs: F = PR / (.9 P + .1 R), less .5 (2/5)^3 of it."""
    (score,) = Meteor().scores(["the cat sat on mat"], ["on mat the cat sat quietly"])
    precision, recall = 5 / 5, 5 / 6
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    assert score == pytest.approx(mean * (1 - 0.5 * (2 / 5) ** 3))
    assert Meteor().scores(["this is a cat", ""], ["non matching hypothesis", "tea"]).tolist() == [0.0, 0.0]
