"""``duologue metrics`` as a user types it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

CONVAI2 = "1 your persona: i like tea.\n2 hi there\thello friend\n3 do you like tea ?\ti do like tea\n"


def _test_set(folder: Path, dialogues: int = 6) -> Path:
    path = folder / "valid.txt"
    path.write_text(CONVAI2 * dialogues, encoding="utf-8")
    return path


def test_predictions_are_measured_against_a_convai2_file(duologue: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"prediction": text}) for text in ("hello", "no way") * 6]
    (tmp_path / "mint.jsonl").write_text("\n".join(lines), encoding="utf-8")
    options = ("--test", _test_set(tmp_path), "--out", "r.json", "--per-example", "e.jsonl", "--draws", "200")
    shown = duologue("metrics", "run", "mint.jsonl", *options).stdout
    assert "f1                    0.3333" in shown
    assert "always 'i am you to do and your is like'" in shown
    results = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (results["bot"], results["test_set"]["examples"], results["test_set"]["dialogues"]) == (
        "mint",
        12,
        6,
    )
    examples = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one["f1"] for one in examples[:2]] == [pytest.approx(2 / 3), 0.0]
    assert "hello" not in (tmp_path / "e.jsonl").read_text(encoding="utf-8")


def test_a_constant_reply_is_made_and_a_weak_bot_is_warned_of(duologue: Run, tmp_path: Path) -> None:
    test = _test_set(tmp_path)
    made = json.loads(duologue("metrics", "toy-f1", test, "--test", test, "--json").stdout)
    assert made["reply"].split()[0] in ["hello", "friend", "i", "do", "like", "tea"]
    assert made["test_f1"] == pytest.approx(made["training_f1"])
    (tmp_path / "mint.jsonl").write_text('{"prediction": "no"}\n' * 12, encoding="utf-8")
    shown = duologue("metrics", "run", "mint.jsonl", "--test", test, "--train", test).stdout
    assert f"constant reply: always saying '{made['reply']}'" in shown


def test_a_file_that_cannot_be_used_is_one_line(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "mint.jsonl").write_text('{"prediction": 3}\n', encoding="utf-8")
    told = duologue("metrics", "run", "mint.jsonl", expect=1).stderr
    assert told.startswith("duologue: mint.jsonl, line 1, prediction: expected a text")


RANKER = """
class Ranker:
    def __call__(self, messages):
        return "tea"

    def score(self, messages, candidates):
        return [len(set(messages[-1]["content"].split()) & set(text.split())) for text in candidates]
