"""Paraphrases and contradictions by models that are given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from duologue.metrics import MeaningModels, log_statistics
from duologue.metrics.logs.meaning import count_meaning
from tests.metrics.dialogues import live_chat, self_chat


class Topics:
    """Texts by what they are about: films, tea, or nothing known."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([[3.0 * ("horror" in one or "scary" in one), "tea" in one] for one in texts])


def opposites(pairs: Sequence[tuple[str, str]]) -> list[float]:
    return [0.8 if second == f"no , {first}" else 0.1 for first, second in pairs]


MODELS = MeaningModels(Topics(), opposites, embeddings_name="topics", entailment_name="opposites")


def test_the_paper_s_paraphrase_counts_and_a_repeat_does_not() -> None:
    said = ["i like watching horror", "tea ?", "i love watching scary movies", "tea ?", "well", "so"]
    found = count_meaning(said, MODELS)
    assert (found.replies, found.paraphrased, found.contradicting) == (5, 1, 0)


def test_a_contradiction_is_of_something_said_before() -> None:
    assert count_meaning(["i ski", "no , i ski", "i ski"], MODELS).contradicting == 1
    assert count_meaning(["no , i ski", "i ski"], MODELS).contradicting == 0
    assert count_meaning([], MODELS).replies == 0


def test_each_speaker_is_compared_with_themselves_and_counted_on_their_side() -> None:
    chat = live_chat("i ski", "horror", "no , i ski", "scary", "horror", "tea")
    (found,) = log_statistics([chat], meaning=MODELS).bots
    shares = {
        (one.statistic, one.side): (one.count, one.of)
        for one in found.figures
        if one.statistic in ("paraphrased", "self-contradicting")
    }
    assert shares == {
        ("paraphrased", "bot"): (1, 2),
        ("paraphrased", "human"): (0, 2),
        ("self-contradicting", "bot"): (0, 2),
        ("self-contradicting", "human"): (1, 2),
    }
    twice = log_statistics([self_chat("horror", "scary", "scary films", "horror films")], meaning=MODELS).bots
    figure = twice[0].figure("paraphrased")
    assert figure is not None
    assert (figure.count, figure.of) == (2, 2)


def test_results_say_what_was_used_and_what_is_missing() -> None:
    chat = live_chat("hi", "ho")
    without = log_statistics([chat])
    assert without.bots[0].figure("paraphrased") is None
    assert [one for one in without.warnings if "--embeddings" in one or "--entailment" in one] == list(
        without.warnings[-2:]
    )
    only = log_statistics([chat], meaning=MeaningModels(Topics(), alike=0.8, embeddings_name="topics"))
    assert "cosine of at least 0.8" in only.warnings[-1]
    assert any("--entailment" in one for one in only.warnings)
    assert "by opposites" in log_statistics([chat], meaning=MODELS).warnings[-1]
