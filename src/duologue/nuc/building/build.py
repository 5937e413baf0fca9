"""``duologue nuc build``: items from corpora, streamed, and the same again from the same seed."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from string import ascii_uppercase

import numpy as np
from numpy.typing import NDArray

from duologue.dialogues import (
    SPLITS,
    Dialogue,
    Json,
    NextTurnItem,
    Split,
    Turn,
    dump_json,
    read_corpus,
    read_persona_line,
    write_next_turns,
    write_pool,
)
from duologue.errors import DesignError, FormatError
from duologue.files import making_folder, replacing
from duologue.metrics import plain_words
from duologue.nuc.building.context import context_lengths
from duologue.nuc.building.false_replies import (
    Chooser,
    ConfusingChooser,
    Replies,
    SpooledReply,
    TextVectors,
    UniformChooser,
    askable,
    drawn_pool,
)
from duologue.nuc.building.lengths import LengthComparison, ReplyLengths
from duologue.nuc.building.options import BuildOptions, Corpus
from duologue.nuc.building.spool import Spool, SpooledDialogue
from duologue.seeds import seed_sequence

_TOGETHER = 256
"""Items whose false replies are looked for at once."""

OnStep = Callable[[str, int, int], None]
"""Told now and then what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True, slots=True)
class BuiltCorpus:
    """What became of a corpus."""

    name: str
    dialogues: int
    """Read, those that are left out included."""
    left_out: Mapping[str, int]
    """Dialogues without an item, by the reason."""
    items: Mapping[Split, int]
    lengths: LengthComparison | None
    """Words of true and false replies; None where every reply of the corpus is a candidate."""
    bad: tuple[FormatError, ...] = ()
    """Records that could not be read."""


@dataclass(frozen=True, slots=True)
class BuiltTask:
    """Items of next utterance classification, on disk."""

    folder: Path
    options: BuildOptions
    corpora: tuple[BuiltCorpus, ...]

    @property
    def files(self) -> Mapping[Split, Path]:
        """The items of each split that has some."""
        return {
            split: self.folder / f"{split}.jsonl"
            for split in SPLITS
            if sum(corpus.items.get(split, 0) for corpus in self.corpora)
        }


def build_task(
    corpora: Sequence[Corpus],
    out: Path,
    *,
    options: BuildOptions | None = None,
    skip_bad: bool = False,
    on_step: OnStep | None = None,
) -> BuiltTask:
    """Make items of next utterance classification from corpora, in bounded memory.

    Of every dialogue the first turns are the context, the next one is the true reply, and false replies come
    from elsewhere in the same split of the same corpus. A dialogue is in one split only, and so is what is
    said in it: dialogues that repeat an earlier one are left out.

    Args:
        corpora: Where the dialogues are.
        out: A folder for ``train.jsonl``, ``valid.jsonl``, ``test.jsonl`` and ``build.json``.
        options: How items are made.
        skip_bad: Leave bad records out instead of refusing the file.
        on_step: Told what is being done.

    Raises:
        DesignError: An option cannot be, or a corpus has too few dialogues.
        InputError: A file cannot be read.
        ExportError: The folder cannot be written to.
    """
    options = options or BuildOptions()
    options.check()
    names = [corpus.name for corpus in corpora]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise DesignError(f"two corpora are called {twice[0]!r}: give each a name of its own, as name=file.")
    with making_folder(out), tempfile.TemporaryDirectory(prefix=".building-", dir=out) as drafts:
        built = _build(corpora, Path(drafts), options, skip_bad=skip_bad, on_step=on_step or _silent)
        if not built.files:
            raise DesignError("no item could be made: no dialogue of the corpora has a context and a reply.")
        with replacing(built.folder / "build.json") as file:
            file.write(dump_json(_facts(built)).encode() + b"\n")
        for split in SPLITS:
            (out / f"{split}.jsonl").unlink(missing_ok=True)  # of an earlier build
        for path in built.folder.iterdir():
            path.replace(out / path.name)
    return replace(built, folder=out)


