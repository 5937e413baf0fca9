"""Models that choose a reply without training."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import InputError
from duologue.models import PLAIN_MODELS, Bm25, ReplyContext, open_model, plain_model, words_of
from tests.strategies import thorough

CORPUS = [
    "do you like tea ?",
    "i like tea a lot .",
    "it rains today .",
    "the cat sleeps .",
    "tea , tea , tea",
]
texts = st.text(alphabet="ab ,.tea", max_size=20)


def plain_bm25(query: str, text: str, corpus: list[str], *, k1: float = 1.2, b: float = 0.75) -> float:
    """The formula of Robertson and Zaragoza (2009), word by word."""
    having = Counter(word for one in corpus for word in set(words_of(one)))
    mean = sum(len(words_of(one)) for one in corpus) / len(corpus)
    words, counts = words_of(text), Counter(words_of(text))
    score = 0.0
    for word in words_of(query):
        if word in having:
            idf = math.log(1 + (len(corpus) - having[word] + 0.5) / (having[word] + 0.5))
            room = k1 * (1 - b + b * len(words) / mean)
            score += idf * counts[word] * (k1 + 1) / (counts[word] + room) if counts[word] else 0.0
    return score


@given(query=texts, text=texts)
def test_bm25_is_the_published_sum_over_words(query: str, text: str) -> None:
    fitted = Bm25(CORPUS)
    product = float((fitted.queries([query]) @ fitted.vectors([text]).T).toarray()[0, 0])
    assert product == pytest.approx(plain_bm25(query, text, CORPUS), abs=1e-12)


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text("tea 1 0\nlike 0.9 0.1\nrains 0 1\ncat 0 1\n")
    return path


@pytest.mark.parametrize("name", PLAIN_MODELS)
def test_candidates_and_a_whole_corpus_get_the_same_scores(name: str, vectors: Path) -> None:
    model = open_model(Path(name), CORPUS, vectors=vectors, seed=3)
    contexts = [ReplyContext(("hello", "do you like tea ?")), ReplyContext(("and ?",), ("i have a cat .",))]
    found = model.scores(contexts, [CORPUS, CORPUS])
    index = model.index(CORPUS)
    for context, scores in zip(contexts, found, strict=True):
        assert index.scores(context) == pytest.approx(scores)
        assert model.scores([context], [CORPUS])[0] == pytest.approx(scores)


@pytest.mark.parametrize("name", ["tf-idf", "bm25", "embedding"])
def test_the_reply_that_shares_words_is_best_and_the_background_counts(name: str, vectors: Path) -> None:
    model = plain_model(name, CORPUS, vectors=vectors)
    asked = ReplyContext(("do you like tea ?",))
    about = ReplyContext(("and you ?",), ("a cat .",))
    replies = ["it rains today .", "i like tea a lot .", "the cat sleeps ."]
    found = model.scores([asked, about], [replies, replies])
    assert np.argmax(found[0]) == 1
    assert np.argmax(found[1]) in ({2} if name != "embedding" else {0, 2})


def test_random_scores_come_from_the_seed() -> None:
    context = ReplyContext(("hi",))
    one, same, other = (plain_model("random", (), seed=seed) for seed in (1, 1, 2))
    first = one.scores([context], [CORPUS])[0]
    assert (first == same.scores([context], [CORPUS])[0]).all()
    assert not (first == other.scores([context], [CORPUS])[0]).all()


@pytest.mark.parametrize(("name", "says"), [("magic", "no such model"), ("embedding", "word vectors")])
def test_a_model_that_there_is_not_is_refused(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        plain_model(name, CORPUS)


@thorough(10)
@given(st.lists(texts, min_size=1, max_size=5))
def test_scores_do_not_depend_on_what_else_is_asked(candidates: list[str]) -> None:
    model = plain_model("tf-idf", CORPUS)
    contexts = [ReplyContext(("tea ?",)), ReplyContext(("the cat",))]
    together = model.scores(contexts, [candidates, list(reversed(candidates))])
    assert together[0] == pytest.approx(model.scores(contexts[:1], [candidates])[0])
    assert together[1] == pytest.approx(model.scores(contexts[1:], [candidates])[0][::-1])