"""


def test_a_bot_of_a_study_is_asked(duologue: Run, tmp_path: Path) -> None:
    duologue("study", "new", "tea", "--protocol", "acute")
    (tmp_path / "tea" / "ranker.py").write_text(RANKER, encoding="utf-8")
    with (tmp_path / "tea" / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[bots]]\nname = "overlap"\nkind = "python"\ncall = "ranker:Ranker"\n')
    test = _test_set(tmp_path)
    asked = ("metrics", "run", "tea", "--bot", "overlap", "--test", test, "--distractors", "1", "--parrot")
    results = json.loads(duologue(*asked, "--json", "--draws", "100").stdout)
    by_name = {one["metric"]: one for one in results["metrics"]}
    assert (results["bot"], by_name["hits@1"]["n"], by_name["f1"]["n"]) == ("overlap", 12, 12)
    assert by_name["hits@1"]["label"].startswith("hits@1/2 ")
    attack = next(one for one in results["attacks"] if one["metric"] == "hits@1")
    assert (attack["attack"], attack["before"], attack["after"]) == ("parrot", 0.5, 0.0)
    named = duologue(*asked, "--json", "--draws", "100", "--name", "words in common").stdout
    assert json.loads(named)["bot"] == "words in common"
    told = duologue(*asked, "--ask", "sing", expect=2).stderr
    assert "none of reply, score, words" in told
    assert "name a bot" in duologue("metrics", "run", "tea", expect=2).stderr


def test_logs_are_counted_by_bot_and_for_humans(duologue: Run, tmp_path: Path) -> None:
    valid = _test_set(tmp_path)
    options = ("--bot", "mint", "--speaker-index", "1", "--reference", valid)
    shown = duologue("metrics", "logs", valid, *options, "--csv", "logs.csv").stdout
    assert "6 dialogues, 24 turns" in shown
    assert "mint  bot    3.00" in shown
    assert "note: The reference has only 72 words" in shown
    header, row = (tmp_path / "logs.csv").read_text(encoding="utf-8").splitlines()
    columns = dict(zip(header.split(","), row.split(","), strict=True))
    assert (columns["words_bot"], columns["question_mark_human"]) == ("3.0", "50.0")
    alone = json.loads(duologue("metrics", "logs", valid, *options, "--json").stdout)
    spread = duologue("metrics", "logs", valid, *options, "--json", "--engine", "processes").stdout
    assert json.loads(spread) == alone
    assert alone["format"] == "duologue.log_statistics/1"
    assert "none of processes, ray" in duologue("metrics", "logs", valid, "--engine", "x", expect=2).stderr


def test_logs_of_a_study_stand_beside_what_people_gave_its_bots(duologue: Run, tmp_path: Path) -> None:
    duologue("demo", "--no-serve", "--folder", "study")
    (tmp_path / "people.csv").write_text("bot,fun\nparrot,1.5\ncompanion,3.5\n", encoding="utf-8")
    (tmp_path / "nli.py").write_text("def judge(pairs):\n    return [0.9 for _ in pairs]\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("hello 1 0\n", encoding="utf-8")
    models = ("--embeddings", "words.txt", "--entailment", "nli:judge")
    asked = ("metrics", "logs", "study", "--human", "people.csv", *models)
    shown = duologue(*asked, "--out", "logs").stdout
    assert "fun, by people" in shown
    assert "self-contradicting *" in shown
    assert shown.index("companion") < shown.index("parrot")
    assert "wrote logs/figure_5_questions.svg" in shown
    first = (tmp_path / "logs" / "table_8_repeats.csv").read_text(encoding="utf-8").splitlines()[1]
    assert first.startswith("companion,")
    spread = duologue(*asked, "--engine", "processes", "--json").stdout
    assert json.loads(spread) == json.loads(duologue(*asked, "--json").stdout)
    assert "one study" in duologue("metrics", "logs", "study", "--bot", "parrot", expect=2).stderr
    told = duologue("metrics", "logs", "study", "--embeddings", "gone.txt", expect=1).stderr
    assert told.startswith("duologue: gone.txt: there is no such place.")


def test_a_study_without_dialogues_says_how_to_get_them(duologue: Run) -> None:
    duologue("study", "new", "chats", "--protocol", "likert")
    told = duologue("metrics", "logs", "chats", expect=1).stderr
    assert "duologue dialogues collect chats" in told


def test_metrics_are_correlated_with_ratings(duologue: Run, tmp_path: Path) -> None:
    test = _test_set(tmp_path, 12)
    for bot, said in (("mint", "hello friend"), ("sage", "i do like tea"), ("rue", "tea"), ("oak", "no")):
        (tmp_path / f"{bot}.jsonl").write_text(json.dumps({"prediction": said}) + "\n", encoding="utf-8")
        lines = [json.dumps({"prediction": text}) for text in (said, "well hello") * 12]
        (tmp_path / f"{bot}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        measured = duologue(
            "metrics", "run", f"{bot}.jsonl", "--test", test, "--per-example", f"{bot}.scores"
        )
        assert "nrefs:1|case:mixed" in measured.stdout  # BLEU and chrF say how they were computed
        assert "|nc:6|nw:0|" in measured.stdout
    rated = [f"{bot},{n}.{t},{fun + n % 2}" for bot, fun in (("mint", 3), ("sage", 4), ("rue", 2), ("oak", 1))
             for n in range(1, 13) for t in (1, 2)]  # fmt: skip
    (tmp_path / "ratings.csv").write_text("bot,id,fun\n" + "\n".join(rated) + "\n", encoding="utf-8")
    scores = ("mint.scores", "sage.scores", "rue.scores", "oak.scores")
    asked = ("metrics", "correlate", *scores, "--ratings", "ratings.csv", "--human", "fun", "--metric", "f1")
    shown = duologue(*asked, "--draws", "100", "--csv", "found.csv").stdout
    assert "96 items, 12 dialogues, 4 bots" in shown
    assert "fun, over bots (exact p-values and no intervals: only 4 bots)" in shown
    assert re.search(r"f1 +4  [+-]\d\.\d\d \(p = \d\.\d\d\d\)", shown)
    assert "warning: Over bots there are only 4 bots" in shown
    assert (tmp_path / "found.csv").read_text(encoding="utf-8").startswith("metric,human,over,n,clusters")
    found = json.loads(duologue(*asked, "--draws", "100", "--json").stdout)
    assert [one["unit"] for one in found["found"]] == ["item", "dialogue", "bot"]
    assert "'joy'" in duologue("metrics", "correlate", *scores, "--human", "joy", expect=1).stderr
