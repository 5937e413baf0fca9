"""Next utterance classification and trained models, as a user types them."""

import csv
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Run

THINGS = ("tea", "rain", "music", "bread", "snow", "paper", "trains", "gardens")
HAS_TORCH = find_spec("torch") is not None
SMALL = ("--set", "epochs=1", "--set", "hidden=4", "--set", "embedding=4", "--set", "min_count=1")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    with path.open("w") as file:
        for number in range(60):
            one, other = THINGS[number % 8], THINGS[number // 8]
            said = [
                f"about {one} {number}",
                f"{one} and {other} ?",
                f"yes , {one} {other} {number} .",
                f"ah {one}",
            ]
            messages = [
                {"role": ("user", "assistant")[turn % 2], "content": text} for turn, text in enumerate(said)
            ]
            file.write(json.dumps({"messages": messages}) + "\n")
    return path


@pytest.fixture
def task(corpus: Path, duologue: Run, tmp_path: Path) -> Path:
    duologue(
        "nuc",
        "build",
        corpus,
        "--out",
        "task",
        "--per-dialogue",
        "2",
        "--train",
        "0.6",
        "--valid",
        "0.2",
        "--test",
        "0.2",
    )
    return tmp_path / "task"


def test_models_are_scored_and_stand_in_one_table(duologue: Run, task: Path, tmp_path: Path) -> None:
    told = duologue(
        "nuc", "score", "bm25", "task/test.jsonl", "--among", "2", "--ranks", "r.csv", "--out", "b.jsonl"
    )
    assert "bm25, corpus, R@1 of 5: " in told.stdout
    assert "R@1 of 2: " in told.stdout
    assert "mean reciprocal rank" in told.stdout
    rows = list(csv.DictReader((tmp_path / "r.csv").read_text().splitlines()))
    assert set(rows[0]) == {"model", "item", "corpus", "candidates", "rank", "tied"}
    facts = duologue(
        "nuc", "score", "random", "task/test.jsonl", "--name", "guess", "--out", "g.jsonl", "--json"
    )
    assert json.loads(facts.stdout)["model"] == "guess"
    both = duologue(
        "nuc", "recall", "task/test.jsonl", "--scores", "b.jsonl", "--scores", "g.jsonl", "--out", "t"
    )
    assert "bm25, corpus, R@1" in both.stdout
    assert "guess" in (tmp_path / "t" / "table_2.tex").read_text()
    assert (tmp_path / "t" / "cohort_pairs.csv").exists()
    wrong = duologue("nuc", "score", "magic", "task/test.jsonl", expect=1)
    assert "magic: there is no such model" in wrong.stderr


def test_a_bot_from_a_corpus_is_scored_on_the_same_items(duologue: Run, task: Path, tmp_path: Path) -> None:
    duologue("study", "new", "mine", "--protocol", "acute")
    with (tmp_path / "mine" / "study.toml").open("a") as file:
        file.write('\n[[bots]]\nname = "shelf"\nkind = "retrieval"\ncorpus = "../corpus.jsonl"\n')
    told = duologue("nuc", "score", "mine", "task/test.jsonl", "--bot", "shelf")
    assert "shelf, corpus, R@1 of 5: " in told.stdout
    assert "about" not in duologue("bots", "check", "mine", "shelf", "--say", "about tea 3").stdout


@pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")
def test_a_model_is_trained_scored_and_gone_on_with(duologue: Run, task: Path) -> None:
    told = duologue("nuc", "train", "dual-encoder", "task", "--out", "dual", *SMALL)
    assert "epoch 1: loss" in told.stdout
    assert duologue("nuc", "train", "dual-encoder", "task", "--out", "dual", *SMALL).stdout == told.stdout
    assert "R@1 of 5" in duologue("nuc", "score", "dual", "task/test.jsonl").stdout
    done = duologue("models", "train", "language-model", "corpus.jsonl", "--out", "lm", "--json", *SMALL)
    assert json.loads(done.stdout)["measure"] == "perplexity"


@pytest.mark.skipif(HAS_TORCH, reason="torch is installed")
def test_without_torch_one_is_told_what_to_install(duologue: Run, task: Path) -> None:
    for command in (("nuc", "train", "dual-encoder", "task"), ("models", "train", "seq2seq", "corpus.jsonl")):
        assert "pip install 'duologue[neural]'" in duologue(*command, "--out", "model", expect=1).stderr


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("oracle",), "there is no such model to train"),
        (("dual-encoder", "--set", "depth"), "should be NAME=VALUE"),
    ],
)
def test_what_cannot_be_trained_is_one_line(
    duologue: Run, task: Path, given: tuple[str, ...], says: str
) -> None:
    kind, *more = given
    assert says in duologue("nuc", "train", kind, "task", "--out", "model", *more, expect=1).stderr


def test_a_corpus_of_no_known_format_is_refused_with_advice_that_works(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "talk.csv").write_text("id,text\n1,hi\n")
    said = duologue("nuc", "build", "talk.csv", "--out", "task", expect=1).stderr
    assert "the format is not recognised. It is none of duologue, acute" in said
    advice = "dialogues check talk.csv --format NAME"
    assert f"If it should be one of them, `duologue {advice}` says where not." in said
    assert "--" not in said.replace(advice, "")  # nuc build has no option for it
    checked = duologue(*advice.replace("NAME", "openai").split(), "--bot", "ada", expect=1).stderr
    assert "talk.csv, line 1: expected" in checked
