"""Trained models on a corpus in which the right answer can be learned and shares no word with the question.

Skipped where torch is absent: `make test-neural` installs it.
"""

from pathlib import Path

import numpy as np
import pytest

from duologue.errors import DesignError, FormatError, InputError
from duologue.models import ReplyContext, plain_model
from duologue.models.neural.examples import TrainingExample, recall_at_one
from duologue.models.neural.kinds import TRAINED_KINDS, train_model, trained_model, training_settings
from duologue.models.neural.training import CHECKPOINT, TrainingState

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # threads that wait for one another are slow on a busy machine
TOPICS = 12
SMALL: dict[str, dict[str, str | int | float]] = {
    "dual-encoder": {
        "embedding": 16,
        "hidden": 24,
        "batch": 16,
        "learning_rate": 0.01,
        "epochs": 14,
        "patience": 14,
        "negatives": 4,
    },
    "memory-network": {
        "embedding": 32,
        "batch": 8,
        "optimizer": "adam",
        "learning_rate": 0.05,
        "epochs": 14,
        "patience": 14,
    },
}


def corpus(count: int, seed: int) -> list[TrainingExample]:
    """What is asked has a word for its topic, what is answered another one; the persona repeats neither."""
    rng = np.random.default_rng(seed)
    made = []
    for topic in rng.integers(TOPICS, size=count).tolist():
        context = ReplyContext(
            ("hello", f"hi {_filler(rng)}", f"tell me about question{topic} ?"), ("i am here .",)
        )
        others = [other for other in rng.permutation(TOPICS).tolist() if other != topic][:4]
        replies = [f"it is answer{other} {_filler(rng)}" for other in (topic, *others)]
        made.append(TrainingExample(context, replies[0], tuple(replies[1:])))
    return made


def _filler(rng: np.random.Generator) -> str:
    return " ".join(rng.choice(["so", "well", "oh", "hm", "then"], int(rng.integers(1, 9))).tolist())


TRAIN, VALID = corpus(240, 1), corpus(60, 2)


def trained(kind: str, out: Path, **more: str | float) -> TrainingState:
    settings = training_settings(kind, {**SMALL[kind], "min_count": 1, **more})
    return train_model(kind, settings, TRAIN, VALID, out)


@pytest.mark.parametrize("kind", SMALL)
def test_a_model_learns_what_tf_idf_cannot_see(kind: str, tmp_path: Path) -> None:
    state = trained(kind, tmp_path)
    model = trained_model(tmp_path)
    plain = plain_model("tf-idf", (text for one in TRAIN for text in (*one.context.turns, one.reply)))
    assert recall_at_one(plain, VALID) < 0.4
    assert state.best is not None
    assert recall_at_one(model, VALID) == pytest.approx(state.best)
    assert state.best > 0.6
    losses = [one.loss for one in state.history]
    assert min(losses[1:]) < losses[0]


@pytest.mark.parametrize("kind", SMALL)
def test_training_that_was_interrupted_ends_with_the_same_scores(kind: str, tmp_path: Path) -> None:
    contexts, candidates = [one.context for one in VALID], [one.candidates for one in VALID]
    trained(kind, tmp_path / "whole", epochs=3)
    settings = training_settings(kind, {**SMALL[kind], "min_count": 1, "epochs": 3})

    def interrupt(state: TrainingState, steps: int) -> None:
        if state.epoch == 1 and state.step == steps // 2 + 1:
            raise KeyboardInterrupt

    part = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        train_model(kind, settings, TRAIN, VALID, part, on_step=interrupt, checkpoint_seconds=0)
    with pytest.raises(InputError, match="its training is not over"):
        trained_model(part)
    train_model(kind, settings, TRAIN, VALID, part)
    whole, resumed = (
        trained_model(folder).scores(contexts, candidates) for folder in (tmp_path / "whole", part)
    )
    assert [scores.tolist() for scores in whole] == [scores.tolist() for scores in resumed]
    assert any(scores.std() > 0 for scores in whole)


def test_another_seed_gives_other_weights_and_its_checkpoint_is_not_mixed_up(tmp_path: Path) -> None:
    trained("dual-encoder", tmp_path, epochs=1)
    with pytest.raises(FormatError, match="this very training"):
        trained("dual-encoder", tmp_path, epochs=1, seed=1)
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(FormatError, match="a checkpoint"):
        trained("dual-encoder", tmp_path, epochs=1)
    (tmp_path / "weights.pt").write_bytes(b"no weights")
    with pytest.raises(FormatError, match="Train it anew"):
        trained_model(tmp_path)


def test_training_stops_when_nothing_gets_better(tmp_path: Path) -> None:
    state = trained("dual-encoder", tmp_path, learning_rate=1e-9, epochs=20, patience=2, decay=0.5)
    assert state.epoch == 3
    assert state.best_epoch == 1
    assert state.learning_rate == pytest.approx(0.25e-9)


def test_what_cannot_be_trained_is_said(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="there is no such model"):
        training_settings("oracle", {})
    with pytest.raises(DesignError, match="has no setting 'depth'"):
        training_settings("dual-encoder", {"depth": 1})
    with pytest.raises(DesignError, match="hidden of dual-encoder"):
        training_settings("dual-encoder", {"hidden": "wide"})
    with pytest.raises(DesignError, match="at least 2 and 1"):
        train_model("dual-encoder", training_settings("dual-encoder", {}), TRAIN[:1], [], tmp_path)
    assert set(SMALL) <= set(TRAINED_KINDS)
