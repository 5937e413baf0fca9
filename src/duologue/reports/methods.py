"""What the methods paragraph of every protocol says alike."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from duologue.protocols import say_count
from duologue.reports.conduct import (
    say_material,
    say_meetings,
    say_participants,
    say_planned_before,
    say_sensitivities,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from duologue.protocols import Conduct
    from duologue.reports.base import Results
    from duologue.studies import Study

FROM_A_FILE = "The judgments come from a file; how they were asked for is not known here."


def packages() -> dict[str, str]:
    """The packages that numbers depend on, and their versions."""
    return {name: version(name) for name in ("numpy", "scipy")}


def analysed_with(results: Results) -> list[str]:
    """The sentence that names the software and the seed; none when that is not known."""
    made = results.provenance
    if made is None:
        return []
    of = ", ".join(f"{name} {number}" for name, number in made.packages.items())
    return [f"Analysed with Duologue {made.duologue} ({of}), seed {results.seed}."]


def judged_material(results: Results, *, group: str = "") -> list[str]:
    """What was judged, and how often one annotator met the same bot, as the judgments show.

    Args:
        results: The results.
        group: What a group of judgments is called, where it is not a bot.
    """
    conduct = results.conduct
    if conduct is None:
        return []
    said = [say_material(conduct.material), say_meetings(conduct.meetings, group=group)]
    alike = (warning for warning in results.warnings if "near-identical" in warning)
    return [sentence for sentence in (*said, *alike) if sentence]


def took_part(results: Results) -> list[str]:
    """Who took part, and what was excluded by hand with what effect."""
    conduct = results.conduct
    if conduct is None:
        return []
    said = [say_participants(conduct.participants), *conduct.flag_sentences, conduct.by_hand_sentence]
    return [*said, *say_sensitivities(conduct.sensitivities)]


def planned_before(results: Results) -> list[str]:
    """What was planned before the first judgment, every deviation, and the looks."""
    return [] if results.conduct is None else list(say_planned_before(results.conduct))


def attention_checks(study: Study, results: Results) -> list[str]:
    """Where attention checks came, and what failing them did; nothing where nobody met one."""
    found, conduct = study.file.attention, results.conduct
    met = None if conduct is None else conduct.attention
    if not found.is_on or (conduct is not None and met is None):
        return []
    where = f"one among every {found.every} items" if found.every else f"{found.per_sitting} in each sitting"
    checks = "" if found.min_checks == 1 else f", of at least {found.min_checks},"
    does = "were excluded" if found.on_fail == "exclude" else "were flagged, and count"
    right = "right of those that they did not skip" if study.caps.skips else "of them right"
    said = [
        f"Attention checks with a known answer came among the items ({where}), and do not count; annotators "
        f"with fewer than {100 * found.threshold:g} % {right}{checks} {does}."
    ]
    if found.stop_after:
        were = "was" if found.stop_after == 1 else "were"
        happened = "" if met is None else f", which happened to {say_count(met.stopped, 'annotator')}"
        said.append(f"A sitting ended early when {found.stop_after} of them {were} not right{happened}.")
    return said


def _changed(results: Results) -> list[str]:
    """That other judgments were asked for in another way, where a study was changed between them."""
    revisions = {getattr(section, "revision", 1) for section in getattr(results, "sections", ())}
    if len(revisions) < 2:
        return []
    return [
        "The study was changed after its first judgment: it is described here as its file is now, and "
        "earlier judgments were asked for in another way. Each of its revisions is analysed by itself."
    ]


def asked_besides(results: Results, study: Study) -> list[str]:
    """What was changed, asked again or skipped, the time there was, and what was said only afterwards.

    Each only where the study has it.
    """
    from duologue.studies import planned_items

    caps, said = study.caps, _changed(results)
    if caps.repeat:
        are_compared = any(len(item.dialogues) > 1 for item in planned_items(study))
        turned = ", in the reverse order and" if are_compared else ""
        said.append(
            f"At the end {100 * caps.repeat:g} % of what an annotator had judged, rounded, came a second "
            f"time{turned} with at least {caps.repeat_after} others in between; second answers are in no "
            "verdict."
        )
    if caps.judged_twice:
        said.append(
            f"A second annotator judged {100 * caps.judged_twice:g} % of the items too; these judgments are "
            "in no verdict."
        )
    if caps.sitting_seconds is not None:
        said.append(f"Annotators had {caps.sitting_seconds / 60:g} minutes.")
    if caps.item_seconds is not None:
        said.append(
            f"An item that took longer than {caps.item_seconds:g} s was taken back and does not count."
        )
    if caps.skips:
        may = f"Each annotator could skip up to {say_count(caps.skips, 'item')}"
        said.append(f"{may}; {_skipped(results.conduct)}." if results.conduct else f"{may}.")
    if study.file.consent.deception:
        approval = study.file.consent.approval.strip().rstrip(".")
        said.append(
            "Annotators were not told beforehand that they might meet computer programs (deception, "
            f"approved: {approval}); whoever came to an end read a debriefing there."
        )
    return said


def _skipped(conduct: Conduct) -> str:
    if conduct.skips is None:
        return "nobody did"
    people = say_count(conduct.skips.annotators, "annotator")
    return f"{people} skipped {say_count(conduct.skips.skipped, 'item')}"


def recruited(study: Study) -> str:
    """How the people were found, in the words of the study; without them no population is claimed."""
    stated = study.file.annotators.recruited.strip()
    if not stated:
        return (
            "How annotators were recruited is not stated: nothing is claimed of people other than those who "
            "took part."
        )
    return f"Recruitment of annotators, as the study states it: {stated.rstrip('.')}."


def why_so_many(
    results: Results, *, of: str, gap: str, is_worked_out: bool, numbers: Collection[int] = ()
) -> list[str]:
    """Why so many judgments were planned, by the plan that was frozen; nothing where none was.

    Args:
        results: The results.
        of: What has so many, such as a matchup.
        gap: The planned gap in words.
        is_worked_out: Whether the number is the one that the program works out for the gap.
        numbers: How many each has, where that is not how many each group of the plan has.
    """
    plan = None if results.conduct is None else results.conduct.plan
    if plan is None or not plan.numbers:
        return []
    found = sorted(numbers or {one.planned for one in plan.numbers})
    many = f"{found[0]:,}" if found[0] == found[-1] else f"{found[0]:,} to {found[-1]:,}"
    power = f"{100 * plan.power:g} % power at alpha = {plan.alpha:g}"
    if is_worked_out:
        why = (
            f"was worked out beforehand, to find {gap} with {power}, when judgments that share an annotator "
            f"or a dialogue correlate by {plan.icc:g}"
        )
    else:
        why = (
            f"was fixed in the plan, which states {gap}, {power}, and a correlation of {plan.icc:g} of "
            "judgments that share an annotator or a dialogue"
        )
    stops = "Collecting was to stop at this number."
    if plan.stopping == "sequential":
        stops = "Collecting could stop earlier, as soon as the sequential test allowed it."
    return [f"The number of judgments ({many} for each {of}) {why}.", stops]


def interim_looks(warnings: Iterable[str]) -> list[str]:
    """The warnings that planned judgments are missing, each once: a reader must know this."""
    return list(dict.fromkeys(warning for warning in warnings if "interim look" in warning))


def software_citation(results: Results) -> str:
    """How to cite the program."""
    number = f" {results.provenance.duologue}" if results.provenance else ""
    return f"Duologue{number}: evaluation of dialogue systems by people. Computer program, Apache-2.0."
