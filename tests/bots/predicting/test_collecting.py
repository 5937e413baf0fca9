"""Predictions of bots: asked for once, resumed, and without showing the test set."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from duologue.bots import (
    Ability,
    AnsweringSettings,
    CommandBot,
    PythonBot,
    Questions,
    collect_predictions,
    open_bot,
)
from duologue.bots.predicting.asking import example_messages
from duologue.errors import BotError
from duologue.metrics import HeldOutExample, Predictions, WordDictionary, run_metrics, with_distractors

BOT = """
import json
from pathlib import Path

SEEN = Path(__file__).parent / "seen.jsonl"
BAD = Path(__file__).parent / "bad"

class Ranker:
    def __call__(self, messages):
        with SEEN.open("a") as file:
            print(json.dumps(messages), file=file)
        if BAD.exists() and "4" in messages[-1]["content"]:
            raise ValueError("no idea")
        return "i like tea"

    def score(self, messages, candidates):
        with SEEN.open("a") as file:
            print(json.dumps(candidates), file=file)
        last = set(messages[-1]["content"].split())
        return [len(last & set(text.split())) for text in candidates]

    def next_word_probabilities(self, messages, words):
        return {"i": 0.5, "tea": 0.25, "unknown": 0.25}
"""


@pytest.fixture
def examples() -> tuple[HeldOutExample, ...]:
    some = [
        HeldOutExample(
            f"{n}.1",
            str(n),
            ("hi", "hello", f"do you like tea number {n} ?"),
            ("i sing.",),
            (f"i like tea {n}",),
        )
        for n in range(6)
    ]
    return with_distractors(some, number=3)


def collected(
    folder: Path, settings: AnsweringSettings, examples: tuple[HeldOutExample, ...], questions: Questions
) -> Predictions:
    return collect_predictions(folder, open_bot(settings, folder=folder), examples, questions, test_set="t")


def python_bot(folder: Path) -> PythonBot:
    (folder / "ranker.py").write_text(BOT, encoding="utf-8")
    return PythonBot(name="ranker", call="ranker:Ranker")


def seen(folder: Path) -> list[list[object]]:
    return [json.loads(line) for line in (folder / "seen.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_bot_is_given_persona_and_turns_and_no_reference(
    tmp_path: Path, examples: tuple[HeldOutExample, ...]
) -> None:
    settings = python_bot(tmp_path)
    assert open_bot(settings, folder=tmp_path).abilities == ("reply", "score", "words")
    given = collected(tmp_path, settings, examples[:1], Questions(("reply",)))
    assert given.answers[0].text == "i like tea"
    (messages,) = seen(tmp_path)
    assert messages == [
        {"role": "system", "content": "your persona: i sing."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "do you like tea number 0 ?"},
    ]
    (journal,) = (tmp_path / "metrics").glob("*.jsonl")
    assert "i like tea 0" not in journal.read_text(encoding="utf-8")


def test_the_last_turn_is_the_partners_whoever_began() -> None:
    one = HeldOutExample("1", "1", ("good morning", "and you ?"))
    assert [message.role for message in example_messages(one)] == ["assistant", "user"]


def test_the_place_of_a_candidate_says_nothing_and_the_parrot_is_an_attack(
    tmp_path: Path, examples: tuple[HeldOutExample, ...]
) -> None:
    given = collected(tmp_path, python_bot(tmp_path), examples, Questions(("score",), with_parrot=True))
    places = {
        answer.candidates.index(one.references[0])
        for one, answer in zip(examples, given.answers, strict=True)
    }
    assert len(places) > 1
    assert all(len(answer.candidates) == 5 for answer in given.answers)
    results = run_metrics(given, draws=100).results
    attack = next(one for one in results.attacks if one.metric == "hits@1")
    assert attack.before == 1.0
    assert attack.after == 0.0


def test_what_is_finished_is_not_asked_again_and_what_failed_is(
    tmp_path: Path, examples: tuple[HeldOutExample, ...]
) -> None:
    settings = python_bot(tmp_path)
    (tmp_path / "bad").touch()
    first = collected(tmp_path, settings, examples, Questions(("reply",)))
    assert first.failed == 1
    assert first.answers[4].failure == "it raised ValueError: no idea."
    (journal,) = (tmp_path / "metrics").glob("*.jsonl")
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"id": "1.1", "predic')  # as a crash leaves it
    (tmp_path / "bad").unlink()
    asked = len(seen(tmp_path))
    told: list[tuple[int, int, int]] = []
    bot = open_bot(settings, folder=tmp_path)
    again = collect_predictions(
        tmp_path, bot, examples, Questions(("reply",)), on_progress=lambda *counts: told.append(counts)
    )
    assert (again.failed, len(seen(tmp_path)) - asked, told) == (0, 1, [(6, 0, 6)])
    assert [answer.text for answer in again.answers] == ["i like tea"] * 6


def test_words_are_scored_over_the_dictionary(tmp_path: Path, examples: tuple[HeldOutExample, ...]) -> None:
    dictionary = WordDictionary(frozenset({"i", "tea"}))
    given = collected(tmp_path, python_bot(tmp_path), examples, Questions(("words",), dictionary=dictionary))
    shares = given.answers[0].word_probabilities
    assert shares is not None
    assert [None if one is None else round(one, 6) for one in shares] == [0.666667, None, 0.333333, None]
    found = run_metrics(given, draws=100).results.metric("perplexity-word")
    assert found is not None
    assert found.value == pytest.approx(math.sqrt(4.5))


COMMAND = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "candidates" in asked:
        answer = {"scores": [len(text) for text in asked["candidates"]]}
    elif "words" in asked:
        answer = {"probabilities": {"i": 1.0}}
    else:
        answer = {"text": "hello"}
    print(json.dumps(answer), flush=True)
"""


