"""Models of meaning, opened by name."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from duologue.errors import DesignError, MissingExtra
from duologue.models import LocalEntailment
from duologue.reports import open_meaning

IS_THERE = find_spec("torch") is not None and find_spec("transformers") is not None


def test_a_file_of_word_vectors_and_a_function_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("horror 1 0\nscary 0.9 0.1\ntea 0 1\n")
    (tmp_path / "nli.py").write_text("def judge(pairs):\n    return [0.7 for _ in pairs]\n")
    models = open_meaning(str(tmp_path / "glove.txt"), "nli:judge", alike=0.8, folder=tmp_path)
    assert models.embeddings is not None
    assert models.entailment is not None
    rows = models.embeddings.vectors(["horror", "scary", "tea"])
    assert (rows @ rows[0]).tolist() == pytest.approx([1.0, 0.9 / 0.82**0.5, 0.0])
    assert list(models.entailment([("a", "b")])) == [0.7]
    assert (models.alike, models.embeddings_name, models.entailment_name) == (0.8, "glove.txt", "nli:judge")
    assert open_meaning(None, None).embeddings is None


@pytest.mark.parametrize(
    ("embeddings", "entailment", "says"),
    [
        ("gone.txt", None, "no such place. Name a file of word vectors, or module:name"),
        (None, "gone", "Name a folder of weights"),
        ("broken:thing", None, "cannot be loaded: ModuleNotFoundError"),
        ("math:pi", None, "no method vectors"),
        (None, "math:pi", "cannot be called"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    tmp_path: Path, embeddings: str | None, entailment: str | None, says: str
) -> None:
    with pytest.raises(DesignError, match=says):
        open_meaning(embeddings, entailment, folder=tmp_path)


@pytest.mark.skipif(IS_THERE, reason="torch and transformers are installed")
def test_without_transformers_the_message_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[neural\]'"):
        open_meaning(None, str(tmp_path))


@pytest.fixture
def weights(tmp_path: Path) -> Callable[..., Path]:
    """A BERT of a few thousand numbers, drawn at random, with so many labels."""

    def make(*labels: str) -> Path:
        transformers, tokenizers = map(import_module, ("transformers", "tokenizers"))
        words = {word: number for number, word in enumerate(["<pad>", "<unk>", "i", "ski", "no"])}
        whole = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<unk>"))
        whole.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
        named = {"unk_token": "<unk>", "pad_token": "<pad>"}
        transformers.PreTrainedTokenizerFast(tokenizer_object=whole, **named).save_pretrained(tmp_path)
        config = transformers.BertConfig(
            vocab_size=5, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
            num_labels=len(labels), id2label=dict(enumerate(labels)), label2id={},
        )  # fmt: skip
        transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
        return tmp_path

    return make


@pytest.mark.skipif(not IS_THERE, reason="torch and transformers are not installed")
def test_local_weights_give_a_probability_for_each_pair(weights: Callable[..., Path]) -> None:
    judge = LocalEntailment(weights("ENTAILMENT", "neutral", "CONTRADICTION"))
    pairs = [("i ski", "no"), ("no", "i ski"), ("i", "i")] * 20
    shares = judge(pairs)
    assert len(shares) == 60
    assert all(0 < share < 1 for share in shares)
    assert judge(pairs[:1])[0] == pytest.approx(shares[0], abs=1e-5)
    with pytest.raises(DesignError, match="none is 'contradiction'"):
        LocalEntailment(weights("yes", "no"))
