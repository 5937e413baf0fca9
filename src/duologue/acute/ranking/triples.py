"""Which three bots are ranked together how often, and which dialogues of theirs: all spread evenly.

Every two bots meet as often as asked for, and hardly more often; every dialogue of a bot is shown as often as
any other, give or take one, and no two dialogues meet twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from duologue.acute.matching import NOTHING, Start, likeness
from duologue.acute.pairing import (
    DialogueHead,
    DialoguePool,
    Matchup,
    even_pairs_within,
    pair_dialogues,
    pairing_id,
    pools_of,
    refuse_mixed_kinds,
)
from duologue.acute.ranking.answers import SLOTS
from duologue.acute.settings import VERSUS, PairingSettings
from duologue.errors import DesignError, ImpossiblePairing
from duologue.judgments import Role
from duologue.protocols import Item
from duologue.seeds import seed_sequence

Triple = tuple[str, str, str]


def compared_in_threes(bots: Iterable[str], settings: PairingSettings) -> tuple[str, ...]:
    """The bots that are ranked, in the order of their names.

    Raises:
        DesignError: There are fewer than three.
    """
    here = sorted({bot for bot in bots if bot not in settings.leave_out})
    if len(here) < SLOTS:
        raise DesignError(
            f"a ranking needs dialogues of three bots, and there are those of {', '.join(here) or 'none'}. "
            'Import dialogues of more bots, or set answer = "choice" in [acute].'
        )
    return tuple(here)


def triple_counts(bots: Sequence[str], each: int, *, seed: int) -> dict[Triple, int]:
    """How often each three bots are ranked, so that every two meet at least ``each`` times.

    All threes come equally often as long as nobody meets more often than asked for; the rest is filled up by
    threes that are chosen one after the other, those first in which most pairs still have to meet.

    Example:
        >>> counts = triple_counts("abcd", 4, seed=0)
        >>> sorted(counts.values()), sum(counts.values())
        ([2, 2, 2, 2], 8)
    """
    threes = [(one, two, three) for one, two, three in combinations(sorted(bots), SLOTS)]
    whole, left = divmod(each, len(bots) - 2)
    counts = dict.fromkeys(threes, whole)
    for number in _chosen(len(bots), left, default_rng(seed_sequence(seed, "threes", *sorted(bots)))):
        counts[threes[number]] += 1
    return {three: count for three, count in counts.items() if count}


TRIES = 40
"""How often the rest is filled up by chance; the most even one is taken."""

MOST_STEPS = 5_000
"""Fewer tries are made where there are so many threes to choose from that all take longer than a moment."""


_CHANCES = (0.005, 0.5)
"""How much chance decides among threes that are equally wanted; either suits some numbers of bots."""


def _chosen(bots: int, each: int, rng: Generator) -> list[int]:
    """Threes, by number, so that every two bots meet so often and hardly more often."""
    threes = np.array(list(combinations(range(bots), SLOTS)))
    pairs = np.stack(
        [threes[:, one] * bots + threes[:, other] for one, other in combinations(range(SLOTS), 2)]
    )
    tries = max(1, min(TRIES, MOST_STEPS // max(1, each * bots * bots // 6)))
    found = [_filled_up(bots, each, threes, pairs, _CHANCES[number % 2], rng) for number in range(tries)]
    return min(found, key=lambda one: (one[0], len(one[1])))[1]


def _filled_up(
    bots: int,
    each: int,
    threes: NDArray[np.int64],
    pairs: NDArray[np.int64],
    chance: float,
    rng: Generator,
) -> tuple[int, list[int]]:
    """By how much the most frequent pair meets too often, and the threes."""
    met, used = np.zeros(bots * bots, dtype=np.int64), np.zeros(bots, dtype=np.int64)
    wanted, chosen = np.unique(pairs), list[int]()
    while (met[wanted] < each).any():
        lacking = each - met[pairs]
        too_often = np.maximum(1 - lacking, 0)
        worth = (lacking > 0).sum(axis=0) - (too_often**2).sum(axis=0)
        key = 1000.0 * worth + np.maximum(lacking, 0).sum(axis=0) - 0.01 * used[threes].sum(axis=1)
        best = int(np.argmax(key + chance * rng.random(len(threes))))
        met[pairs[:, best]] += 1
        used[threes[best]] += 1
        chosen.append(best)
    return int(met.max()) - each, chosen


def meetings(counts: Mapping[Triple, int]) -> Counter[tuple[str, str]]:
    """How often every two bots meet."""
    found: Counter[tuple[str, str]] = Counter()
    for three, count in counts.items():
        for pair in combinations(three, 2):
            found[pair] += count
    return found


def rank_dialogues(
    dialogues: Iterable[DialogueHead],
    settings: PairingSettings,
    *,
    seed: int,
    starts: Mapping[str, Start] | None = None,
) -> Iterator[Item]:
    """The rankings of a study; what has a known answer first, and pairings of two last, where asked for.

    The same dialogues, settings and seed give the same items, in whatever order the dialogues come. Of the
    dialogues that were shown least, those meet that share what they began with (``starts``).

    Raises:
        ImpossiblePairing: There are too few dialogues.
        DesignError: There are fewer than three bots, or kinds of dialogues would be mixed.
    """
    heads = list(dialogues)
    pools = pools_of(heads, settings)
    bots = compared_in_threes(pools, settings)
    for one, other in combinations(bots, 2):
        refuse_mixed_kinds(Matchup(one, other), pools, settings)
    counts = triple_counts(bots, settings.pairings_each, seed=seed)
    _refuse_too_few(counts, pools, settings)
    yield from known_rankings(heads, settings, seed=seed)
    yield from _rankings(counts, pools, starts or {}, default_rng(seed_sequence(seed, "rankings")))
    if settings.pairs_per_matchup:
        pairs = settings.model_copy(
            update={"per_matchup": settings.pairs_per_matchup, "onboarding": None, "attention_count": 0}
        )
        yield from pair_dialogues(heads, pairs, seed=seed, starts=starts)


def _refuse_too_few(
    counts: Mapping[Triple, int], pools: Mapping[str, DialoguePool], settings: PairingSettings
) -> None:
    for (one, other), wanted in sorted(meetings(counts).items()):
        first, second = len(pools[one].ids), len(pools[other].ids)
        if wanted > first * second:
            raise ImpossiblePairing(
                Matchup(one, other).group,
                wanted=wanted,
                possible=first * second,
                why=f"{one} has {first} dialogues and {other} has {second}, and no two may meet twice.",
            )
    if settings.dialogue_once == "study":
        uses: Counter[str] = Counter()
        for three, count in counts.items():
            uses.update(dict.fromkeys(three, count))
        bot, most = max(uses.items(), key=lambda use: use[1] / len(pools[use[0]].ids))
        have = len(pools[bot].ids)
        if most > have:
            raise ImpossiblePairing(
                f"{bot} in rankings",
                wanted=settings.pairings_each,
                possible=have * settings.pairings_each // most,
                why=f"it has {have} dialogues, and each may be shown once in the whole study.",
            )


def _rankings(
    counts: Mapping[Triple, int],
    pools: Mapping[str, DialoguePool],
    starts: Mapping[str, Start],
    rng: Generator,
) -> Iterator[Item]:
    """Items of every three bots; dialogues are dealt out in a random order of all of them."""
    bots = sorted({bot for three in counts for bot in three})
    deal = _Deal({bot: [starts.get(name, NOTHING) for name in pools[bot].ids] for bot in bots}, rng)
    every = [three for three, count in counts.items() for _ in range(count)]
    dealt = {number: deal.next(every[number]) for number in rng.permutation(len(every)).tolist()}
    for number, three in enumerate(every):
        yield _item(three, pools, dealt[number])


class _Deal:
    """Gives every three bots dialogues of theirs: the least shown that have not met, alike ones first."""

    def __init__(self, began: Mapping[str, Sequence[Start]], rng: Generator) -> None:
        self._began = began
        self._is_matched = any(start != NOTHING for starts in began.values() for start in starts)
        self._shown = {bot: np.zeros(len(starts), dtype=np.int64) for bot, starts in began.items()}
        self._against: dict[tuple[str, str], NDArray[np.int64]] = {}
        self._met: set[tuple[str, int, str, int]] = set()
        self._rng = rng

    def next(self, bots: Triple) -> tuple[int, ...]:
        """The dialogues of three bots.

        Raises:
            ImpossiblePairing: Whatever is chosen, two dialogues would meet twice.
        """
        chosen: dict[str, int] = {}
        if not self._choose(bots, chosen):
            raise ImpossiblePairing(
                VERSUS.join(bots),
                wanted=1,
                possible=0,
                why="all their dialogues have met; bring in more dialogues, or ask for fewer pairings.",
            )
        for bot, place in chosen.items():
            self._shown[bot][place] += 1
            for other in bots:
                if other != bot:
                    self._times(bot, other)[place] += 1
                    self._met.add((bot, place, other, chosen[other]))
        return tuple(chosen[bot] for bot in bots)

    def _choose(self, bots: Sequence[str], chosen: dict[str, int]) -> bool:
        if len(chosen) == len(bots):
            return True
        bot = bots[len(chosen)]
        others = [other for other in bots if other != bot]
        shown = self._shown[bot]
        times = sum((self._times(bot, other) for other in others), np.zeros(len(shown), dtype=np.int64))
        alike = self._alike(bot, others, chosen)
        for place in np.lexsort((self._rng.random(len(shown)), times, -alike, shown)).tolist():
            if all((bot, place, other, its) not in self._met for other, its in chosen.items()):
                chosen[bot] = place
                if self._choose(bots, chosen):
                    return True
                del chosen[bot]
        return False

    def _alike(self, bot: str, others: Sequence[str], chosen: Mapping[str, int]) -> NDArray[np.int64]:
        """How much each dialogue of a bot shares with those chosen, or at first with the least shown."""
        mine = self._began[bot]
        alike = np.zeros(len(mine), dtype=np.int64)
        if not self._is_matched:
            return alike
        for place in (place for place, start in enumerate(mine) if start != NOTHING):
            alike[place] = sum(likeness(mine[place], self._began[one][its]) for one, its in chosen.items())
        if not chosen:
            for other in others:
                fresh = np.flatnonzero(self._shown[other] == self._shown[other].min()).tolist()
                having = {
                    (n, value) for its in fresh for n, value in enumerate(self._began[other][its]) if value
                }
                alike += np.array([len(having & set(enumerate(start))) for start in mine], dtype=np.int64)
        return alike

    def _times(self, bot: str, other: str) -> NDArray[np.int64]:
        """How often each dialogue of a bot has met one of the other."""
        return self._against.setdefault((bot, other), np.zeros(len(self._shown[bot]), dtype=np.int64))


def known_rankings(
    dialogues: Iterable[DialogueHead], settings: PairingSettings, *, seed: int
) -> Iterator[Item]:
    """Rankings whose last is known: two dialogues of a better bot (usually humans) and one of a weak one.

    Raises:
        ImpossiblePairing: There are too few dialogues.
        DesignError: One of the two bots has no dialogues.
    """
    if settings.onboarding is None:
        return
    pools = pools_of(dialogues, settings)
    better, worse = settings.onboarding
    for name in (better, worse):
        if name not in pools:
            raise DesignError(
                f"onboarding ranks {better!r} above {worse!r}, and {name!r} has no dialogues in this study."
            )
    good, weak = len(pools[better].ids), len(pools[worse].ids)
    wanted = settings.onboarding_count + settings.attention_count
    possible = min(good * (good - 1) // 2, weak * (good // 2))
    if wanted > possible:
        raise ImpossiblePairing(
            f"onboarding {better} above {worse}",
            wanted=wanted,
            possible=possible,
            why=f"{better} has {good} dialogues, of which each ranking shows two, and {worse} has {weak}.",
        )
    rng = default_rng(seed_sequence(seed, "known rankings", better, worse))
    of_better, of_worse = rng.permutation(good), rng.permutation(weak)
    one, other = even_pairs_within(good, wanted)
    bots = (better, better, worse)
    for number, (first, second) in enumerate(zip(of_better[one], of_better[other], strict=True)):
        role: Role = "onboarding" if number < settings.onboarding_count else "attention"
        places = (int(first), int(second), int(of_worse[number % weak]))
        yield _item(bots, pools, places, role=role)


def _item(
    bots: Triple, pools: Mapping[str, DialoguePool], places: Sequence[int], *, role: Role = "judged"
) -> Item:
    dialogues = tuple(pools[bot].ids[place] for bot, place in zip(bots, places, strict=True))
    judged = tuple(pools[bot].judged[place] for bot, place in zip(bots, places, strict=True))
    return Item(
        id=pairing_id(dialogues, judged, role),
        group=VERSUS.join(sorted(bots)),
        bots=bots,
        dialogues=dialogues,
        judged=judged,
        role=role,
        gold=None if role == "judged" else {"last": SLOTS - 1},
    )
