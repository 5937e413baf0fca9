"""Looking a study over before anybody is paid: what is wrong, and what is only odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from duologue.errors import DuologueError
from duologue.studies.design import StudyCheck, design_of
from duologue.studies.drawing import planned_items
from duologue.studies.load import read_study
from duologue.studies.model import Study
from duologue.studies.texts import contradictions


def check_study(folder: Path | str) -> StudyCheck:
    """Everything that is wrong or odd about a study: its file, its dialogues, its items.

    Raises:
        StudyNotFound: There is no study.toml.
    """
    study, problems = read_study(folder)
    if study is None:
        return StudyCheck(tuple(str(problem) for problem in problems))
    false: tuple[str, ...] = ()
    try:
        false = tuple(map(str, contradictions(study)))
        found = design_of(study).check(study)
        wrong = (*_factors(study), *false, *found.problems)
        odd = (*found.warnings, *_attention(study), *_debriefed(study), *_twice(study), *odd_cohorts(study))
        return StudyCheck(wrong, odd)
    except DuologueError as error:
        return StudyCheck((*false, str(error)))


def _factors(study: Study) -> list[str]:
    """One arm of each factor is asked for, and arms have none."""
    without = [arm.name for arm in study.arms if not arm.factor]
    if not without or not study.caps.one_per_factor:
        return []
    return [
        '[arms] per_annotator = "one-per-factor": the arms of this study are not versions of several things '
        f'({without[0]!r} has no factor). Set "one" or "each".'
    ]


def _attention(study: Study) -> list[str]:
    """What is odd about the attention checks of a study."""
    if not study.caps.attention.is_on:
        return []
    if any(item.role == "attention" for item in planned_items(study)):
        return []
    return [
        "[attention] asks for attention checks, and no item has the role attention: there will be none. "
        "docs/attention.md says how to make some."
    ]


def _debriefed(study: Study) -> Iterator[str]:
    """Who learns at the end that they were not told everything has somebody to tell what they want."""
    if study.file.consent.deception and not study.file.consent.contact:
        yield (
            "[consent] deception = true and contact is empty: who does not want you to use their answers "
            "cannot tell you. Set contact."
        )


def odd_onboarding(study: Study) -> list[str]:
    """What is odd about onboarding that the study file asks for, where its protocol makes no items for it.

    Raises:
        DesignError: Items cannot be drawn.
    """
    onboarding = study.file.onboarding
    if not onboarding.enabled or "enabled" not in onboarding.model_fields_set:
        return []
    if any(item.is_onboarding for item in planned_items(study)):
        return []
    return [
        "[onboarding] is enabled, and no item has a known answer: nobody will be screened. Set "
        "enabled = false."
    ]


def _twice(study: Study) -> Iterator[str]:
    """Why nothing is judged twice, where the study asks for it."""
    if study.why_not_twice:
        yield f"[annotators] judged_twice: {study.why_not_twice}. Leave it out."
    elif study.caps.judged_twice:
        groups = Counter(item.group for item in planned_items(study) if item.is_judged)
        if groups and not study.caps.second_judgments_of(groups):
            yield (
                f"[annotators] judged_twice: {100 * study.caps.judged_twice:g} % of the items of any group "
                "is less than one, so nothing is judged twice."
            )


def odd_cohorts(study: Study) -> Iterator[str]:
    """Cohorts that somebody can miss, and then gets no work."""
    caps, asked = study.caps, study.file.annotators.cohort_from
    if caps.items_of:
        there = sum(1 for item in planned_items(study) if item.is_judged)
        for cohort, wanted in caps.items_of.items():
            if wanted > there:
                yield f"{cohort} is to judge {wanted:,} items, and there are {there:,}: they judge them all."
    if not asked or not caps.copies or "" in caps.copies:
        return
    form, _, name = asked.partition(".")
    question = study.form(form).question(name)
    assert question is not None  # noqa: S101  the study file was checked
    taken = {answer for cohort in study.file.cohorts for answer in cohort.answers}
    left = [choice for choice in question.choices if choice not in taken]
    if left:
        yield (
            f"who answers {left[0]!r} to {asked} belongs to no cohort and gets no work. Add the answer to "
            "one of the [[cohorts]], or a cohort that shares the places of all others."
        )
    if not question.required:
        yield (
            f"who leaves out {asked} belongs to no cohort and gets no work. Set required = true on the "
            "question."
        )
