"""The questions of a study, drawn by its seed: versions of a questionnaire, and attention checks.

Each version has questions of its own. The version of a cohort with other shares takes as many of its
questions as it can from the version of all others with the same number: cohorts answer the same questions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from duologue.dialogues import NextTurnItem, read_next_turns
from duologue.errors import DesignError
from duologue.nuc.analysis.answers import readable_items
from duologue.nuc.questions import QUESTION, NextTurnQuestion
from duologue.nuc.settings import NucSettings, Shares
from duologue.protocols import Item, Material
from duologue.seeds import first_numbers, seed_sequence

if TYPE_CHECKING:
    import numpy as np

FEWEST_TRUE_WORDS = 4
"""Of the true reply of an attention check: a shorter one says too little."""
FEWEST_FALSE_WORDS = 5
"""Of a reply whose words are mixed up: a shorter one may still read well."""
SPARE = 25
"""Items that are looked at for each attention check that is wanted."""


def draw_questions(settings: NucSettings, material: Material) -> Iterator[Item]:
    """All versions of the questionnaire, for everybody and for cohorts with shares of their own.

    Raises:
        DesignError: There are too few items, or a corpus or cohort that there is not is named.
        FormatError: The file of items is not one.
    """
    path = _there(material.folder / settings.items, material.folder)
    order = _shuffled_ids(path, material.seed)
    numbers = _numbers(settings, material, order)
    most = {corpus: max(of[corpus] for of in numbers.values()) for corpus in order}
    for corpus, ids in order.items():
        if len(ids) < settings.versions * most[corpus]:
            raise DesignError(
                f"{path}: {corpus} has {len(ids):,} items, and {settings.versions} versions with "
                f"{most[corpus]} of them need {settings.versions * most[corpus]:,}. Build more, or lower "
                "versions or per_annotator in [nuc]."
            )
    used = {corpus: settings.versions * most[corpus] for corpus in order}
    spare = 0 if settings.attention_file else SPARE * settings.attention_items
    found = _found(path, {key for corpus, ids in order.items() for key in ids[: used[corpus] + spare]})
    others = tuple(name for name in material.cohorts if name not in settings.cohorts)
    for cohort, of in numbers.items():
        whose = (cohort,) if cohort else others if settings.cohorts else ()
        for version in range(settings.versions):
            for corpus, ids in order.items():
                begin = version * most[corpus]
                for key in ids[begin : begin + of[corpus]]:
                    yield _item(_clear(settings, found[key]), f"{cohort} {version + 1}".strip(), whose)
    left = [found[key] for corpus, ids in order.items() for key in ids[used[corpus] : used[corpus] + spare]]
    yield from _checks(settings, material, left, tuple(found.values()))


def _clear(settings: NucSettings, item: NextTurnItem) -> NextTurnItem:
    """The item, where annotators can be told whom everything they read is about."""
    if settings.show_background and not NextTurnQuestion.of(item).says_whose():
        raise DesignError(
            f"[nuc] show_background: item {item.id} does not say which speaker its persona lines are about. "
            "Build the items again (`duologue nuc build`), or take show_background out."
        )
    return item


def _there(path: Path, folder: Path) -> Path:
    if not path.is_file():
        raise DesignError(
            f"{path}: there are no items to ask about. Make them with `duologue nuc build CORPUS… --out "
            f"{quote(str(folder / 'task'))}`, or say in [nuc] of study.toml which file has them (items)."
        )
    return path


def _shuffled_ids(path: Path, seed: int) -> dict[str, list[str]]:
    """The ids of each corpus in an order of the seed; what else is in the file makes no difference to it."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for item in readable_items(path):
        found[item.corpus].append(item.id)
    if not found:
        raise DesignError(f"{path}: there are no items to ask about.")
    shuffled = {}
    for corpus, ids in sorted(found.items()):
        lots = dict(zip(ids, first_numbers(seed, "questions", ids), strict=True))
        shuffled[corpus] = sorted(ids, key=lambda key: (lots[key], key))
    return shuffled


def _found(path: Path, wanted: Collection[str]) -> dict[str, NextTurnItem]:
    return {item.id: item for item in read_next_turns(path) if item.id in wanted}


def _numbers(
    settings: NucSettings, material: Material, corpora: Collection[str]
) -> dict[str, Mapping[str, int]]:
    """How many questions of each corpus a version has: everybody's (``""``), and those of cohorts."""
    for name in settings.cohorts:
        if name not in material.cohorts:
            raise DesignError(
                f"[nuc.cohorts.{name}]: a questionnaire of its own needs a cohort with places of its own; "
                f"give {name!r} in [[cohorts]] annotations_per_item."
            )
    has_others = any(name not in settings.cohorts for name in material.cohorts)
    whose = (*(("",) if has_others else ()), *settings.cohorts)
    numbers: dict[str, Mapping[str, int]] = {}
    for cohort in whose:
        shares = settings.shares_of(cohort) or dict.fromkeys(corpora, 1.0)
        if unknown := [corpus for corpus in shares if corpus not in corpora]:
            raise DesignError(
                f"[nuc] shares: there is no corpus {unknown[0]!r} in {settings.items}; the corpora are: "
                f"{', '.join(corpora)}."
            )
        numbers[cohort] = apportioned(settings.per_annotator_of(cohort), shares, corpora)
    return numbers


