"""What will happen in a study, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from duologue.protocols import say_list
from duologue.studies.design import design_of
from duologue.studies.drawing import planned_items
from duologue.studies.model import Study
from duologue.studies.planning.besides import Besides, has_blocks, roles_of
from duologue.studies.planning.timing import Seconds, seconds_of_judgment

NOTHING = Besides()
"""Where nothing is asked beside judgments."""


def describe_study(study: Study) -> str:
    """What will happen when the study is served: who is compared, how, how often, and what it costs."""
    design = design_of(study)
    lines = [f"{study.name}: {study.heading.title}", "", *design.describe(study)]
    return "\n".join([*lines, *rules_of(study, design.noun_of(study))])


def time_and_cost(study: Study, judgments: int, *, what: str, besides: Besides = NOTHING) -> list[str]:
    """How many hours so many judgments take, and what they cost, for the description of a study.

    Args:
        study: The study: its words or measured seconds, and its pay for a judgment.
        judgments: How many there will be.
        what: What one of them is called.
        besides: What annotators are asked beside them, which takes as long and is paid alike.
    """
    pay = study.file.pay
    takes = seconds_of_judgment(study) or Seconds(60.0, "a guess: set seconds_per_judgment in [pay]")
    asked = judgments + besides.total
    hours = asked * takes.seconds / 3600
    each = _with_article(what)
    source = f" ({takes.because})" if takes.because else ""
    takes_each = f"{round(takes.seconds):g} s {each}{source}{besides.included}"
    time = f"Time: about {hours:,.1f} person-hours at {takes_each}."
    if not pay.per_judgment:
        return [time, "Cost: nothing is paid; set per_judgment in [pay] to price the study."]
    cost = f"{asked * pay.per_judgment:,.2f} {pay.currency}"
    return [time, f"Cost: {cost} at {pay.per_judgment:g} {each}, platform fees apart."]


def rules_of(study: Study, noun: str) -> list[str]:
    """What is the same for every protocol: leases, links, consent, forms, exclusions, when results show."""
    caps, file = study.caps, study.file
    one, minutes = _with_article(noun), f"{caps.lease_seconds / 60:g} minutes"
    lines = [f"{one.capitalize()} that is not finished is handed out again after {minutes}."]
    if has_blocks(study):
        lines = [
            f"Whoever does not finish {one} in {minutes} has left: their place, a whole sitting, is open to "
            "others again."
        ]
    lines.append(
        "Annotators are recruited via personal links"
        + (", or the open link." if file.annotators.open_link else ".")
    )
    lines += [*_consent(study), *_forms(study), *_cohorts(study), *_checks_and_deadlines(study)]
    if study.requires_reasons:
        lines.append("No answer is taken without a reason.")
    elif caps.excludes_without_reason:
        lines.append("Annotators who never give a reason are excluded when their sitting ends.")
    lines.append(
        "Results may be looked at while they come in."
        if file.stopping.rule == "sequential"
        else _when_results_show(study)
    )
    return lines


def _when_results_show(study: Study) -> str:
    """Where results are seen before the planned number of judgments is reached, and where not."""
    groups = {item.group for item in planned_items(study)}
    has_none = groups and all(study.protocol.rivals(group) is None for group in groups)
    pages = "show no win rates" + ("" if has_none else " before the planned number is reached")
    commands = "`analyse` and `report` show results at any time, and record each look"
    return f"The researcher's pages {pages}; {commands}."


def _with_article(noun: str) -> str:
    """The noun with a or an before it.

    Example:
        >>> _with_article("comparison"), _with_article("estimate")
        ('a comparison', 'an estimate')
    """
    return f"an {noun}" if noun[:1].lower() in set("aeiou") else f"a {noun}"


def _consent(study: Study) -> Iterator[str]:
    """What annotators are told before they agree, and what only afterwards."""
    consent = study.file.consent
    named = ("institution", "contact", "duration", "pay", "approval")
    stated = [name for name in named if getattr(consent, name).strip()]
    yield (
        f"Annotators are asked for consent first; [consent] states {say_list(stated)}."
        if stated
        else "Annotators are asked for consent first; [consent] does not state who is responsible."
    )
    if consent.content_warning.strip():
        yield f"Content warning, before they agree: \u201c{consent.content_warning.strip()}\u201d"
    if consent.deception:
        yield (
            "Deception: annotators are told only at the end whether computer programs took part "
            f"(approval: {consent.approval.strip()})."
        )


def _forms(study: Study) -> Iterator[str]:
    for form in study.file.forms:
        moment = "before the first item" if form.when == "before" else "after the last item"
        questions = f"{len(form.questions)} question{'' if len(form.questions) == 1 else 's'}"
        yield f"Form “{form.title}” ({form.name}): {questions} about the annotator, {moment}."


def _cohorts(study: Study) -> Iterator[str]:
    cohorts, file = study.file.cohorts, study.file
    if not cohorts:
        return
    told = f"the answer to {file.annotators.cohort_from}, or " if file.annotators.cohort_from else ""
    listed = "; ".join(
        f"{one.name}, "
        + (
            "sharing the places of all others"
            if one.copies is None
            else f"{one.copies} of them for each {'item' if one.items is None else f'of {one.items:,} items'}"
        )
        for one in cohorts
    )
    yield f"Cohorts, by {told}the link: {listed}."
    if study.caps.copies and "" not in study.caps.copies:
        yield "Annotators of no cohort get no work."


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _checks_and_deadlines(study: Study) -> list[str]:
    """What the study says of attention checks, repeated items, deadlines and arms, where it does."""
    caps, attention, lines = study.caps, study.file.attention, []
    roles = roles_of(study)
    if attention.is_on and roles and not roles.get("attention"):
        lines.append("Attention checks: none, as no item has the role attention.")
    elif attention.is_on:
        where = (
            f"one in every {attention.every} items"
            if attention.every is not None
            else f"{attention.per_sitting} in a sitting"
        )
        does = "are excluded" if attention.on_fail == "exclude" else "are shown to you"
        lines.append(
            f"Attention checks: {where}, at random places; annotators with fewer than "
            f"{100 * attention.threshold:g} % right {does}. They are paid like any other item."
        )
        if attention.stop_after:
            lines.append(
                f"After {attention.stop_after} that {_are(attention.stop_after)} not right an annotator is "
                "thanked and stops there."
            )
    if caps.repeat:
        lines.append(
            f"At the end {100 * caps.repeat:g} % of what an annotator judged, rounded, comes a second time, "
            f"with at least {caps.repeat_after} others in between; the second answers are not counted."
        )
    if caps.judged_twice:
        lines.append(
            f"A second annotator judges {100 * caps.judged_twice:g} % of the items too, for agreement "
            "between annotators; no verdict counts the second judgments."
        )
    if caps.sitting_seconds is not None:
        lines.append(f"A sitting ends after {caps.sitting_seconds / 60:g} minutes.")
    if caps.item_seconds is not None:
        lines.append(
            f"An item that takes longer than {caps.item_seconds:g} s is taken back and does not count."
        )
    if caps.skips:
        many = caps.skips > 1
        skipped = f"up to {caps.skips} items" if many else "one item"
        nothing = f"nothing is judged in {'them, and they count' if many else 'it, and it counts'} as done."
        lines.append(f"Each annotator may skip {skipped}: {nothing}{_skipped_checks(study)}")
    if caps.sees_each_arm:
        lines.append(f"Every annotator goes through all {len(caps.arms)} arms, in a balanced order.")
    if caps.one_per_factor and caps.arms_per_annotator > 1:
        lines.append(
            f"Every annotator sees one arm of each of {caps.arms_per_annotator} factors "
            f"({', '.join(dict.fromkeys(caps.factors.values()))}), in a balanced order."
        )
    return lines


def _skipped_checks(study: Study) -> str:
    """What skipping an item with a known answer does, where there are such items."""
    roles, caps = roles_of(study), study.caps
    said = ""
    if caps.onboarding_comparisons and roles.get("onboarding"):
        said += " A skipped onboarding item counts as not right."
    if caps.attention.is_on and roles.get("attention"):
        said += " A skipped attention check counts as neither right nor wrong."
    return said
