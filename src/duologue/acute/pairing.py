"""Putting dialogues side by side: which matchups there are, and which dialogues meet in them.

The rules are those of Li, Weston and Roller (2019), "Annotation Quality": each specific pair at most once,
and each dialogue at most once where there are enough of them; where there are not, every dialogue is used
as often as any other, give or take one. Within these rules, dialogues that began alike meet (`matching`).
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Protocol

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from duologue.acute.matching import NOTHING, Start, align, rematch
from duologue.acute.settings import VERSUS, PairingSettings
from duologue.errors import DesignError, ImpossiblePairing
from duologue.judgments import Role
from duologue.protocols import Item
from duologue.seeds import seed_sequence

Indices = NDArray[np.int64]


class DialogueHead(Protocol):
    """What pairing needs to know of a dialogue."""

    @property
    def id(self) -> str:
        """Its id, unique in the study."""

    @property
    def bot(self) -> str:
        """The bot it belongs to."""

    @property
    def kind(self) -> str:
        """Live chat, self-chat or human-human."""

    @property
    def judged(self) -> str:
        """The speaker who is judged."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """Two bots compared, their names in order; the same one twice in an A/A matchup."""

    first: str
    second: str

    @classmethod
    def of(cls, one: str, other: str) -> Matchup:
        """The matchup of two bots, whichever is named first."""
        return cls(*sorted((one, other)))

    @property
    def group(self) -> str:
        """Its name in tables: ``A__vs__B``."""
        return f"{self.first}{VERSUS}{self.second}"

    @property
    def is_same_bot(self) -> bool:
        """Whether it is an A/A matchup."""
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class DialoguePool:
    """The dialogues of one bot, by id."""

    ids: tuple[str, ...]
    judged: tuple[str, ...]
    kinds: frozenset[str]


def matchups_of(bots: Iterable[str], settings: PairingSettings) -> tuple[Matchup, ...]:
    """The matchups that the settings ask for among ``bots``, each once, in the order of their names.

    Raises:
        DesignError: A bot is named that has no dialogues, or there is nothing to compare.
    """
    here = sorted(set(bots))
    named = {name for pair in settings.matchups if settings.matchups != "all" for name in pair}
    for name in sorted(named | set(settings.against) | set(settings.same_bot)):
        if name not in here:
            raise DesignError(
                f"bot {name!r} has no dialogues in this study; {', '.join(here) or 'no bot'} has. "
                f"Import its logs with `duologue dialogues import STUDY FILE --bot {quote(name)}`."
            )
    compared = [name for name in here if name not in settings.leave_out]
    if settings.matchups != "all":
        pairs = [Matchup.of(one, other) for one, other in settings.matchups]
    elif settings.against:
        pairs = [Matchup.of(new, old) for new in settings.against for old in compared if old != new]
    else:
        pairs = [Matchup.of(one, other) for one, other in itertools.combinations(compared, 2)]
    same = settings.same_bot or (tuple(compared) if settings.same_bot_share else ())
    pairs += [Matchup(name, name) for name in same]
    if not pairs:
        raise DesignError(
            f"there is nothing to compare: the bots with dialogues are {', '.join(here) or 'none'}. "
            "Import dialogues of at least two bots, or ask for an A/A matchup with same_bot."
        )
    return tuple(sorted(set(pairs), key=lambda matchup: (matchup.first, matchup.second)))


def pairing_counts(matchups: Sequence[Matchup], settings: PairingSettings) -> dict[Matchup, int]:
    """How many pairings each matchup has: A/A matchups share what makes up ``same_bot_share`` of all.

    Example:
        >>> matchups = [Matchup("a", "a"), Matchup("a", "b"), Matchup("b", "b")]
        >>> counts = pairing_counts(matchups, PairingSettings(per_matchup=90, same_bot_share=0.1))
        >>> list(counts.values())
        [5, 90, 5]
    """
    each, share = settings.pairings_each, settings.same_bot_share
    same = sum(1 for matchup in matchups if matchup.is_same_bot)
    other = each * (len(matchups) - same)
    if not share or not same or not other:
        return dict.fromkeys(matchups, each)
    checks = max(1, round(other * share / (1 - share) / same))
    return {matchup: checks if matchup.is_same_bot else each for matchup in matchups}


def pair_dialogues(
    dialogues: Iterable[DialogueHead],
    settings: PairingSettings,
    *,
    seed: int,
    starts: Mapping[str, Start] | None = None,
) -> Iterator[Item]:
    """The pairings of every matchup, and the onboarding pairings first.

    The same dialogues, settings and seed give the same pairings, in whatever order the dialogues come; each
    matchup has random numbers of its own, so adding a bot leaves the pairings of the others as they are
    (unless each dialogue may be used only once in the whole study).

    Args:
        dialogues: What is paired.
        settings: How.
        seed: Where the random choices come from.
        starts: What dialogues began with (`starts_of`): those of two bots that share it meet, as far as the
            rules allow. A/A matchups and pairings with a known answer are drawn without it.

    Raises:
        ImpossiblePairing: There are too few dialogues, with the number that is possible.
        DesignError: A matchup would mix kinds of dialogues, or names a bot without dialogues.
    """
    pools = pools_of(dialogues, settings)
    matchups = matchups_of(pools, settings)
    for matchup in matchups:
        refuse_mixed_kinds(matchup, pools, settings)
    counts = pairing_counts(matchups, settings)
    _check_enough(counts, pools, settings)
    began = _starts_in(pools, starts or {})
    shares = _shares(counts, pools, began, seed) if settings.dialogue_once == "study" else {}
    yield from _onboarding(pools, settings, seed)
    for matchup in matchups:
        yield from _pair_matchup(matchup, counts[matchup], pools, began, seed, shares)


def _starts_in(pools: Mapping[str, DialoguePool], starts: Mapping[str, Start]) -> dict[str, list[Start]]:
    """What the dialogues of each bot began with, in the order of its pool; nothing where none is alike."""
    return (
        {bot: [starts.get(name, NOTHING) for name in pool.ids] for bot, pool in pools.items()}
        if starts
        else {}
    )


def pair_onboarding(
    dialogues: Iterable[DialogueHead], settings: PairingSettings, *, seed: int
) -> Iterator[Item]:
    """Only the pairings with a known answer: onboarding, then attention checks.

    Raises:
        ImpossiblePairing: There are too few dialogues.
        DesignError: One of the two bots has no dialogues.
    """
    return _onboarding(pools_of(dialogues, settings), settings, seed)


def even_pairs(first: int, second: int, count: int) -> tuple[Indices, Indices]:
    """``count`` different pairs (i, j), i < ``first``, j < ``second``, with every i and every j used evenly.

    Walks the torus i = k mod first, j = k mod second, and shifts j by one after each full cycle of
    lcm(first, second) steps, so that no pair comes twice before all have come.

    Example:
        >>> first, second = even_pairs(2, 4, 8)
        >>> sorted(zip(first.tolist(), second.tolist()))
        [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]
    """
    steps = np.arange(count, dtype=np.int64)
    return steps % first, (steps + steps // math.lcm(first, second)) % second


def even_pairs_within(size: int, count: int) -> tuple[Indices, Indices]:
    """``count`` different unordered pairs among ``size`` dialogues, with every dialogue used evenly.

    An even number is paired round by round as in a round-robin tournament; an odd number along the
    Hamiltonian cycles of Walecki's decomposition, every second edge first.
    """
    edges = _tournament_edges if size % 2 == 0 else _cycle_edges
    per_round = size // 2 if size % 2 == 0 else size
    rounds = [edges(size, number) for number in range(math.ceil(count / per_round))]
    pairs = np.concatenate(rounds)[:count]
    return pairs[:, 0], pairs[:, 1]


def _tournament_edges(size: int, number: int) -> Indices:
    """Round ``number`` of the circle method: the last one stays, the others turn."""
    seats = (np.arange(size - 1, dtype=np.int64) + number) % (size - 1)
    seats = np.append(seats, size - 1)
    half = size // 2
    return np.column_stack((seats[:half], seats[half:][::-1]))


def _cycle_edges(size: int, number: int) -> Indices:
    """Hamiltonian cycle ``number`` of an odd complete graph; any first part of its edges is even."""
    ring = size - 1
    steps = np.arange(1, ring, dtype=np.int64)
    zigzag = np.where(steps % 2 == 1, (steps + 1) // 2, -(steps // 2))
    cycle = np.concatenate(([ring], [number], (number + zigzag) % ring)).astype(np.int64)
    edges = np.column_stack((cycle, np.roll(cycle, -1)))
    # Every second edge covers all but the last on the cycle; the edges of that one come next.
    return np.concatenate((edges[0:-1:2], edges[-1:], edges[1::2]))


def pools_of(dialogues: Iterable[DialogueHead], settings: PairingSettings) -> dict[str, DialoguePool]:
    """The dialogues of each bot that may be shown, sorted by id."""
    by_bot: dict[str, list[tuple[str, str, str]]] = {}
    for dialogue in dialogues:
        by_bot.setdefault(dialogue.bot, []).append((dialogue.id, dialogue.judged, dialogue.kind))
    pools = {}
    for bot, heads in by_bot.items():
        if settings.kind is not None:
            heads = [head for head in heads if head[2] in (settings.kind, "human-human")]
        if heads:
            heads.sort()
            ids, judged, kinds = zip(*heads, strict=True)
            pools[bot] = DialoguePool(ids, judged, frozenset(kinds))
    return pools


def refuse_mixed_kinds(
    matchup: Matchup, pools: Mapping[str, DialoguePool], settings: PairingSettings
) -> None:
    """Refuse to set self-chats against live chats unless the study says so; humans meet either kind.

    Raises:
        DesignError: Both kinds would meet.
    """
    kinds = (pools[matchup.first].kinds | pools[matchup.second].kinds) - {"human-human"}
    if len(kinds) > 1 and not settings.mix_kinds:
        raise DesignError(
            f"{matchup.group} would mix {' and '.join(sorted(kinds))} dialogues. Choose one with "
            'kind = "self-chat" or kind = "live-chat" in [acute.pairings], or allow it with mix_kinds = true.'
        )


def _possible(matchup: Matchup, pools: Mapping[str, DialoguePool]) -> int:
    first, second = len(pools[matchup.first].ids), len(pools[matchup.second].ids)
    return first * (first - 1) // 2 if matchup.is_same_bot else first * second


def _check_enough(
    counts: Mapping[Matchup, int], pools: Mapping[str, DialoguePool], settings: PairingSettings
) -> None:
    for matchup, wanted in counts.items():
        possible = _possible(matchup, pools)
        if wanted > possible:
            first, second = len(pools[matchup.first].ids), len(pools[matchup.second].ids)
            there = (
                f"{matchup.first} has {first} dialogues"
                if matchup.is_same_bot
                else f"{matchup.first} has {first} dialogues and {matchup.second} has {second}"
            )
            raise ImpossiblePairing(
                matchup.group,
                wanted=wanted,
                possible=possible,
                why=f"{there}, and no two may meet twice.",
            )
    if settings.dialogue_once == "study":
        wanted = settings.pairings_each
        for bot, uses in _uses(counts).items():
            have = len(pools[bot].ids)
            if uses > have:
                raise ImpossiblePairing(
                    f"{bot} in {sum(bot in (m.first, m.second) for m in counts)} matchups",
                    wanted=wanted,
                    possible=have * wanted // uses,
                    why=f"it has {have} dialogues, and each may be shown once in the whole study.",
                )


def _uses(counts: Mapping[Matchup, int]) -> dict[str, int]:
    """How many dialogues of each bot are shown, if each is shown once."""
    uses: dict[str, int] = {}
    for matchup, count in counts.items():
        for bot in (matchup.first, matchup.second):
            uses[bot] = uses.get(bot, 0) + count
    return uses


def _shares(
    counts: Mapping[Matchup, int],
    pools: Mapping[str, DialoguePool],
    began: Mapping[str, Sequence[Start]],
    seed: int,
) -> dict[tuple[Matchup, str], Indices]:
    """For each matchup and bot the dialogues it may use, when a dialogue is used once in the study."""
    left = {
        bot: default_rng(seed_sequence(seed, "share", bot)).permutation(len(pool.ids))
        for bot, pool in pools.items()
    }
    shares = {}
    for matchup, count in counts.items():
        first, second = matchup.first, matchup.second
        if matchup.is_same_bot:
            taken = {first: left[first][: 2 * count]}
        else:
            decks = left[first], left[second]
            if began:
                decks = align(*decks, (began[first], began[second]))
            taken = {first: decks[0][:count], second: decks[1][:count]}
        for bot, share in taken.items():
            shares[matchup, bot] = share
            left[bot] = left[bot][~np.isin(left[bot], share)]
    return shares


def _pair_matchup(
    matchup: Matchup,
    count: int,
    pools: Mapping[str, DialoguePool],
    began: Mapping[str, Sequence[Start]],
    seed: int,
    shares: Mapping[tuple[Matchup, str], Indices],
) -> Iterator[Item]:
    rng = default_rng(seed_sequence(seed, "pairings", matchup.group))
    sides = (pools[matchup.first], pools[matchup.second])
    decks = [
        rng.permutation(shares.get((matchup, bot), np.arange(len(pools[bot].ids))))
        for bot in (matchup.first, matchup.second)
    ]
    if matchup.is_same_bot:
        one, other = even_pairs_within(len(decks[0]), count)
        first, second = decks[0][one], decks[0][other]
        swap = rng.random(count) < 0.5
        first, second = np.where(swap, second, first), np.where(swap, first, second)
    else:
        first, second = _matched((decks[0], decks[1]), count, matchup, began)
    shuffle = rng.permutation(count)
    for left, right in zip(first[shuffle].tolist(), second[shuffle].tolist(), strict=True):
        yield _item(matchup, sides, (left, right))


def _matched(
    decks: tuple[Indices, Indices], count: int, matchup: Matchup, began: Mapping[str, Sequence[Start]]
) -> tuple[Indices, Indices]:
    """The dialogues of each pairing: those that began alike side by side, all used evenly."""
    if began:
        starts = (began[matchup.first], began[matchup.second])
        decks = align(*decks, starts, is_grouped=count > min(map(len, decks)))
    one, other = even_pairs(len(decks[0]), len(decks[1]), count)
    first, second = decks[0][one], decks[1][other]
    if began:
        first, second = rematch(first, second, decks, starts)
    return first, second


def _onboarding(pools: Mapping[str, DialoguePool], settings: PairingSettings, seed: int) -> Iterator[Item]:
    """Pairings with a known answer: dialogues of a better bot (usually humans) against a weak one."""
    if settings.onboarding is None:
        return
    better, worse = settings.onboarding
    for name in (better, worse):
        if name not in pools:
            raise DesignError(
                f"onboarding compares {better!r} with {worse!r}, and {name!r} has no dialogues in this study."
            )
    matchup = Matchup.of(better, worse)
    sides = (pools[matchup.first], pools[matchup.second])
    possible = len(sides[0].ids) * len(sides[1].ids)
    wanted = settings.onboarding_count + settings.attention_count
    if wanted > possible:
        raise ImpossiblePairing(
            f"onboarding {better} against {worse}",
            wanted=wanted,
            possible=possible,
            why=f"{better} has {len(pools[better].ids)} dialogues and {worse} has {len(pools[worse].ids)}.",
        )
    rng = default_rng(seed_sequence(seed, "onboarding", matchup.group))
    decks = [rng.permutation(len(side.ids)) for side in sides]
    one, other = even_pairs(len(decks[0]), len(decks[1]), wanted)
    gold = (matchup.first, matchup.second).index(better)
    pairs = zip(decks[0][one].tolist(), decks[1][other].tolist(), strict=True)
    for number, (left, right) in enumerate(pairs):
        role: Role = "onboarding" if number < settings.onboarding_count else "attention"
        yield _item(matchup, sides, (left, right), role=role, gold=gold)


def _item(
    matchup: Matchup,
    sides: tuple[DialoguePool, DialoguePool],
    places: tuple[int, int],
    *,
    role: Role = "judged",
    gold: int | None = None,
) -> Item:
    dialogues = (sides[0].ids[places[0]], sides[1].ids[places[1]])
    judged = (sides[0].judged[places[0]], sides[1].judged[places[1]])
    return Item(
        id=pairing_id(dialogues, judged, role),
        group=matchup.group,
        bots=(matchup.first, matchup.second),
        dialogues=dialogues,
        judged=judged,
        role=role,
        gold=gold,
    )


def pairing_id(dialogues: Sequence[str], judged: Sequence[str], role: Role) -> str:
    """A stable name for a pairing, made from what is in it."""
    content = "\x1f".join((*dialogues, *judged, "" if role == "judged" else role))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:24]