def test_a_command_scores_and_predicts_words(tmp_path: Path, examples: tuple[HeldOutExample, ...]) -> None:
    (tmp_path / "bot.py").write_text(COMMAND, encoding="utf-8")
    settings = CommandBot(name="process", command=(sys.executable, "bot.py"))
    questions = Questions(("reply", "score", "words"), dictionary=WordDictionary(frozenset({"i"})))
    answer = collected(tmp_path, settings, examples[:2], questions).answers[1]
    assert (answer.text, answer.scores) == ("hello", tuple(float(len(one)) for one in answer.candidates))
    assert answer.word_probabilities == (1.0, None, None, None)


@pytest.mark.parametrize(
    ("method", "told"),
    [
        ("def score(self, m, c): return [1.0]", "it should give 4 finite scores, and gave 1"),
        ("def score(self, m, c): return None", "its scores should be numbers, and are NoneType"),
        ("def next_word_probabilities(self, m, w): return [1]", "should be by word, and are list"),
        ("def next_word_probabilities(self, m, w): return {'i': -1}", "not all finite and at least 0"),
        ("def next_word_probabilities(self, m, w): return {'i': 'x'}", "not all numbers"),
        ("pass", "it has no method"),
    ],
)
def test_an_answer_that_is_none_is_a_failure_with_its_cause(
    tmp_path: Path, examples: tuple[HeldOutExample, ...], method: str, told: str
) -> None:
    (tmp_path / "odd.py").write_text(
        f"class Odd:\n  def __call__(self, m): return 'x'\n  {method}\n", "utf-8"
    )
    settings = PythonBot(name="odd", call="odd:Odd")
    wanted: Ability = "words" if "next_word" in method else "score"
    questions = Questions((wanted,), dictionary=WordDictionary(frozenset({"i"})))
    (answer,) = collected(tmp_path, settings, examples[:1], questions).answers
    assert told in (answer.failure or "")


def test_a_bot_that_only_replies_says_so(tmp_path: Path, examples: tuple[HeldOutExample, ...]) -> None:
    import asyncio

    from duologue.bots import BuiltinBot

    for asked, told in (("score", "scores no candidates"), ("words", "no probabilities of words")):
        bot = open_bot(BuiltinBot(name="parrot"))
        assert bot.abilities == ("reply",)
        request = (
            bot.score([], ["a"], seed=1) if asked == "score" else bot.next_word_probabilities([], [], seed=1)
        )
        with pytest.raises(BotError, match=told):
            asyncio.run(request)
