"""A GPT-2 that writes and chooses, from a random configuration and from weights made here."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from duologue.errors import InputError
from duologue.models import ReplyContext, Sampling, TrainingExample, WritingModel
from duologue.models.neural.examples import recall_at_one
from duologue.models.neural.kinds import train_model, trained_model, training_settings

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
torch.set_num_threads(1)  # threads that wait for one another are slow on a busy machine
WORDS = ("one", "two", "three", "four", "five", "six")
EXAMPLES = [
    TrainingExample(
        ReplyContext((f"{word} ?",), ("i am .",)),
        f"so {word} !",
        tuple(f"so {other} !" for other in WORDS if other != word)[:4],
    )
    for word in WORDS * 8
]
SMALL: dict[str, str | int | float] = {
    **{"embedding": 32, "layers": 1, "heads": 2, "dropout": 0.0, "learning_rate": 0.01, "batch": 8},
    **{"longest_context": 16, "longest_reply": 8, "min_count": 1},
}


def learned(folder: Path, **more: str | float) -> WritingModel:
    settings = training_settings("double-head", {**SMALL, **more})
    state = train_model("double-head", settings, EXAMPLES, EXAMPLES[:6], folder)
    assert state.history[-1].loss < state.history[0].loss
    model = trained_model(folder)
    assert isinstance(model, WritingModel)
    assert model.perplexity(EXAMPLES[:6]) == pytest.approx(state.best)
    return model


def test_it_learns_to_write_and_to_choose(tmp_path: Path) -> None:
    larger = {
        "layers": 2,
        "embedding": 64,
        "heads": 4,
        "learning_rate": 0.002,
    }  # learned to the end, not half
    model = learned(tmp_path, patience=25, epochs=25, choice_weight=2.0, **larger)
    assert recall_at_one(model, EXAMPLES[:6]) > 0.6
    told = [model.reply(one.context, Sampling(temperature=0), seed=1)[0] == one.reply for one in EXAMPLES[:6]]
    assert np.mean(told) > 0.6
    assert model.knows_words
    shares = [model.next_words(EXAMPLES[0].context, words) for words in (["so"], ["so", "one"], ["so"])]
    assert shares[0] == pytest.approx(shares[2], abs=1e-6)
    assert max(shares[1], key=lambda word: shares[1][word]) == "!"


def test_interrupted_training_and_batches_change_nothing(tmp_path: Path) -> None:
    settings = training_settings("double-head", {**SMALL, "epochs": 2, "dropout": 0.1})

    def interrupt(state: Any, steps: int) -> None:
        if state.epoch == 1 and state.step == 2:
            raise KeyboardInterrupt

    train_model("double-head", settings, EXAMPLES, EXAMPLES[:6], tmp_path / "whole")
    part = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        train_model(
            "double-head", settings, EXAMPLES, EXAMPLES[:6], part, on_step=interrupt, checkpoint_seconds=0
        )
    train_model("double-head", settings, EXAMPLES, EXAMPLES[:6], part)
    whole, resumed = trained_model(tmp_path / "whole"), trained_model(part)
    contexts, candidates = [one.context for one in EXAMPLES[:4]], [one.candidates for one in EXAMPLES[:4]]
    assert [one.tolist() for one in whole.scores(contexts, candidates)] == [
        one.tolist() for one in resumed.scores(contexts, candidates)
    ]
    together = whole.scores(
        [*contexts, ReplyContext(("one two three four ?",))], [*candidates, ["so", "so so so"]]
    )
    alone = whole.scores(contexts[:1], candidates[:1])
    assert together[0] == pytest.approx(alone[0], abs=1e-4)


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A GPT-2 of a few thousand random numbers with a tokenizer of words."""
    transformers, tokenizers = map(import_module, ("transformers", "tokenizers"))
    known = {word: number for number, word in enumerate(("<unk>", "so", "?", "!", "i", "am", ".", *WORDS))}
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(known, unk_token="<unk>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    folder = tmp_path / "weights"
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>").save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.GPT2Config(vocab_size=len(known), n_positions=32, n_embd=16, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_it_starts_from_local_weights_and_is_whole_without_them(weights: Path, tmp_path: Path) -> None:
    model = learned(tmp_path / "model", weights=str(weights), epochs=2)
    assert not model.knows_words
    (weights / "config.json").unlink()
    again = trained_model(tmp_path / "model")
    assert isinstance(again, WritingModel)
    assert again.scores([EXAMPLES[0].context], [WORDS])[0] == pytest.approx(
        model.scores([EXAMPLES[0].context], [WORDS])[0]
    )
    assert again.reply(EXAMPLES[0].context, Sampling(max_words=3), seed=1)[0]


def test_weights_that_are_not_there_or_too_short_are_said(weights: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no weights with a tokenizer"):
        learned(tmp_path / "model", weights=str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="Set longest_context lower"):
        learned(tmp_path / "model", weights=str(weights), longest_context=40)
