"""Several questions about the same dialogues: whether an answer colours the next one, and what each took.

Halo is tested by order alone. An annotator keeps one order of questions, drawn at random; if order does not
matter, who was asked a question first and who later is a toss-up. So the answers are left as they are, and
the orders are dealt again among the annotators (Fisher's randomisation test).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.parts import VotePart
from duologue.acute.analysis.results import HaloTest, QuestionsTogether, TimeOfQuestions
from duologue.judgments import Votes
from duologue.protocols import (
    say_answer_correlations,
    say_count,
    say_list,
    say_p,
    say_percent,
    say_seconds,
)
from duologue.stats import correlate_answers, holm

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]

DEALS = 4_999
"""So often orders are dealt again."""

FEWEST_UNITS = 6
"""Of annotators who were asked first, and of those who were asked later."""


@dataclass(frozen=True, slots=True, eq=False)
class _SideBySide:
    """The answers about the same items: a row for each item and pair of bots, a column for each question."""

    names: tuple[str, ...]
    scores: Floats
    """For the bot whose name comes first: 1 a win, 0 a tie, −1 a loss; NaN where not answered."""
    places: NDArray[np.int8]
    seconds: Floats
    matchups: Codes
    annotators: Codes


def questions_together(parts: Sequence[VotePart], *, seed: int) -> tuple[QuestionsTogether, ...]:
    """What each questions that were asked together say of each other, by revision and way of coming in."""
    groups: dict[tuple[int, str], list[VotePart]] = {}
    for part in parts:
        if part.counted.together is not None and part.counted.together.place.any():
            groups.setdefault((part.revision, part.annotators), []).append(part)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    return tuple(_of_group(own, rng) for own in groups.values() if len(own) > 1)


def _of_group(parts: Sequence[VotePart], rng: np.random.Generator) -> QuestionsTogether:
    found = _side_by_side(parts)
    correlations = tuple(
        correlate_answers(
            {name: found.scores[:, number] for number, name in enumerate(found.names)},
            found.matchups,
            found.annotators,
        )
    )
    tests, why_none = _halo(found, rng)
    time = _time(found)
    result = QuestionsTogether(
        questions=found.names,
        revision=parts[0].revision,
        annotators=parts[0].annotators,
        correlations=correlations,
        halo=tests,
        why_no_halo=why_none,
        time=time,
        sentences=(),
    )
    return replace(result, sentences=tuple(_sentences(result)))


def _side_by_side(parts: Sequence[VotePart]) -> _SideBySide:
    """The answers of all questions by item, known by its annotator, pairing, moment and two bots."""
    own = [_columns(part.counted) for part in parts]
    keys = np.concatenate([key for key, _ in own])
    items, row = np.unique(keys, axis=0, return_inverse=True)
    row = row.reshape(-1)
    shape = len(items), len(parts)
    scores, seconds = np.full(shape, math.nan), np.full(shape, math.nan)
    places = np.zeros(shape, np.int8)
    begin = 0
    for number, (key, score) in enumerate(own):
        rows, together = row[begin : begin + len(key)], parts[number].counted.together
        assert together is not None  # noqa: S101  the group was formed by it
        scores[rows, number] = score
        places[rows, number] = together.place
        seconds[rows, number] = together.seconds
        begin += len(key)
    _, matchups = np.unique(items[:, 3:], axis=0, return_inverse=True)
    names = tuple(part.arm or part.question for part in parts)
    return _SideBySide(names, scores, places, seconds, matchups.reshape(-1), items[:, 0].astype(np.intp))


def _columns(votes: Votes) -> tuple[NDArray[np.int64], Floats]:
    """What tells one item and pair from another, and the score for the bot whose name comes first."""
    low, high = np.minimum(votes.winner, votes.loser), np.maximum(votes.winner, votes.loser)
    key = np.stack(
        [votes.annotator.codes, votes.pairing, votes.at.astype(np.int64), low, high], axis=1
    ).astype(np.int64)
    return key, np.where(votes.winner == low, 1.0, -1.0) * votes.lead


def _halo(found: _SideBySide, rng: np.random.Generator) -> tuple[tuple[HaloTest, ...], str]:
    """For each question whether it matters that others were asked before; or why that cannot be said."""
    if (found.annotators < 0).any():
        return (), "it is not known who answered"
    if all(len(set(column[column > 0].tolist())) < 2 for column in found.places.T):
        return (), "the questions were asked in the same order of everybody"
    tests = [_test(found, number, rng) for number in range(len(found.names))]
    known = [test for test in tests if test is not None]
    if not known:
        return (), f"fewer than {FEWEST_UNITS} annotators were asked each question first, or later"
    adjusted = holm([test.p_value for test in known]).tolist()
    return tuple(replace(test, p_adjusted=p) for test, p in zip(known, adjusted, strict=True)), ""


def _test(found: _SideBySide, number: int, rng: np.random.Generator) -> HaloTest | None:
    """How often the bot that others favour by the other questions wins: asked first, and asked later."""
    favoured = _favoured(found, number)
    own = found.scores[:, number]
    used = ~np.isnan(own) & (favoured != 0) & (found.places[:, number] > 0)
    agrees = own[used] * favoured[used]
    is_first = found.places[used, number] == 1
    units = _units(found.annotators[used], is_first)
    count = int(units.max()) + 1 if len(units) else 0
    total, sums = np.bincount(units, minlength=count), np.bincount(units, agrees, minlength=count)
    first = np.zeros(count, bool)
    first[units] = is_first
    if min(int(first.sum()), int((~first).sum())) < FEWEST_UNITS:
        return None
    first_rate, later_rate = (float(1 + sums[who].sum() / total[who].sum()) / 2 for who in (first, ~first))
    seen = abs(later_rate - first_rate)
    extreme = 1
    for _ in range(DEALS):
        dealt = rng.permutation(first)
        n_first, n_all = total[dealt].sum(), total.sum()
        won_first = sums[dealt].sum()
        apart = (sums.sum() - won_first) / (n_all - n_first) - won_first / n_first
        extreme += abs(apart) / 2 >= seen - 1e-12
    return HaloTest(
        question=found.names[number],
        first_n=int(total[first].sum()),
        later_n=int(total[~first].sum()),
        annotators=count if _is_by_annotator(found.annotators[used], is_first) else None,
        first_rate=first_rate,
        later_rate=later_rate,
        p_value=extreme / (DEALS + 1),
        p_adjusted=1.0,
    )


def _favoured(found: _SideBySide, number: int) -> Floats:
    """Which bot of its matchup everybody else favours by the other questions: 1 the first, −1, or 0 none."""
    others = [one for one in range(len(found.names)) if one != number]
    lean = np.nansum(found.scores[:, others], axis=1)
    of_matchup = np.bincount(found.matchups, lean)
    _, own = np.unique(np.stack([found.matchups, found.annotators]), axis=1, return_inverse=True)
    own = own.reshape(-1)
    of_annotator = np.bincount(own, lean)
    favoured: Floats = np.sign(np.round(of_matchup[found.matchups] - of_annotator[own], 9))
    return favoured


def _is_by_annotator(annotators: Codes, is_first: NDArray[np.bool_]) -> bool:
    """Whether every annotator was always asked first, or never."""
    _, code = np.unique(annotators, return_inverse=True)
    share = np.bincount(code, is_first) / np.bincount(code)
    return bool(np.isin(share, (0.0, 1.0)).all())


def _units(annotators: Codes, is_first: NDArray[np.bool_]) -> Codes:
    """What was given an order: an annotator, or where that changed from item to item, each judgment."""
    if not len(annotators):
        return np.zeros(0, np.intp)
    if not _is_by_annotator(annotators, is_first):
        return np.arange(len(annotators))
    return np.unique(annotators, return_inverse=True)[1].reshape(-1)


def _time(found: _SideBySide) -> TimeOfQuestions | None:
    """What the first question took, with reading, and each later one; None where it is not known."""
    first, later = found.seconds[found.places == 1], found.seconds[found.places > 1]
    first, later = first[~np.isnan(first)], later[~np.isnan(later)]
    if not len(first) or not len(later):
        return None
    one, other = float(np.median(first)), float(np.median(later))
    return TimeOfQuestions(first=one, later=other, share=other / one if one else None, n=len(first))


def _sentences(found: QuestionsTogether) -> Iterator[str]:
    count = len(found.questions)
    yield (
        f"{count} questions were asked about the same dialogues ({say_list(found.questions)}), "
        "one after the other."
    )
    if found.why_no_halo:
        yield f"Whether one answer coloured the next was not tested: {found.why_no_halo}."
    for one in found.halo:
        who = "" if one.annotators is None else f" of {say_count(one.annotators, 'annotator')}"
        yield (
            f"{one.question}: the bot that others favour by the other questions won "
            f"{say_percent(one.first_rate)} where it was asked first (n = {one.first_n:,}) and "
            f"{say_percent(one.later_rate)} where it was asked later (n = {one.later_n:,}); orders{who} "
            f"dealt again {DEALS:,} times, {say_p(one.p_value)}, adjusted {say_p(one.p_adjusted)} (Holm)."
        )
    tested = [one.question for one in found.halo]
    untested = [name for name in found.questions if name not in tested]
    if tested and untested:
        yield (
            f"Not tested: {say_list(untested)} (fewer than {FEWEST_UNITS} annotators were asked first, "
            "or later)."
        )
    coloured = [one.question for one in found.halo if one.p_adjusted <= 0.05]
    if coloured:
        yield (
            f"Answers to {say_list(coloured)} depend on what was asked before (halo): "
            "trust those that were given first, and ask apart next time."
        )
    elif found.halo:
        yield "No halo was detected; a small one cannot be excluded."
    if said := say_answer_correlations(found.correlations, within="matchup"):
        yield said
    if found.time is not None:
        share = "" if found.time.share is None else f", {say_percent(found.time.share, 0)} of it"
        yield (
            f"The first question took {say_seconds(found.time.first)} s with reading, and each later one "
            f"{say_seconds(found.time.later)} s{share} (medians)."
        )