def apportioned(total: int, shares: Shares, corpora: Collection[str]) -> dict[str, int]:
    """So many questions over the corpora by their shares, rounded by largest remainder.

    Raises:
        DesignError: All shares are 0.

    Example:
        >>> apportioned(40, {"ubuntu": 2, "movies": 1, "tweets": 1}, ["movies", "tweets", "ubuntu"])
        {'movies': 10, 'tweets': 10, 'ubuntu': 20}
        >>> apportioned(10, {"a": 1, "b": 1, "c": 1}, "abc")
        {'a': 4, 'b': 3, 'c': 3}
    """
    whole = sum(shares.values())
    if not whole:
        raise DesignError("[nuc] shares: at least one corpus needs a share above 0.")
    exact = {corpus: total * shares.get(corpus, 0) / whole for corpus in corpora}
    numbers = {corpus: int(share) for corpus, share in exact.items()}
    by_remainder = sorted(corpora, key=lambda corpus: round(numbers[corpus] - exact[corpus], 9))
    for corpus in by_remainder[: total - sum(numbers.values())]:
        numbers[corpus] += 1
    return numbers


def _item(item: NextTurnItem, version: str, cohorts: tuple[str, ...]) -> Item:
    return Item(
        id=f"{version}: {item.id}",
        group=item.corpus,
        bots=(),
        dialogues=(),
        judged=(),
        block=version,
        cohorts=cohorts,
        slots=len(item.candidates),
        extras={QUESTION: NextTurnQuestion.of(item).record()},
    )


def _checks(
    settings: NucSettings, material: Material, left: Sequence[NextTurnItem], all_: Sequence[NextTurnItem]
) -> Iterator[Item]:
    """The attention checks: those of a file, or made of items that no version has."""
    if settings.attention_file:
        for item in readable_items(_there(material.folder / settings.attention_file, material.folder)):
            yield _check(_clear(settings, item))
        return
    if not settings.attention_items:
        return
    replies = sorted({reply for item in all_ for reply in item.candidates if _words(reply)})
    long = [item for item in left if len(item.true_reply.split()) >= FEWEST_TRUE_WORDS]
    lots = first_numbers(material.seed, "attention checks", [item.id for item in long])
    chosen = [item for _, item in sorted(zip(lots, long, strict=True), key=lambda one: (one[0], one[1].id))]
    needed = max((len(item.candidates) for item in chosen), default=1)
    if len(chosen) < settings.attention_items or len(replies) < needed:
        raise DesignError(
            f"{settings.items}: attention checks cannot be made. {settings.attention_items} are asked for in "
            f"[nuc] (attention_items); {len(chosen)} items that no version has have a true reply of "
            f"{FEWEST_TRUE_WORDS} words or more, and {len(replies)} replies have {FEWEST_FALSE_WORDS} "
            "different "
            "words to mix up. Build more items, or write checks of your own (attention_file)."
        )
    for item in chosen[: settings.attention_items]:
        yield _check(_clear(settings, _obvious(item, replies, material.seed)))


def _words(reply: str) -> bool:
    return len(set(reply.split())) >= FEWEST_FALSE_WORDS


def _obvious(item: NextTurnItem, replies: Sequence[str], seed: int) -> NextTurnItem:
    """The item with false replies whose words are mixed up: whoever reads sees which one is a sentence."""
    import numpy as np

    rng = np.random.default_rng(seed_sequence(seed, "attention check", item.id))
    others = [reply for reply in replies if reply != item.true_reply]
    drawn = iter([others[place] for place in rng.permutation(len(others)).tolist()])
    candidates = tuple(
        item.true_reply if place == item.truth else _mixed_up(next(drawn), rng)
        for place in range(len(item.candidates))
    )
    return replace(item, candidates=candidates)


def _mixed_up(reply: str, rng: np.random.Generator) -> str:
    words = reply.split()
    order = rng.permutation(len(words)).tolist()
    if order == sorted(order):
        order.reverse()
    return " ".join(words[place] for place in order)


def _check(item: NextTurnItem) -> Item:
    return Item(
        id=f"check: {item.id}",
        group=item.corpus,
        bots=(),
        dialogues=(),
        judged=(),
        role="attention",
        gold=item.truth,
        slots=len(item.candidates),
        extras={QUESTION: NextTurnQuestion.of(item).record()},
    )