def _build(
    corpora: Sequence[Corpus], drafts: Path, options: BuildOptions, *, skip_bad: bool, on_step: OnStep
) -> BuiltTask:
    """Make the items in a folder of their own: an earlier build stays until all of this one is there."""
    out = drafts / "ready"
    out.mkdir()
    with ExitStack() as opened:
        makers = []
        for number, corpus in enumerate(corpora):
            path = drafts / f"{number}.spool"
            file = opened.enter_context(path.open("xb+", buffering=2**20))
            makers.append(_CorpusMaker(corpus, options, Spool(file), skip_bad=skip_bad, on_step=on_step))
        names = [corpus.name for corpus in corpora]
        about: dict[str, Json] = {"seed": options.seed, "false": options.false, "corpora": names}
        for split in SPLITS:
            wanted = [maker for maker in makers if maker.has(split)]
            path = out / f"{split}.jsonl"
            if wanted:
                items = (item for maker in wanted for item in maker.items(split))
                count = write_next_turns(items, path, about=about)
                if not count:
                    path.unlink()
            for maker in wanted:
                maker.write_pool(split, out)
        return BuiltTask(out, options, tuple(maker.built() for maker in makers))


def _silent(step: str, done: int, total: int) -> None:
    """Say nothing."""


class _CorpusMaker:
    """Makes the items of one corpus."""

    def __init__(
        self, corpus: Corpus, options: BuildOptions, spool: Spool, *, skip_bad: bool, on_step: OnStep
    ) -> None:
        self._corpus, self._options, self._on_step = corpus, options, on_step
        self._bad: list[FormatError] = []
        self._on_bad = self._bad.append if skip_bad else None
        self._left_out: Counter[str] = Counter()
        self._read = 0
        self._items: Counter[Split] = Counter()
        self._lengths = ReplyLengths()
        self._spool = spool
        self._fill()
        self._splits = self._split()
        self._contexts = self._spool.first_numbers(options.seed, "next turns: context")
        self._pools: dict[Split, dict[str, int]] = {}

    def has(self, split: Split) -> bool:
        """Whether there are dialogues in a split."""
        return len(self._splits[split]) > 0

    def items(self, split: Split) -> Iterator[NextTurnItem]:
        """The items of a split, in the order of the corpus."""
        dialogues = self._chosen(split)
        make = self._with_pool if self._options.false == "all" else self._with_false_replies
        for done, item in enumerate(make(split, dialogues), 1):
            self._items[split] += 1
            if done % 1_000 == 0:
                self._on_step(f"{self._corpus.name}, {split}", done, len(dialogues))
            yield item

    def built(self) -> BuiltCorpus:
        """What became of the corpus."""
        return BuiltCorpus(
            self._corpus.name,
            self._read,
            dict(self._left_out),
            dict(self._items),
            self._lengths.comparison(),
            tuple(self._bad),
        )

    def write_pool(self, split: Split, out: Path) -> None:
        """Where every reply of the corpus is a candidate, list them."""
        if split in self._pools:
            write_pool(self._pools[split], out / self._pool_name(split))

    def _fill(self) -> None:
        cleaning, most = self._options.cleaning, self._options.max_context
        for dialogue in self._dialogues():
            self._read += 1
            if len(dialogue.turns) < 2 or any(not turn.text.strip() for turn in dialogue.turns[: most + 1]):
                self._left_out["too short, or with a turn without text"] += 1
                continue
            texts = [turn.text for turn in dialogue.turns]
            if cleaning.offends((*texts, *dialogue.context)):
                self._left_out["offensive"] += 1
                continue
            hidden, letters = cleaning.anonymous(dialogue), _letters(dialogue)
            kept = SpooledDialogue(
                dialogue.id,
                [hidden.clean(line) for line in dialogue.context],
                [letters.get(read_persona_line(line)[0], "") for line in dialogue.context],
                [letters[turn.speaker] for turn in dialogue.turns[: most + 1]],
                [hidden.clean(text) for text in texts[: most + 1]],
            )
            if not self._spool.add(kept, whole="\n".join(texts)):
                self._left_out["said the same as an earlier one"] += 1
        self._spool.close()

    def _dialogues(self) -> Iterator[Dialogue]:
        name = self._corpus.name
        for path in self._corpus.files:
            reading = partial(self._on_step, f"{name}: reading")
            yield from read_corpus(path, name, on_bad=self._on_bad, on_progress=reading)

    def _split(self) -> dict[Split, NDArray[np.int64]]:
        numbers = self._spool.first_numbers(self._options.seed, "next turns: split")
        shares = np.cumsum([self._options.shares.get(split, 0.0) for split in SPLITS])
        places = np.minimum(np.searchsorted(shares, numbers, side="right"), len(SPLITS) - 1)
        found = {split: np.flatnonzero(places == place) for place, split in enumerate(SPLITS)}
        if self._options.false == "all":
            return found
        for split, dialogues in found.items():
            if 0 < len(dialogues) <= self._options.false_replies:
                raise DesignError(
                    f"{self._corpus.name}: {len(dialogues)} dialogues fall into {split}, too few for "
                    f"{self._options.false_replies} false replies from other dialogues. Give more dialogues, "
                    "or other shares of train, valid and test."
                )
        return found

    def _chosen(self, split: Split) -> NDArray[np.int64]:
        dialogues = self._splits[split]
        most = self._options.items
        if most is None or len(dialogues) <= most:
            return dialogues
        lots = self._spool.first_numbers(self._options.seed, "next turns: chosen")[dialogues]
        return np.sort(dialogues[np.argsort(lots, kind="stable")[:most]])

    def _asked(self, dialogues: NDArray[np.int64]) -> Iterator[tuple[SpooledDialogue, int, int]]:
        """Each dialogue with how many turns are shown, and its number; no more than are wanted."""
        options = self._options
        left = options.items if options.items is not None else -1
        for number in dialogues.tolist():
            dialogue = self._spool[number]
            for length in context_lengths(
                len(dialogue.texts),
                float(self._contexts[number]),
                options.per_dialogue,
                rule=options.context,
                most=options.max_context,
            ):
                if left == 0:
                    return
                left -= 1
                yield dialogue, length, number

    def _with_false_replies(self, split: Split, dialogues: NDArray[np.int64]) -> Iterator[NextTurnItem]:
        replies, rng = self._replies(split)
        chooser = self._chooser(replies)
        asked = self._asked(dialogues)
        while batch := list(islice(asked, _TOGETHER)):
            truths = [SpooledReply(number, dialogue.texts[length]) for dialogue, length, number in batch]
            false = chooser.choose(truths, self._options.false_replies)
            for (dialogue, length, number), truth, others in zip(batch, truths, false, strict=True):
                if others is None:
                    self._left_out["too few false replies"] += 1
                    continue
                place = int(rng.integers(len(others) + 1))
                shown = [*others[:place], truth, *others[place:]]
                candidates = tuple(reply.text for reply in shown)
                self._lengths.add(candidates, place)
                item = self._item(dialogue, length, number, split)
                yield replace(
                    item,
                    id=f"{item.id}:{_candidates_digest(candidates)}",
                    candidates=candidates,
                    truth=place,
                    sources=tuple(self._spool[reply.dialogue].id for reply in shown),
                )

    def _replies(self, split: Split) -> tuple[Replies, np.random.Generator]:
        seed = seed_sequence(self._options.seed, "next turns: false", self._corpus.name, split)
        drawing, placing = map(np.random.default_rng, seed.spawn(2))
        rule, most = self._options.context, self._options.max_context
        return Replies(self._spool, self._splits[split], rule=rule, most=most, rng=drawing), placing

    def _chooser(self, replies: Replies) -> Chooser:
        from duologue.models import TfIdf, read_word_vectors, words_of

        if self._options.false == "uniform":
            return UniformChooser(replies)
        pool = drawn_pool(replies, self._options.pool)
        texts = [reply.text for reply in pool]
        vectors: TextVectors
        if self._options.vectors is None:
            vectors = TfIdf(texts)
        else:
            words = {word for text in texts for word in words_of(text)}
            vectors = read_word_vectors(self._options.vectors, words=words)
        return ConfusingChooser(pool, vectors)

    def _with_pool(self, split: Split, dialogues: NDArray[np.int64]) -> Iterator[NextTurnItem]:
        """Items whose candidates are all replies of the split, each listed once."""
        rule, most = self._options.context, self._options.max_context
        pool: dict[str, int] = {}
        places: dict[str, int] = {}
        for number in self._splits[split].tolist():
            for text in askable(self._spool[number].texts, rule=rule, most=most):
                if (said := plain_words(text)) not in places:
                    places[said] = pool[text] = len(places)
        self._pools[split] = pool
        for dialogue, length, number in self._asked(dialogues):
            truth = places[plain_words(dialogue.texts[length])]
            own = {places.get(plain_words(text), truth) for text in dialogue.texts}
            yield replace(
                self._item(dialogue, length, number, split),
                truth=truth,
                pool=self._pool_name(split),
                left_out=tuple(sorted(own - {truth})),
            )

    def _pool_name(self, split: Split) -> str:
        return f"{split}.{self._corpus.name}.replies.jsonl"

    def _item(self, dialogue: SpooledDialogue, length: int, number: int, split: Split) -> NextTurnItem:
        speakers, texts = dialogue.speakers[:length], dialogue.texts[:length]
        return NextTurnItem(
            id=f"{self._corpus.name}:{self._spool.name(number)}:{length}",
            corpus=self._corpus.name,
            split=split,
            dialogue=dialogue.id,
            context=tuple(map(Turn, speakers, texts)),
            candidates=(),
            truth=0,
            background=tuple(dialogue.background),
            about=tuple(dialogue.about),
        )


