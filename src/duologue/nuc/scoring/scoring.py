"""Scores of the candidates of items: by a model, batch by batch, or by a bot of a study."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue.bots import AnsweringBot, Questions, collect_predictions
from duologue.dialogues import (
    CandidateScores,
    NextTurnItem,
    OnProgress,
    Turn,
    pool_candidates,
    read_next_turns,
    read_pool,
    write_scores,
)
from duologue.errors import BotError, ExportError
from duologue.metrics import HeldOutExample
from duologue.models import CandidateModel, ReplyContext, ReplyIndex
from duologue.nuc.scoring.ranks import TrueReplyRank

BATCH = 256
"""Items that a model is given at a time."""

OnAsked = Callable[[int, int, int], None]


@dataclass(frozen=True, slots=True)
class ScoredItem:
    """An item and a score for each of its candidates."""

    item: NextTurnItem
    scores: NDArray[np.float64]
    truth: int

    @property
    def rank(self) -> TrueReplyRank:
        """Where the true reply is."""
        return TrueReplyRank.of(self.item, self.scores, self.truth)


def score_items(
    model: CandidateModel, path: Path, *, on_progress: OnProgress | None = None
) -> Iterator[ScoredItem]:
    """Score the candidates of every item of a file; memory holds one batch, and a pool where there is one.

    Raises:
        InputError: The file cannot be used.
    """
    items = read_next_turns(path, on_progress=on_progress)
    indexes: dict[str, ReplyIndex] = {}
    while batch := list(islice(items, BATCH)):
        listed = [item for item in batch if not item.pool]
        contexts = [reply_context(item) for item in listed]
        scored = iter(model.scores(contexts, [item.candidates for item in listed]))
        for item in batch:
            if not item.pool:
                yield ScoredItem(item, next(scored), item.truth)
                continue
            if item.pool not in indexes:
                indexes[item.pool] = model.index(read_pool(path, item))
            whole = indexes[item.pool].scores(reply_context(item))
            _, truth = pool_candidates(item, ())
            yield ScoredItem(item, np.delete(whole, item.left_out) if item.left_out else whole, truth)


def score_with_bot(
    bot: AnsweringBot, folder: Path, path: Path, *, seed: int = 0, on_progress: OnAsked | None = None
) -> Iterator[ScoredItem]:
    """The same by an opened bot of a study that scores candidates; what it said before is kept there.

    Raises:
        BotError: It failed on some items; what it answered is kept, and only those are asked for again.
        InputError: The file cannot be used.
    """
    items = list(read_next_turns(path))
    for item in items:
        if item.pool:
            raise BotError(bot.name, f"item {item.id} has every reply of the corpus for candidates.")
    examples = [_example(item) for item in items]
    questions = Questions(("score",), seed=seed)
    asked = collect_predictions(folder, bot, examples, questions, test_set=path.name, on_progress=on_progress)
    if asked.failed:
        first = next(answer.failure for answer in asked.answers if answer.failure is not None)
        why = f"it scored {len(items) - asked.failed} of {len(items)} items ({first})"
        raise BotError(bot.name, f"{why} Run the same command to ask for the others again.")
    for item, (_, answer) in zip(items, asked.pairs, strict=True):
        by_text = dict(zip(answer.candidates, answer.scores or (), strict=True))
        yield ScoredItem(item, np.asarray([by_text[text] for text in item.candidates]), item.truth)


def keep_scores(model: str, scored: Iterator[ScoredItem], path: Path | None) -> list[TrueReplyRank]:
    """Write scores to a file, if one is named, and keep where the true replies rank.

    Raises:
        ExportError: The file cannot be written, or every reply of a corpus would be listed for each item.
    """
    ranks: list[TrueReplyRank] = []

    def looked_at() -> Iterator[CandidateScores]:
        for one in scored:
            ranks.append(one.rank)
            if path is not None and one.item.pool:
                why = "the candidates are every reply of the corpus. Ask for --ranks instead."
                raise ExportError(path, why)
            yield CandidateScores(one.item.id, model, tuple(one.scores.tolist()))

    if path is None:
        for _ in looked_at():
            pass
    else:
        write_scores(looked_at(), path)
    return ranks


def reply_context(item: NextTurnItem) -> ReplyContext:
    """What a model is given of an item."""
    return ReplyContext(tuple(turn.text for turn in item.context), item.background)


def _example(item: NextTurnItem) -> HeldOutExample:
    """What a bot is given: turns of one speaker in a row count as one, so that speakers alternate."""
    merged: list[Turn] = []
    for turn in item.context:
        if merged and merged[-1].speaker == turn.speaker:
            merged[-1] = Turn(turn.speaker, f"{merged[-1].text}\n{turn.text}")
        else:
            merged.append(turn)
    turns = tuple(turn.text for turn in merged)
    return HeldOutExample(item.id, item.dialogue, turns, item.background, (item.true_reply,), item.candidates)


def texts_of(items: Path) -> Iterator[str]:
    """Every turn and candidate of a file of items: what says how common words are."""
    pools: set[str] = set()
    for item in read_next_turns(items):
        yield from (turn.text for turn in item.context)
        yield from item.candidates
        if item.pool and item.pool not in pools:
            pools.add(item.pool)
            yield from read_pool(items, item)
