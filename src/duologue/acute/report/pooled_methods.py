"""What the methods paragraph says of strengths pooled over all matchups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.acute.analysis.covariates import say_control
from duologue.protocols import say_p, say_why
from duologue.stats import MOST_BY_GROUPS, MOST_BY_PARTITIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duologue.acute import AcuteResults, PooledResult


def pooled_sentences(results: AcuteResults) -> Iterator[str]:
    """The model, its errors, the comparison of all pairs, and which verdicts decide."""
    found = [section.pooled for section in results.sections if section.pooled is not None]
    if not found:
        if results.verdicts == "pooled":
            why = next((section.why_not_pooled for section in results.sections), "")
            yield say_why("Pooled verdicts were declared, but the direct ones decide", why)
        return
    ties = " with Davidson's term for ties" if any(one.model == "davidson" for one in found) else ""
    people = " and ".join(f"{one.annotators:,}" for one in found if one.annotators is not None)
    decides = all(one.decides for one in found)
    yield (
        f"{'' if decides else 'Beside the matchups, '}Bradley–Terry strengths{ties} were fitted to all "
        "judgments together (ridge 0.01), with cluster-robust standard errors by "
        f"annotator{f' ({people})' if people else ''} and, "
        f"where dialogues repeat, by dialogue. {_procedure(found)} Rank sets are counted from these verdicts."
    )
    if any(one.sides is not None and one.sides.is_uneven for own in results.sections for one in own.matchups):
        yield "As sides were not balanced in every matchup, strengths were freed of the effect of the side."
    if decides:
        yield (
            "Win rates are those that the strengths expect; their intervals are simultaneous (Tukey–Kramer, "
            f"{' and '.join(f'c = {one.threshold:.3f}' for one in found)}); that of a decided pair is cut at "
            "50 % where it would reach further. The unadjusted intervals are given beside them."
        )
    yield _which_decides(results, found)
    yield from _covariates(found)


def _covariates(found: list[PooledResult]) -> Iterator[str]:
    """What strengths were freed of, how, and what it saved."""
    used = [one for one in found if one.control is not None]
    if not used:
        return
    yield (
        f"Covariates ({', '.join(used[0].covariates)}) were to be used as control variates: their mean over "
        "all dialogues of each bot is known. A regression of residuals on the difference of two dialogues "
        "within matchups, learned from other annotators, gives f; answers are freed of λ(f − f̄) with f̄ that "
        "of all dialogues, and the dialogues count as a sample of what their bot says. They are used where "
        "the lower end of the 90 % interval of what they explain is at least 5 %, on 200 judgments or more."
    )
    for one in used:
        if one.control is not None:
            yield say_control(one.control, one.covariates)


def _procedure(found: list[PooledResult]) -> str:
    bots = max(len(one.leaderboard) for one in found)
    over = (
        "closed testing over all partitions of the bots into groups of equals"
        if bots <= MOST_BY_PARTITIONS
        else "the procedure of Ryan, Einot, Gabriel and Welsch over all groups of bots"
        if bots <= MOST_BY_GROUPS
        else "a step-down procedure with Bonferroni's bound"
    )
    return f"All pairs were compared by {over} (Tukey's range on p-values of Student's t)."


def _which_decides(results: AcuteResults, found: list[PooledResult]) -> str:
    tested = [say_p(one.lack_of_fit_p) for one in found if one.lack_of_fit_p is not None]
    fit = f" A test of fit that is robust to clusters gave {', '.join(tested)}." if tested else ""
    if all(one.decides for one in found):
        declared = (
            "As declared beforehand, the" if results.is_declared else "As most matchups are sparse, the"
        )
        return (
            f"{declared} verdicts rest on the pooled strengths, and the direct ones are "
            f"given beside them.{fit}"
        )
    why = next((one.why_not for one in found if one.why_not), "")
    if why and results.is_declared:
        return f"Pooled verdicts were declared, but the direct ones decide: {why}.{fit}"
    return f"The verdicts rest on each matchup's own judgments; the pooled ones are given beside them.{fit}"
