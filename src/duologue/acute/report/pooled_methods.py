"""What the methods paragraph says of strengths pooled over all matchups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.protocols import say_p

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duologue.acute import AcuteResults, PooledResult


def pooled_sentences(results: AcuteResults) -> Iterator[str]:
    """The model, its errors, the comparison of all pairs, and which verdicts decide."""
    found = [section.pooled for section in results.sections if section.pooled is not None]
    if not found:
        if results.verdicts == "pooled":
            why = next((section.why_not_pooled for section in results.sections), "")
            yield f"Pooled verdicts were declared, but the direct ones decide: {why.rstrip('.')}."
        return
    ties = " with Davidson's term for ties" if any(one.model == "davidson" for one in found) else ""
    people = " and ".join(f"{one.annotators:,}" for one in found if one.annotators is not None)
    decides = all(one.decides for one in found)
    yield (
        f"{'' if decides else 'Beside the matchups, '}Bradley–Terry strengths{ties} were fitted to all "
        "judgments together (ridge 0.01), with cluster-robust standard errors by "
        f"annotator{f' ({people})' if people else ''} and, "
        "where dialogues repeat, by dialogue. All pairs were compared by a step-down procedure (Tukey's "
        "range and Bonferroni's bound on p-values of Student's t); rank sets come from the simultaneous "
        "intervals of its first step."
    )
    if any(one.sides is not None and one.sides.is_uneven for own in results.sections for one in own.matchups):
        yield "As sides were not balanced in every matchup, strengths were freed of the effect of the side."
    if decides:
        yield (
            "Win rates are those that the strengths expect; their intervals hold for all pairs together, at "
            "the level at which the procedure decided, and the unadjusted ones are given beside them."
        )
    yield _which_decides(results, found)


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
