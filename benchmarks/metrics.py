"""Automatic metrics: F1 beside a plain implementation, distinct-n over growing corpora, a whole run.

``python -m benchmarks metrics``. All figures are of one core, in processor seconds, the best of three.
"""

import re
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from duologue.metrics import (
    HeldOutExample,
    Prediction,
    Predictions,
    corpus_distinct,
    f1_scores,
    run_metrics,
    toy_reply,
)

PAIRS = 50_000
_PUNCTUATION = re.compile(r"""[!"#$%&()*+,\-./:;<=>?@\[\]\\^`{|}~_']""")
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def main() -> dict[str, object]:
    said, wanted = zipf_replies(PAIRS, seed=1), zipf_replies(PAIRS, seed=2)
    plain, seconds_plain = _timed(lambda: [_plain_f1(*pair) for pair in zip(said, wanted, strict=True)])
    fast, seconds_fast = _timed(lambda: f1_scores(said, wanted))
    ratio = seconds_plain / seconds_fast
    small, large = (zipf_replies(size, seed=3) for size in (2_000, 200_000))
    _, seconds_small = _timed(lambda: corpus_distinct(small, [n // 8 for n in range(2_000)], 2))
    _, seconds_large = _timed(lambda: corpus_distinct(large, [n // 8 for n in range(200_000)], 2))
    growth = seconds_large / seconds_small
    examples = tuple(HeldOutExample(str(n), str(n // 8), references=(wanted[n],)) for n in range(8_000))
    given = Predictions("bench", examples, tuple(Prediction(text) for text in said[:8_000]))
    _, seconds_run = _timed(lambda: run_metrics(given), times=1)
    _, seconds_toy = _timed(lambda: toy_reply(wanted))
    return {
        "pairs": PAIRS,
        "F1, plain, pairs/s": round(PAIRS / seconds_plain),
        "F1, pairs/s": round(PAIRS / seconds_fast),
        "F1, times as fast as the plain one": round(ratio, 2),
        "distinct-2 of 2,000 replies, s": round(seconds_small, 4),
        "distinct-2 of 200,000 replies, s": round(seconds_large, 3),
        "distinct-2, times as long for 100 times as many": round(growth),
        "all metrics of 8,000 predictions with 1,000 bootstrap samples, s": round(seconds_run, 2),
        "toy reply from 50,000 replies, s": round(seconds_toy, 2),
        "met: F1 at least three times as fast": ratio >= 3,
        "met: F1 the same as the plain one": bool(np.abs(fast - np.array(plain)).max() < 1e-15),
        "met: distinct-n linear": growth < 200,
    }


def _plain_f1(prediction: str, reference: str) -> float:
    said, wanted = _plain_words(prediction), _plain_words(reference)
    shared = sum((Counter(said) & Counter(wanted)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(said), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def _plain_words(text: str) -> list[str]:
    return _ARTICLES.sub(" ", _PUNCTUATION.sub(" ", text.lower())).split()


def zipf_replies(number: int, *, seed: int) -> list[str]:
    """Replies as long as those of ConvAI2 (about 12 words), of a vocabulary as Zipf has it."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, 18_001)
    frequent = [
        "i",
        "you",
        ".",
        "the",
        "a",
        "to",
        "do",
        "?",
        "and",
        "my",
        "is",
        "like",
        "an",
        "am",
        "that's",
        ",",
    ]
    words = frequent + [f"word{n}" for n in range(18_000 - len(frequent))]
    lengths = rng.integers(4, 21, size=number)
    drawn = rng.choice(18_000, size=int(lengths.sum()), p=shares / shares.sum())
    ends = np.cumsum(lengths)
    return [
        " ".join(words[code] for code in drawn[end - length : end])
        for length, end in zip(lengths, ends, strict=True)
    ]


def _timed(work: Callable[[], object], *, times: int = 3) -> tuple[object, float]:
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return found, best
