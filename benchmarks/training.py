"""Training the dual encoder: examples a second against a plain PyTorch loop on the same model, same run.

The plain loop does what most code does: shuffled batches, each example padded to the longest of its batch in
Python, every reply of a batch read once. Both take turns, and the fastest round of each counts. Needs torch.
"""

import json
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from duologue.models import ReplyContext, TrainingExample, train_model, training_settings
from duologue.models.neural.dual_encoder import DualEncoder
from duologue.models.neural.vocabulary import ModelVocabulary

EXAMPLES, ROUNDS = 2_000, 3
SIZES: dict[str, str | int | float] = {
    "batch": 64,
    "embedding": 64,
    "hidden": 128,
    "min_count": 1,
    "epochs": 1,
}


def main() -> dict[str, object]:
    if find_spec("torch") is None:
        return {"left out": "torch is not installed"}
    import torch

    examples = _corpus()
    ours, plain, losses = [], [], []
    for _ in range(ROUNDS):
        seconds, loss = _ours(examples)
        ours.append(seconds)
        losses.append(loss)
        plain.append(_plain(examples))
    ratio = min(plain) / min(ours)
    return {
        "examples": EXAMPLES,
        "threads": torch.get_num_threads(),
        "ours, examples/s": round(EXAMPLES / min(ours)),
        "plain loop, examples/s": round(EXAMPLES / min(plain)),
        "ours over plain": round(ratio, 2),
        "loss of the epoch": round(losses[-1], 3),
        "met: at least as fast as a plain loop": ratio >= 1.0,
    }


def _corpus() -> list[TrainingExample]:
    """Contexts of 5 to 150 words and replies of 2 to 30, most of them short, as in real dialogues."""
    rng = np.random.default_rng(1)
    words = np.array([f"word{number}" for number in range(3_000)])

    def text(longest: int) -> str:
        count = 2 + int((longest - 2) * rng.beta(1, 3))
        return " ".join(words[rng.integers(len(words), size=count)].tolist())

    return [TrainingExample(ReplyContext((text(70), text(70))), text(30)) for _ in range(EXAMPLES)]


def _ours(examples: list[TrainingExample]) -> tuple[float, float]:
    """An epoch of `train_model`, with all that belongs to it but for making the vocabulary."""
    marks: list[float] = []
    settings = training_settings("dual-encoder", SIZES)
    with tempfile.TemporaryDirectory(prefix="duologue-bench-") as folder:
        state = train_model(
            "dual-encoder",
            settings,
            examples,
            examples[:2],
            Path(folder),
            on_step=lambda state, steps: marks.append(time.perf_counter()),
        )
    # The first step also waits for torch to warm up; the time of the others stands for all.
    return (marks[-1] - marks[0]) / (len(marks) - 1) * len(marks), state.history[0].loss


def _plain(examples: list[TrainingExample]) -> float:
    import torch

    settings = training_settings("dual-encoder", SIZES)
    texts = [text for one in examples for text in (*one.context.turns, one.reply)]
    vocabulary = ModelVocabulary.of(texts, min_count=1, splitting="signs")
    model = DualEncoder(settings, vocabulary)  # type: ignore[arg-type]  # settings of this very kind
    contexts = [
        [number for turn in one.context.turns for number in vocabulary.numbers(turn)] for one in examples
    ]
    replies = [vocabulary.numbers(one.reply) for one in examples]
    optimizer = torch.optim.Adam(model.parts.parameters(), lr=settings.learning_rate)
    order = np.random.default_rng(1).permutation(len(examples)).tolist()
    marks = []
    for at in range(0, len(order), settings.batch):
        rows = order[at : at + settings.batch]
        optimizer.zero_grad()
        heard, said = (_encoded(model, [some[row] for row in rows]) for some in (contexts, replies))
        logits = model.parts["match"](heard) @ said.T
        false = torch.roll(logits, 1, dims=1).diagonal()
        loss = torch.nn.functional.softplus(-logits.diagonal()) + torch.nn.functional.softplus(false)
        loss.mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parts.parameters(), settings.clip)
        optimizer.step()
        marks.append(time.perf_counter())
    return (marks[-1] - marks[0]) / (len(marks) - 1) * len(marks)


def _encoded(model: DualEncoder, rows: list[list[int]]) -> Any:
    import torch

    longest = max(map(len, rows))
    table = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    states, _ = model.parts["lstm"](model.parts["words"](table))
    return states[torch.arange(len(rows)), torch.tensor([len(row) - 1 for row in rows])]


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
