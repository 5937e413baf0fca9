"""Bots of trained models, asked through the metrics (skipped where torch is absent)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.bots import Message, Questions, RetrievalBot, TrainedBot, collect_predictions, open_bot
from duologue.cli.main import app
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import BotError, InputError
from duologue.metrics import HeldOutExample, WordDictionary, run_metrics
from duologue.models import ReplyContext, TrainingExample, train_model, training_settings
from duologue.per_turn import read_turns
from duologue.rehearsal import rehearse
from duologue.studies import check_study, new_study

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


SMALL = {"embedding": 32, "layers": 1, "heads": 2, "longest_context": 48, "longest_reply": 12, "epochs": 2}
SAID = (("do you like tea ?", "i like tea a lot ."), ("what do you drink ?", "i drink tea every day ."))


@pytest.mark.usefixtures("forked_servers")
def test_a_double_head_from_a_random_configuration_talks_in_a_per_turn_study(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    lines = ["1 your persona: i like tea .", *(f"{n} {a}\t{b}" for n, (a, b) in enumerate(SAID, 2))]
    (tmp_path / "dialogues.txt").write_text("".join(f"{line}\n" for line in lines * 20), encoding="utf-8")
    study = new_study(tmp_path / "study", protocol="per-turn", seed=3)
    given = [part for name, value in SMALL.items() for part in ("--set", f"{name}={value}")]
    command = ["models", "train", "double-head", str(tmp_path / "dialogues.txt"), "--json"]
    trained = CliRunner().invoke(app, [*command, "--out", str(study.folder / "double"), *given])
    assert trained.exit_code == 0, trained.output
    assert json.loads(trained.stdout)["measure"] == "perplexity"
    settings = {"bots": '["companion", "double-head"]', "setting": '"soba"', "chats_per_bot": "2"}
    text = (
        study.text + '\n[[bots]]\nname = "double-head"\nkind = "trained"\nmodel = "double"\nmax_words = 8\n'
    )
    for name, value in {**settings, "min_exchanges": "2", "max_exchanges": "2"}.items():
        text = text.replace(f"\n{name} = ", f"\n{name} = {value} # ", 1)
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    assert check_study(study.folder).problems == ()
    found = rehearse(study.folder, annotators=3, seed=5)
    assert [check.rule for check in found.rules if not check.has_held] == []
    analysed = CliRunner().invoke(app, ["analyse", str(found.folder), "--out", str(tmp_path / "results")])
    assert analysed.exit_code == 0, analysed.output
    rows = read_turns(tmp_path / "results" / "tables" / "turns.jsonl")
    said = [one for row in rows for one in row.candidates if one.bot == "double-head"]
    words = {word for pair in SAID for text in pair for word in text.split()}
    assert len(said) == 4
    assert all(one.text and not one.failed and set(one.text.split()) <= words for one in said)
    assert "double-head" in (found.folder / "report" / "report.html").read_text(encoding="utf-8")
