"""Models that write: skipped where torch is absent (`make test-neural` installs it)."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from duologue.models import ReplyContext
from duologue.models.neural.examples import TrainingExample, recall_at_one
from duologue.models.neural.generation import Sampling, WritingModel
from duologue.models.neural.kinds import train_model, trained_model, training_settings
from duologue.models.neural.training import TrainingState

torch = pytest.importorskip("torch")
torch.set_num_threads(1)  # threads that wait for one another are slow on a busy machine
TOPICS = 6
SMALL: dict[str, str | int | float] = {
    "optimizer": "adam",
    "learning_rate": 0.02,
    "embedding": 16,
    "hidden": 32,
    "layers": 1,
    "dropout": 0.0,
    "clip": 1.0,
}
KINDS = ("seq2seq", "language-model")


def corpus(count: int, seed: int) -> list[TrainingExample]:
    """The reply names what was asked about in another word, and then says the same each time."""
    rng = np.random.default_rng(seed)
    made = []
    for topic in rng.integers(TOPICS, size=count).tolist():
        turns = ("hello", "hi " * int(rng.integers(1, 5)), f"tell me about question{topic} ?")
        others = tuple(f"it is answer{other} ." for other in range(TOPICS) if other != topic)
        made.append(TrainingExample(ReplyContext(turns, ("i am here .",)), f"it is answer{topic} .", others))
    return made


TRAIN, VALID = corpus(200, 1), corpus(30, 2)


@pytest.fixture(scope="module", params=KINDS)
def writer(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[WritingModel, TrainingState]:
    folder = tmp_path_factory.mktemp(request.param)
    settings = training_settings(request.param, {**SMALL, "batch": 16, "epochs": 14, "min_count": 1})
    state = train_model(request.param, settings, TRAIN, VALID, folder)
    model = trained_model(folder)
    assert isinstance(model, WritingModel)
    return model, state


def test_it_learns_what_to_write(writer: tuple[WritingModel, TrainingState]) -> None:
    model, state = writer
    assert state.best is not None
    assert state.best < 1.5
    assert state.history[-1].loss < state.history[0].loss / 4
    assert model.perplexity(VALID) == pytest.approx(state.best)
    assert recall_at_one(model, VALID) > 0.6
    told = [model.reply(one.context, Sampling(temperature=0), seed=1)[0] == one.reply for one in VALID]
    assert np.mean(told) > 0.6


def test_next_words_multiply_to_the_score_of_a_reply(writer: tuple[WritingModel, TrainingState]) -> None:
    model, _ = writer
    one = VALID[0]
    words = one.reply.split()
    logs = [np.log(model.next_words(one.context, words[:place])[word]) for place, word in enumerate(words)]
    with torch.inference_mode():
        state = model.begin(one.context)
        for number in model.vocabulary.numbers(one.reply):
            state = model.step(state, number)
        end = float(torch.log_softmax(state.logits, -1)[model.vocabulary.places["<end>"]])
    assert model.scores([one.context], [[one.reply]])[0][0] == pytest.approx((sum(logs) + end) / 5, abs=1e-4)


def test_scores_do_not_depend_on_what_else_is_in_the_batch(
    writer: tuple[WritingModel, TrainingState],
) -> None:
    model, _ = writer
    contexts = [one.context for one in VALID[:6]] + [ReplyContext(("hi",)), ReplyContext(())]
    candidates = [["it is answer1 .", "no", "well it is what it is , is it ?"]] * 8
    together = model.scores(contexts, candidates)
    for context, some, scores in zip(contexts, candidates, together, strict=True):
        assert model.scores([context], [some])[0] == pytest.approx(scores, abs=1e-4)


def test_replies_come_from_the_seed_and_end(writer: tuple[WritingModel, TrainingState]) -> None:
    model, _ = writer
    hot = Sampling(max_words=7, temperature=5.0, top_p=1.0)
    told = [model.reply(VALID[0].context, hot, seed=seed) for seed in range(8)]
    assert told == [model.reply(VALID[0].context, hot, seed=seed) for seed in range(8)]
    assert any(one != other for one, other in pairwise(told))
    for text, words, is_ended in told:
        assert "<" not in text
        assert 1 <= words <= 7
        assert is_ended or words == 7


@pytest.mark.parametrize("kind", KINDS)
def test_training_that_was_interrupted_ends_with_the_same_scores(kind: str, tmp_path: Path) -> None:
    settings = training_settings(kind, {**SMALL, "dropout": 0.2, "layers": 2, "epochs": 2, "min_count": 1})

    def interrupt(state: TrainingState, steps: int) -> None:
        if state.epoch == 1 and state.step == 2:
            raise KeyboardInterrupt

    train_model(kind, settings, TRAIN, VALID, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train_model(kind, settings, TRAIN, VALID, tmp_path / "part", on_step=interrupt, checkpoint_seconds=0)
    train_model(kind, settings, TRAIN, VALID, tmp_path / "part")
    whole, resumed = (
        trained_model(tmp_path / name).scores([VALID[0].context], [VALID[0].candidates])[0].tolist()
        for name in ("whole", "part")
    )
    assert whole == resumed
