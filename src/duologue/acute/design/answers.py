"""Planning one of two, a preference on four points, and a ranking of three beside each other."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import get_args

from duologue.acute.options import AcutePlanOptions
from duologue.acute.ranking.answers import SLOTS
from duologue.errors import DesignError
from duologue.stats import AnswerKind, Design, ForcedChoice, GradedChoice
from duologue.strict_json import read_json
from duologue.studies import PlannedDesign, PlanRequest, Study, level_of_each_test

AT_A_TIME: Mapping[str, int] = {"choice": 1, "graded": 1, "ranking": 3}
"""Judgments of two in one answer."""

READ: Mapping[str, int] = {"choice": 2, "graded": 2, "ranking": SLOTS}
"""Dialogues that are read for one answer."""

MEASURED = "the median of this study"
"""Where seconds come from that its people took."""

SECONDS = 60.0
"""What a comparison of two takes, unless that is stated or was measured."""


def asked_of(request: PlanRequest) -> AcutePlanOptions:
    """What only plans of comparisons are asked for."""
    return request.options_as(AcutePlanOptions)


def answer_of(request: PlanRequest) -> AnswerKind:
    """What is answered; one of two where nothing is said.

    Raises:
        DesignError: Three parallel chats are to be ranked.
    """
    asked = asked_of(request)
    if asked.answer == "ranking" and asked.collect == "parallel":
        raise DesignError("three parallel chats cannot be ranked: leave --answer or --collect out.")
    return asked.answer or "choice"


def usual_seconds(answer: AnswerKind) -> float:
    """What an answer takes: as long as its dialogues take to read."""
    return SECONDS * READ[answer] / READ["choice"]


def comparisons_each(filled: PlanRequest) -> int:
    """How many judgments of two one annotator gives."""
    return (filled.per_annotator or 1) * AT_A_TIME[answer_of(filled)]


def direct_design(filled: PlanRequest) -> Design:
    """The test of a matchup by its own judgments."""
    level = level_of_each_test(filled)
    is_graded = answer_of(filled) == "graded"
    return GradedChoice(alpha=level) if is_graded else ForcedChoice(alpha=level, test=filled.test or "exact")


def as_asked(planned: PlannedDesign) -> PlannedDesign:
    """A design that was worked out for one of two, with what another answer changes."""
    filled, answer = planned.request, answer_of(planned.request)
    if asked_of(filled).collect == "parallel":
        return planned
    is_direct = asked_of(filled).verdicts == "direct"
    seconds = tuple(_say_seconds(filled, answer))
    planned = dataclasses.replace(
        planned,
        read_at_a_time=READ[answer],
        notes=(*planned.notes, *_notes(answer)),
        comparison_notes=seconds,
    )
    if answer == "choice":
        return _of_graded_study(planned)
    each = max(1.0, comparisons_each(filled) / (filled.matchups or 1))
    return dataclasses.replace(
        planned,
        design=direct_design(filled) if is_direct else planned.design,
        at_a_time=AT_A_TIME[answer],
        cluster_size=each if is_direct else planned.cluster_size,
        can_stop_early=False,
        alternatives=planned.alternatives if answer == "ranking" else (),
    )


def _of_graded_study(planned: PlannedDesign) -> PlannedDesign:
    """A design for a choice, with what is to be said of it where the study's answers are graded."""
    asked = asked_of(planned.request)
    if asked.answer or not asked.is_graded:
        return planned
    note = (
        "the study's answers are graded, and this is the number for a choice between two bots, as "
        'per_matchup = "plan" takes it. Graded answers usually need fewer, so it is on the safe side. The '
        "analysis does not use the test above, it tests mean scores. --answer graded says what a model of "
        "graded answers needs."
    )
    return dataclasses.replace(planned, notes=(*planned.notes, note))


