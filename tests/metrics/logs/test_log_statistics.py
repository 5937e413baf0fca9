"""Statistics of logs against a plain twin that looks at everything anew for each figure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Dialogue, split_file, write_dialogues
from duologue.engine import Engine, open_executor
from duologue.metrics import (
    SIDES,
    CommonWords,
    LogFile,
    LogResults,
    LogTally,
    common_words,
    log_statistics,
    log_statistics_of_files,
)
from duologue.metrics.logs import running
from duologue.metrics.logs.counting import Side
from duologue.metrics.logs.results import log_results
from tests.metrics.dialogues import live_chat, self_chat

COMMON = CommonWords.of({"i": 5000, "like": 100, "tea": 99, "you": 999}, "made up")

_SAID = st.lists(
    st.sampled_from(["i", "I", "like", "tea", "you", "what", "how's", "rain", "?", ".", "我喜", ":-)"]),
    max_size=7,
).map(" ".join)
_LOGS = st.lists(
    st.builds(
        lambda texts, bot, is_self, persona: replace(
            (self_chat if is_self else live_chat)(*texts, bot=bot),
            context=tuple(f"your persona: {line}" for line in persona),
        ),
        st.lists(_SAID, max_size=6),
        st.sampled_from(["ada", "bea"]),
        st.booleans(),
        st.lists(st.sampled_from(["I like tea.", "tea", "You like rain."]), max_size=2),
    ),
    max_size=7,
)


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z']+|我|喜", text.lower()) if word != "'"]


def _runs(text: str, n: int) -> list[list[str]]:
    words = _words(text)
    return [words[at : at + n] for at in range(len(words) - n + 1)]


def _is_of(side: str, dialogue: Dialogue, place: int) -> bool:
    return ("human" if dialogue.turns[place].speaker == "human" else "bot") == side


def _share_of_runs(n: int, is_own: bool) -> Callable[[Dialogue, int], tuple[int, int]]:
    def count(dialogue: Dialogue, place: int) -> tuple[int, int]:
        speaker = dialogue.turns[place].speaker
        before = [turn for turn in dialogue.turns[:place] if (turn.speaker == speaker) == is_own]
        known = [run for turn in before for run in _runs(turn.text, n)]
        runs = _runs(dialogue.turns[place].text, n)
        return sum(run in known for run in runs), len(runs)

    return count


def _asked(text: str) -> list[list[str]]:
    parts = re.findall(r"[^.?]*[.?]", text)
    return [_words(part) for part in parts if part.endswith("?") and _words(part)]


def _asked_again(dialogue: Dialogue, place: int) -> tuple[int, int]:
    turns = dialogue.turns
    speaker = turns[place].speaker
    answered = [
        question
        for at, turn in enumerate(turns[:place])
        if turn.speaker == speaker and any(one.speaker != speaker for one in turns[at:place])
        for question in _asked(turn.text)
    ]
    asked = _asked(turns[place].text)
    return sum(one in answered for one in asked), len(asked)


def _simple(count: Callable[[str], tuple[int, int]]) -> Callable[[Dialogue, int], tuple[int, int]]:
    return lambda dialogue, place: count(dialogue.turns[place].text)


TWINS: dict[str, Callable[[Dialogue, int], tuple[int, int]]] = {
    "words": _simple(lambda text: (len(_words(text)), 1)),
    "characters": _simple(lambda text: (len(text.replace(" ", "")), 1)),
    "freq1h": _simple(
        lambda text: (sum(w not in ("i", "like", "you") for w in _words(text)), len(_words(text)))
    ),
    "freq1k": _simple(lambda text: (sum(w != "i" for w in _words(text)), len(_words(text)))),
    "question-word": _simple(lambda text: (_words(text)[:1] in (["what"], ["how's"]), 1)),
    "question-mark": _simple(lambda text: ("?" in text, 1)),
    "asked-again": _asked_again,
    **{
        f"{name}-{whose}": _share_of_runs(n, whose == "own")
        for n, name in enumerate(("unigram", "bigram", "trigram"), 1)
        for whose in ("own", "partner")
    },
}


@given(_LOGS)
def test_every_figure_is_that_of_the_plain_twin(logs: Sequence[Dialogue]) -> None:
    found = log_statistics(logs, common=COMMON)
    assert [one.bot for one in found.bots] == sorted({one.bot for one in logs})
    for bot in found.bots:
        own = [one for one in logs if one.bot == bot.bot]
        assert bot.dialogues == len(own)
        for side in SIDES:
            places = [(one, at) for one in own for at in range(len(one.turns)) if _is_of(side, one, at)]
            for name, twin in TWINS.items():
                pairs = [twin(*place) for place in places]
                _agree(found, bot.bot, name, side, sum(x for x, _ in pairs), sum(n for _, n in pairs))
            replies = [
                " ".join(_words(one.turns[at].text)) or one.turns[at].text.strip() for one, at in places
            ]
            once = sum(times == 1 for times in Counter(replies).values())
            _agree(found, bot.bot, "unique", side, once, len(replies))
        _agree(found, bot.bot, "persona-copied", "bot", *_copied(own))


def _copied(logs: Sequence[Dialogue]) -> tuple[int, int]:
    said = [one for one in logs if any(_is_of("bot", one, at) for at in range(len(one.turns)))]
    lines = [(one, _words(line.partition(":")[2])) for one in said for line in one.context]
    copied = sum(
        any(line in _runs(turn.text, len(line)) for turn in one.turns if turn.speaker == one.judged)
        for one, line in lines
    )
    return copied, len(lines)


def _agree(found: LogResults, bot: str, name: str, side: Side, count: int, of: int) -> None:
    (logs,) = (one for one in found.bots if one.bot == bot)
    figure = logs.figure(name, side)
    if of == 0:
        assert figure is None, name
        return
    assert figure is not None, name
    assert (figure.count, figure.of) == (count, of), name
    assert figure.value == pytest.approx(count / of * (1 if name in ("words", "characters") else 100))


@given(_LOGS, st.integers(0, 7))
def test_tallies_of_parts_add_up_to_that_of_the_whole(logs: Sequence[Dialogue], cut: int) -> None:
    first, second = LogTally(COMMON), LogTally(COMMON)
    for one in logs[:cut]:
        first.look(one)
    for one in logs[cut:]:
        second.look(one)
    first.merge(second)
    assert log_results(first) == log_statistics(logs, common=COMMON)


def test_the_interval_of_unique_replies_leaves_out_a_dialogue_at_a_time() -> None:
    said = (("yes", "no", "yes"), ("no", "well"), ("tea",), ("tea", "tea", "rain"))
    logs = [
        live_chat(*(part for text in texts for part in ("hi", text)), key=str(n))
        for n, texts in enumerate(said)
    ]
    figure = log_statistics(logs).bots[0].figure("unique")
    assert figure is not None
    assert figure.low is not None

    def share(kept: Sequence[int]) -> float:
        times = Counter(text for place in kept for text in said[place])
        return sum(n == 1 for n in times.values()) / times.total()

    without = np.array([share([one for one in range(4) if one != left]) for left in range(4)])
    error = np.sqrt(3 / 4 * ((without - without.mean()) ** 2).sum())
    assert figure.value == pytest.approx(100 * share(range(4)))
    assert figure.low == pytest.approx(max(0, figure.value - 100 * 3.182446 * error))
    assert figure.high == pytest.approx(min(100, figure.value + 100 * 3.182446 * error))


@pytest.mark.parametrize(
    "engine",
    [
        "processes",
        pytest.param("ray", marks=pytest.mark.skipif(not find_spec("ray"), reason="ray is not installed")),
    ],
)
def test_files_and_stretches_spread_over_workers_give_identical_results(
    tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "split_file", partial(split_file, size=1000))
    logs = [live_chat("hi ?", f"i like tea {n % 5}", "why", "i like you", key=str(n)) for n in range(30)]
    for part in range(3):
        write_dialogues(logs[part * 10 : part * 10 + 10], tmp_path / f"{part}.jsonl")
    files = [LogFile(tmp_path / f"{part}.jsonl") for part in range(3)]
    assert sum(len(file.parts()) for file in files) > 6
    turns: list[int] = []
    executor = open_executor(engine, workers=2)
    spread = log_statistics_of_files(files, executor, common=COMMON, on_turns=turns.append)
    assert spread == log_statistics(logs, common=COMMON)
    assert turns[-1] == 120


def test_a_tally_that_is_read_only_as_ray_hands_it_over_is_merged() -> None:
    first, second = LogTally(), LogTally()
    first.look(live_chat("hi", "tea"))
    second.look(live_chat("ho", "rain"))
    for side in second.sides.values():
        for numbers in (side.sums, side.products, side.having):
            numbers.flags.writeable = False
    first.merge(second)
    assert log_results(first) == log_statistics([live_chat("hi", "tea"), live_chat("ho", "rain")])


def test_rare_words_are_rare_in_the_reference(tmp_path: Path) -> None:
    said = ("i " * 999, "i like", "like " * 98, "tea")
    (tmp_path / "said.txt").write_text(f"1 {said[0]}\t{said[1]}\n2 {said[2]}\t{said[3]}\n", encoding="utf-8")
    common = common_words([tmp_path / "said.txt"])
    assert (set(common.hundred), set(common.thousand), common.words) == ({"i"}, {"i"}, 1100)
    assert "only 1,100 words" in log_statistics([], common=common).warnings[0]
    assert "--reference" in log_statistics([]).warnings[0]


def test_other_bots_in_a_dialogue_are_neither_the_bot_nor_humans() -> None:
    chat = self_chat("hello there", "hi")
    both = (replace(chat.speakers[0], bot="bea"), chat.speakers[1])
    (found,) = log_statistics([replace(chat, speakers=both)]).bots
    figure = found.figure("words")
    assert figure is not None
    assert figure.value == 1
    assert found.figure("words", "human") is None


def test_a_briefing_says_the_persona() -> None:
    chat = live_chat("hi", "well, i like tea!")
    (found,) = log_statistics(
        [replace(chat, extras={"briefing": {"persona": ["I like tea.", "i ski"]}})]
    ).bots
    figure = found.figure("persona-copied")
    assert figure is not None
    assert (figure.count, figure.of) == (1, 2)


def test_a_question_is_answered_when_somebody_else_spoke_after_it() -> None:
    chat = live_chat("hi", "tea?", "tea?")
    alone = replace(chat, turns=tuple(replace(turn, speaker="ada") for turn in chat.turns))
    counted = [
        log_statistics([one]).bots[0].figure("asked-again")
        for one in (alone, live_chat("hi", "tea?", "no", "tea?"))
    ]
    assert [(one.count, one.of) for one in counted if one] == [(0, 2), (1, 2)]
