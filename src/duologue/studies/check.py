"""Looking a study over before anybody is paid: what is wrong, and what is only odd."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from duologue.errors import DuologueError
from duologue.protocols import StudyProtocol
from duologue.studies.design import StudyCheck, design_of
from duologue.studies.drawing import planned_items
from duologue.studies.load import read_study
from duologue.studies.model import Study
from duologue.studies.planning.besides import items_of_a_sitting
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
        wrong = (
            *_factors(study),
            *_duration(study),
            *_stopping(study),
            *_unknown_answers(study),
            *false,
            *found.problems,
        )
        odd = (
            *found.warnings,
            *_attention(study),
            *_debriefed(study),
            *_twice(study),
            *odd_cohorts(study),
            *_pay(study),
        )
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


_MINUTES = re.compile(r"(\d+)\s*min", re.IGNORECASE)


def _duration(study: Study) -> Iterator[str]:
    """A duration on the consent page that is longer than a sitting may take."""
    said, limit = study.file.consent.duration, study.file.annotators.sitting_minutes
    if limit is not None and any(int(minutes) > limit for minutes in _MINUTES.findall(said)):
        yield (
            f'[consent] duration says "{said}", and a sitting ends after {limit:g} minutes (sitting_minutes '
            "in [annotators]). Change one of them, or leave duration out."
        )


def _stopping(study: Study) -> Iterator[str]:
    """Sequential stopping, where the protocol decides by the same test as without it."""
    rules = study.protocol.rules
    if study.file.stopping.rule == "sequential" and rules(stopping="sequential") == rules(stopping="fixed"):
        yield (
            f"[stopping] rule: {study.protocol.name} has no sequential test here: verdicts need a fixed "
            'number of judgments. Set rule = "fixed".'
        )


def _unknown_answers(study: Study) -> Iterator[str]:
    """Attention checks to which no answer can be wrong."""
    if not study.caps.attention.is_on:
        return
    checks = [item for item in planned_items(study) if item.role == "attention"]
    if checks and type(study.protocol).is_correct is StudyProtocol.is_correct:
        yield f"[attention]: {study.protocol.name} has no right answers, and so no attention checks."
    elif unknown := [item.id for item in checks if item.gold is None]:
        yield (
            f"{study.items_path.name}: attention check {unknown[0]} has no gold, so that no answer would be "
            "wrong. docs/attention.md says how to write one."
        )


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


_ONE_SUM = re.compile(r"[^\W\d_]{0,3}\W?\s*(\d+(?:[.,]\d{1,2})?)\s*(?:[^\W\d_]{3}|[^\w\s])?\.?")
"""A sum of money and nothing else: "2.00 USD", "$2"; what is paid by the hour, say, is left to the reader."""


def _pay(study: Study) -> Iterator[str]:
    """A sum on the consent page that is not what the items of a sitting are paid."""
    pay, said = study.file.pay, study.file.consent.pay.strip()
    stated = _ONE_SUM.fullmatch(said)
    items = items_of_a_sitting(study) if stated and pay.per_judgment else None
    if not stated or items is None:
        return
    paid = items * pay.per_judgment
    if abs(float(stated[1].replace(",", ".")) - paid) >= 0.01:
        yield (
            f'[consent] pay says "{said}", and {items} items at {pay.per_judgment:g} (per_judgment in [pay], '
            f"checks and repeated items included) are {paid:,.2f} {pay.currency}. Change one of them, or say "
            "in words what the pay is for."
        )


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