def _notes(answer: AnswerKind) -> Iterator[str]:
    if answer == "graded":
        yield (
            "how far answers are spread over the four points is taken from a model: half of those about "
            "equal bots are clear ones. Where a choice between two needs 100 judgments, published answers "
            'needed 71 to 88, and the model says 82 for small gaps. per_matchup = "plan" takes the number '
            "for a choice, which is on the safe side."
        )
    if answer == "ranking":
        yield (
            "a ranking gives three judgments, one in each of three matchups. Pooled, they are worth as much "
            "as 2.25 independent ones."
        )


def _say_seconds(filled: PlanRequest, answer: AnswerKind) -> Iterator[str]:
    if filled.seconds is not None and filled.seconds_from:
        yield f"Seconds: {filled.seconds:.0f} for {_SAID[answer]}, {filled.seconds_from}."


_SAID: Mapping[str, str] = {
    "choice": "a comparison of two",
    "graded": "a graded comparison",
    "ranking": "a ranking of three",
}


def compared_answers(request: PlanRequest, *, bots: int | None) -> tuple[PlanRequest, ...]:
    """Every answer by direct and by pooled verdicts, for the same gap, with as much reading for everybody.

    What the study has measured says how long an answer takes; what it has not is estimated from that by the
    dialogues that are read, as is pay.

    Args:
        request: What is asked for.
        bots: How many bots meet each other; None where they do not all meet, or are fewer than three.
    """
    own = answer_of(request)
    kinds = [
        (answer, verdicts)
        for answer in get_args(AnswerKind)
        for verdicts in ("direct", "pooled")
        if bots is not None or (answer != "ranking" and verdicts == "direct")
    ]
    return tuple(_request(request, own, answer, verdicts) for answer, verdicts in kinds)


def _request(request: PlanRequest, own: AnswerKind, answer: AnswerKind, verdicts: str) -> PlanRequest:
    more = READ[answer] / READ[own]
    seconds, source = _seconds(request, own, answer)
    each = request.per_annotator
    return dataclasses.replace(
        request,
        options=asked_of(request).model_copy(update={"answer": answer, "verdicts": verdicts}),
        seconds=seconds,
        seconds_from=source,
        pay=None if request.pay is None else request.pay * more,
        per_annotator=None if each is None else max(1, math.floor(each / more + 0.5)),
        judgments=None,
        budget=None,
    )


def _seconds(request: PlanRequest, own: AnswerKind, answer: AnswerKind) -> tuple[float | None, str]:
    """What another answer takes, and where that comes from; what was stated goes before what was measured."""
    is_stated = request.seconds is not None and not request.seconds_from
    measured = {} if is_stated else dict(asked_of(request).measured)
    if answer in measured:
        return measured[answer], MEASURED
    if measured:
        other, seconds = next(iter(measured.items()))
        return seconds * READ[answer] / READ[other], ""
    if request.seconds is None:
        return None, ""
    return request.seconds * READ[answer] / READ[own], request.seconds_from if answer == own else ""


def measured_seconds(study: Study) -> tuple[tuple[str, float], ...]:
    """Median seconds of an answer by what was answered, as the study's last analysis has them.

    Less than a second is nobody's reading, and is left out.
    """
    path = study.folder / "results.json"
    try:
        sections = read_json(path.read_text(encoding="utf-8"))["sections"]
        found = dict(item for section in sections for item in _times(section).items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()  # it was not analysed yet, or by another version
    own = getattr(study.settings, "answer", "choice")
    return tuple(
        (kind or own, seconds) for kind, seconds in found.items() if seconds is not None and seconds >= 1
    )


def _times(section: Mapping[str, Mapping[str, float | None] | None]) -> dict[str, float | None]:
    """By what was answered; empty for what the study asks."""
    rankings, time = section.get("rankings"), section.get("time")
    if rankings:
        return {"ranking": rankings["ranking_seconds"], "choice": rankings["comparison_seconds"]}
    return {"": time["median_seconds"]} if time else {}
