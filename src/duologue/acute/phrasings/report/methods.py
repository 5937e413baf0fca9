"""The methods paragraph of a study of phrasings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.acute.analysis.separating import say_how_ranked
from duologue.acute.settings import AcuteSettings
from duologue.protocols import say_count
from duologue.reports import (
    FROM_A_FILE,
    analysed_with,
    asked_besides,
    attention_checks,
    interim_looks,
    planned_before,
    recruited,
    say_collected,
    took_part,
)

if TYPE_CHECKING:
    from duologue.acute import AcuteResults
    from duologue.acute.phrasings.results import PhrasingStudyResults
    from duologue.studies import Study


def phrasings_paragraph(results: AcuteResults, found: PhrasingStudyResults, study: Study | None) -> str:
    """How phrasings were asked, screened and compared, in sentences for a paper."""
    said = [*_asked(study), found.scope]
    if study is not None:
        said += [*asked_besides(results, study), *attention_checks(study, results), recruited(study)]
        said += took_part(results)
    said += [_collected(found), *_tested(results, found)]
    said.append(say_how_ranked(results.questions))
    said += planned_before(results)
    said += interim_looks(note for axis in found.axes for note in axis.notes)
    said += analysed_with(results)
    return " ".join(filter(None, said))


def _asked(study: Study | None) -> list[str]:
    if study is None or not isinstance(study.settings, AcuteSettings):
        return [FROM_A_FILE]
    settings, caps = study.settings, study.caps
    phrasings = "; ".join(
        f"of {axis}, " + ", ".join(f"“{arm.resolved().text}” ({arm.name})" for arm in arms)
        for axis, arms in settings.axes.items()
    )
    seen = "one phrasing"
    if caps.arms_per_annotator > 1:
        seen = "one phrasing of each axis, axes in a balanced order"
    return [
        "Question optimisation (Li et al., 2019): annotators read two whole dialogues side by side, one "
        "judged speaker highlighted in each, without knowing which bots spoke, and answered one of several "
        f"phrasings of a question: {phrasings}. Each phrasing was to be answered by "
        f"{say_count(caps.judgments_per_item, 'annotator')} about each pair; one annotator saw {seen}. Sides "
        "were randomised."
    ]


def _collected(found: PhrasingStudyResults) -> str:
    return say_collected(
        "",
        collected=found.collected,
        onboarding=found.onboarding,
        rules=found.rules,
        counted=f"{found.counted:,}",
    )


def _tested(results: AcuteResults, found: PhrasingStudyResults) -> list[str]:
    several = any(len(one.pairs) > 1 for axis in found.axes for one in axis.phrasings)
    said = [
        "Agreement is the share of judgments that give the most chosen answer of their pair, with Wilson's "
        f"{100 * results.level:g} % interval; it is biased upwards in small samples (coin-flippers agree "
        "more than half of the time), so that phrasings were ranked by the lower end of the interval.",
        found.family,
        "The first phrasing of an axis was compared with the second by the two-proportion z-test of their "
        "shares of the most chosen answer.",
    ]
    if several:
        said.append(
            "Over several pairs the exact test is that of the sum of their folded binomial counts; where "
            "annotators judged several pairs, intervals are joined with those clustered by annotator, and "
            "the larger p-value decides. Krippendorff's alpha (nominal) has a bootstrap interval over pairs."
        )
    return said