def _letters(dialogue: Dialogue) -> Mapping[str, str]:
    """A letter for each speaker, in the order in which they speak first; then for who says nothing."""
    speakers = [*(turn.speaker for turn in dialogue.turns), *(speaker.name for speaker in dialogue.speakers)]
    return {
        speaker: ascii_uppercase[place] if place < 26 else f"Z{place}"
        for place, speaker in enumerate(dict.fromkeys(speakers))
    }


def _facts(built: BuiltTask) -> Mapping[str, Json]:
    options: dict[str, Json] = asdict(replace(built.options, shares=dict(built.options.shares)))
    cleaning = built.options.cleaning
    options["cleaning"] = {
        "mentions": cleaning.mentions,
        "links": cleaning.links,
        "names": cleaning.names,
        "known_names": len(cleaning.known_names),
        "offensive": len(cleaning.offensive),
    }
    options["vectors"] = built.options.vectors and built.options.vectors.name
    return {
        "format": "duologue.nuc-build/1",
        "options": options,
        "corpora": [
            {
                "name": corpus.name,
                "dialogues": corpus.dialogues,
                "left_out": dict(corpus.left_out),
                "items": dict(corpus.items),
                "lengths": corpus.lengths
                and {**asdict(corpus.lengths), "gives_away": corpus.lengths.gives_away},
                "bad": [str(error) for error in corpus.bad],
            }
            for corpus in built.corpora
        ],
    }


def _candidates_digest(candidates: Sequence[str]) -> str:
    """What ids end in: answers and scores name candidates by their places, so others must be another item."""
    return hashlib.sha256(dump_json([*candidates]).encode()).hexdigest()[:8]
