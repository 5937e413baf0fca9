"""Bots of trained models, asked through the metrics (skipped where torch is absent)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from duologue.bots import Message, Questions, RetrievalBot, TrainedBot, collect_predictions, open_bot
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import BotError, InputError
from duologue.metrics import HeldOutExample, WordDictionary, run_metrics
from duologue.models import ReplyContext, TrainingExample, train_model, training_settings

torch = pytest.importorskip("torch")
torch.set_num_threads(1)
EXAMPLES = [
    HeldOutExample(str(n), str(n), (f"{word} ?",), ("i am .",), (f"so {word} !",), (f"so {word} !", "no"))
    for n, word in enumerate(("one", "two", "three") * 12)
]


def learned(kind: str, out: Path, **more: int | float | str) -> None:
    given = {
        "embedding": 32,
        "optimizer": "adam",
        "learning_rate": 0.02,
        "epochs": 10,
        "min_count": 1,
        **more,
    }
    some = [
        TrainingExample(ReplyContext(one.context, one.persona), one.references[0], ("no",))
        for one in EXAMPLES
    ]
    train_model(kind, training_settings(kind, given), some, some, out)


def test_a_writing_model_gives_perplexity_hits_and_f1(tmp_path: Path) -> None:
    learned("seq2seq", tmp_path / "model", hidden=32, layers=1, dropout=0, clip=1, batch=4)
    bot = open_bot(TrainedBot(name="writer", model="model", temperature=0), folder=tmp_path)
    assert bot.abilities == ("reply", "score", "words")
    dictionary = WordDictionary.of(text for one in EXAMPLES for text in one.references)
    found = collect_predictions(tmp_path, bot, EXAMPLES, Questions(bot.abilities, dictionary=dictionary))
    assert found.failed == 0
    values = {one.metric: one.value for one in run_metrics(found, draws=100).results.metrics}
    assert values["f1"] > 0.8
    assert values["hits@1"] == 1.0
    assert values["perplexity-word"] < 2


def test_a_choosing_model_answers_from_a_corpus_and_writes_nothing(tmp_path: Path) -> None:
    learned("memory-network", tmp_path / "model", batch=4)
    people = (Speaker("a"), Speaker("b"))
    dialogues = [
        Dialogue(
            one.id, "p", "human-human", "b", people, (Turn("a", one.context[0]), Turn("b", one.references[0]))
        )
        for one in EXAMPLES[:3]
    ]
    write_dialogues(dialogues, tmp_path / "corpus.jsonl")
    settings = RetrievalBot(name="chooser", model="model", corpus=("corpus.jsonl",))
    reply = asyncio.run(open_bot(settings, folder=tmp_path).reply([Message("user", "two ?")], seed=1))
    assert reply.text == "so two !"
    with pytest.raises(BotError, match='kind = "retrieval"'):
        open_bot(TrainedBot(name="writer", model="model"), folder=tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        open_bot(TrainedBot(name="writer", model="nothing"), folder=tmp_path)
