"""Scores of candidates by models and bots: ranks, recall among any number, what is written."""

from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.bots import PythonBot, open_bot
from duologue.dialogues import (
    CandidateScores,
    NextTurnItem,
    Turn,
    read_scores,
    write_next_turns,
    write_pool,
)
from duologue.errors import AnalysisError, BotError, ExportError
from duologue.models import plain_model
from duologue.nuc import analyse_recall, items_by_id
from duologue.nuc.scoring.ranks import TrueReplyRank, rank_rows, summarise_ranks
from duologue.nuc.scoring.scoring import keep_scores, score_items, score_with_bot, texts_of
from tests.strategies import thorough

THINGS = ("tea", "rain", "music", "bread", "snow", "paper")


def item(
    number: int, *, corpus: str = "movies", pool: str = "", left_out: tuple[int, ...] = ()
) -> NextTurnItem:
    truth = number % len(THINGS)
    candidates = () if pool else tuple(f"i like {thing} too" for thing in THINGS[:5])
    return NextTurnItem(
        f"{corpus}{number}",
        corpus,
        "test",
        f"d{number // 2}",
        (
            Turn("A", f"hi {number}"),
            Turn("A", "well ?"),
            Turn("B", "yes"),
            Turn("A", f"do you like {THINGS[truth]} ?"),
        ),
        candidates,
        truth if pool else min(truth, 4),
        background=("a line",),
        pool=pool,
        left_out=left_out,
    )


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "test.jsonl"
    some = [item(number) for number in range(300) if number % 6 != 5]
    write_next_turns([*some, item(0, corpus="tweets")], path, about={})
    return path


@thorough(10)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=5), st.integers(1, 3), st.integers(2, 5))
def test_recall_among_fewer_is_the_mean_over_all_draws_and_orders(
    scores: list[int], k: int, among: int
) -> None:
    found = TrueReplyRank.of(item(0), np.asarray(scores, float), 0)
    drawn = min(among, len(scores)) - 1
    rights = []
    for some in combinations(scores[1:], drawn):
        for order in permutations(range(drawn + 1)):
            ranked = sorted(range(drawn + 1), key=lambda place: (-(scores[0], *some)[place], order[place]))
            rights.append(ranked.index(0) < k)
    assert found.recall(k, among) == pytest.approx(np.mean(rights))
    whole = CandidateScores("i", "m", tuple(map(float, scores))).recall(0, k)
    assert found.recall(k) == pytest.approx(whole)


def test_a_model_is_scored_on_a_file_and_recall_reads_what_is_written(tmp_path: Path, items: Path) -> None:
    model = plain_model("tf-idf", texts_of(items))
    ranks = keep_scores("tf-idf", score_items(model, items), tmp_path / "scores.jsonl")
    assert len(ranks) == 251
    assert {rank.rank for rank in ranks} == {1.0}
    results = summarise_ranks("tf-idf", ranks, cutoffs=(1, 2, 5), among=(2,))
    asked = {(one.corpus, one.k, one.among) for one in results.recalls}
    assert asked == {(corpus, k, n) for corpus in ("movies", "tweets") for k, n in ((1, 5), (2, 5), (1, 2))}
    assert all(one.recall == 1.0 and one.chance == one.k / one.among for one in results.recalls)
    movies, tweets = (
        next(one for one in results.recalls if one.corpus == corpus) for corpus in ("movies", "tweets")
    )
    assert movies.interval is not None
    assert movies.items == 250
    assert tweets.interval is None
    assert [one.mean_rank for one in results.ranks] == [1.0, 1.0]
    known = items_by_id(items)
    recalled = analyse_recall(known, [], read_scores(tmp_path / "scores.jsonl"))
    assert {one.recall for one in recalled.models} == {1.0}
    row, *_ = rank_rows("tf-idf", ranks)
    assert row == {
        "model": "tf-idf",
        "item": "movies0",
        "corpus": "movies",
        "candidates": 5,
        "rank": 1.0,
        "tied": 0,
    }


def test_random_guesses_are_right_as_often_as_chance(items: Path) -> None:
    ranks = keep_scores("random", score_items(plain_model("random", ()), items), None)
    assert summarise_ranks("random", ranks, cutoffs=(1,)).recalls[0].recall == pytest.approx(0.2, abs=0.1)


def test_every_reply_of_a_corpus_can_be_the_candidates(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    write_pool([f"i like {thing}" for thing in THINGS], tmp_path / "pool.jsonl")
    some = [item(3, pool="pool.jsonl", left_out=(0, 5)), item(2, pool="pool.jsonl")]
    write_next_turns([*some, item(1)], path, about={})
    assert list(texts_of(path)).count("i like tea") == 1
    model = plain_model("bm25", texts_of(path))
    ranks = keep_scores("bm25", score_items(model, path), None)
    assert [(one.candidates, one.rank) for one in ranks] == [(4, 1.0), (6, 1.0), (5, 1.0)]
    with pytest.raises(ExportError, match="--ranks"):
        keep_scores("bm25", score_items(model, path), tmp_path / "scores.jsonl")
    assert not (tmp_path / "scores.jsonl").exists()


def test_a_bot_that_scores_is_asked_about_the_same_items(tmp_path: Path, items: Path) -> None:
    (tmp_path / "ranker.py").write_text(
        "class Ranker:\n"
        "    def __call__(self, messages):\n        return 'hm'\n"
        "    def score(self, messages, candidates):\n"
        "        roles = [message['role'] for message in messages]\n"
        "        assert roles == ['system', 'user', 'assistant', 'user'], roles\n"
        "        last = set(messages[-1]['content'].split())\n"
        "        return [len(last & set(text.split())) for text in candidates]\n"
    )
    bot = open_bot(PythonBot(name="ranker", call="ranker:Ranker"), folder=tmp_path)
    ranks = keep_scores("ranker", score_with_bot(bot, tmp_path, items), None)
    assert len(ranks) == 251
    assert {rank.rank for rank in ranks} == {1.0}


def test_a_bot_that_cannot_score_says_so(tmp_path: Path, items: Path) -> None:
    (tmp_path / "plain.py").write_text("def answer(messages):\n    return 'hm'\n")
    bot = open_bot(PythonBot(name="plain", call="plain:answer"), folder=tmp_path)
    with pytest.raises(BotError, match="scored 0 of 251 items"):
        list(score_with_bot(bot, tmp_path, items))
    pooled = tmp_path / "pooled.jsonl"
    write_next_turns([item(3, pool="pool.jsonl")], pooled, about={})
    with pytest.raises(BotError, match="every reply"):
        list(score_with_bot(bot, tmp_path, pooled))


@pytest.mark.parametrize(("found", "among"), [([], ()), ([TrueReplyRank("i", "c", "d", 5, 0, 0)], (9,))])
def test_nothing_to_summarise_is_said(found: Sequence[TrueReplyRank], among: tuple[int, ...]) -> None:
    with pytest.raises(AnalysisError, match="no item"):
        summarise_ranks("m", found, cutoffs=(1,), among=among)
