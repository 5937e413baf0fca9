from __future__ import annotations

import sys
from pathlib import Path

import pytest

from duologue.dialogues import write_dialogues
from duologue.errors import InputError
from duologue.metrics import memorisation
from tests.metrics.dialogues import live_chat, self_chat
from tests.processes import finished

CONVAI2 = "1 your persona: i ski.\n2 hello there !\thi . how are you ?\n3 fine , thanks .\tgood to hear .\n"


def test_a_pair_is_found_word_for_word_whatever_the_signs(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(CONVAI2, encoding="utf-8")
    chats = [
        live_chat("Hello there!", "Hi, how are you?", "Fine thanks", "Good to know.", key="d1"),
        live_chat("Hello there?", "Hi — how are you?", key="d2"),
    ]
    found = memorisation(chats, [tmp_path / "train.txt"])["ada"]
    assert (found.pairs, found.memorised, found.training_pairs) == (3, 2, 3)
    assert found.share == pytest.approx(2 / 3)
    assert found.examples == ("d1",)


def test_a_known_response_to_another_call_is_not_memorised(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(CONVAI2, encoding="utf-8")
    found = memorisation([live_chat("who ?", "hi . how are you ?")], [tmp_path / "train.txt"])["ada"]
    assert found.memorised == 0


def test_the_words_of_one_pair_do_not_make_another(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("a b\tc\n", encoding="utf-8")
    assert memorisation([live_chat("a", "b c")], [tmp_path / "train.tsv"])["ada"].memorised == 0


def test_both_sides_of_a_self_chat_are_looked_up(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("one\ttwo\ntwo\tthree\textra\n\n", encoding="utf-8")
    found = memorisation([self_chat("one", "two", "three")], [tmp_path / "train.tsv"])["ada"]
    assert (found.pairs, found.memorised) == (2, 2)


def test_our_own_format_and_several_files_are_read(tmp_path: Path) -> None:
    write_dialogues([self_chat("one", "two")], tmp_path / "a.jsonl")
    (tmp_path / "b.tsv").write_text("two\tthree\n", encoding="utf-8")
    found = memorisation([self_chat("one", "two", "three")], [tmp_path / "a.jsonl", tmp_path / "b.tsv"])[
        "ada"
    ]
    assert (found.memorised, found.training_pairs) == (2, 2)


def test_a_dialogue_of_one_turn_has_no_pairs(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("one\ttwo\n", encoding="utf-8")
    found = memorisation([self_chat("one")], [tmp_path / "train.tsv"])["ada"]
    assert (found.pairs, found.share) == (0, None)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("none.tsv", None, "cannot be read"),
        ("train.tsv", b"one\ttwo\nno tab here\n", "line 2: expected a call, a tab and a response"),
        ("train.tsv", b"caf\xe9\tx\n", "UTF-8"),
        ("train.txt", b"just words\n", "format is not recognised"),
    ],
)
def test_a_training_file_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, content: bytes | None, why: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=why):
        memorisation([self_chat("one", "two")], [tmp_path / name])


def test_memory_does_not_grow_with_the_training_file(tmp_path: Path) -> None:
    """300,000 pairs, which would take 24 MB even as digests, in less than 12 MB."""
    with (tmp_path / "train.tsv").open("w", encoding="utf-8") as file:
        file.writelines(f"call number {n} of many\tresponse number {n}\n" for n in range(300_000))
    script = (
        "import resource\n"
        "from duologue.metrics import memorisation\n"
        "from tests.metrics.dialogues import self_chat\n"
        "chat = self_chat('call number 7 of many', 'response number 7', 'x')\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "before = peak()\n"
        f"found = memorisation([chat], [{str(tmp_path / 'train.tsv')!r}])['ada']\n"
        "print(found.memorised, found.training_pairs, peak() - before)"
    )
    root = Path(__file__).parents[2]
    done = finished([sys.executable, "-c", script], variables={"PYTHONPATH": str(root)})
    memorised, pairs, kilobytes = map(int, done.stdout.split())
    assert (memorised, pairs) == (1, 300_000)
    assert kilobytes < 12_000
