"""What the methods paragraph of every protocol says alike."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from duologue.protocols import say_count
from duologue.reports.conduct import (
    say_material,
    say_meetings,
    say_participants,
    say_preregistered,
    say_sensitivities,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    return [sentence for sentence in said if sentence]


def attention_rule(study: Study, results: Results) -> list[str]:
    """How many attention checks there were, and who was excluded by them; nothing where nobody met one."""
    attention, conduct = study.file.attention, results.conduct
    if conduct is None or conduct.attention is None:
        return []
    where = f"{attention.per_sitting} in a sitting"
    if attention.every is not None:
        where = f"one in every {attention.every} items"
    least = "1 check" if attention.min_checks == 1 else f"{attention.min_checks} checks"
    does = "were excluded" if attention.on_fail == "exclude" else "were only shown to the researcher"
    return [
        f"Attention checks came among the other items ({where}); they have a known answer and do not count. "
        f"Annotators with fewer than {100 * attention.threshold:g} % of at least {least} right {does}."
    ]


def conditions(study: Study) -> list[str]:
    """What annotators were asked twice, what they could skip, and what they were told only afterwards."""
    caps, consent, said = study.caps, study.file.consent, []
    if caps.repeat:
        said.append(
            f"At the end {100 * caps.repeat:g} % of what an annotator had judged came a second time; the "
            "second answers do not count."
        )
    if caps.skips:
        said.append(f"An annotator could skip up to {say_count(caps.skips, 'item')}.")
    if consent.deception:
        said.append(
            "Annotators were not told beforehand that they might meet computer programs (deception, "
            f"approved: {consent.approval.strip().rstrip('.')}), and read a debriefing at the end."
        )
    return said


def took_part(results: Results) -> list[str]:
    """Who took part, and what was excluded by hand with what effect."""
    conduct = results.conduct
    if conduct is None:
        return []
    said = [say_participants(conduct.participants), *conduct.flag_sentences, conduct.by_hand_sentence]
    return [*said, *say_sensitivities(conduct.sensitivities)]


def planned_before(results: Results) -> list[str]:
    """What was preregistered, every deviation, and the looks."""
    return [] if results.conduct is None else list(say_preregistered(results.conduct))


def recruited(study: Study) -> str:
    """How the people were found, in the words of the study; without them no population is claimed."""
    stated = study.file.annotators.recruited.strip()
    if not stated:
        return (
            "How annotators were recruited is not stated: nothing is claimed of people other than those who "
            "took part."
        )
    return f"Recruitment of annotators, as the study states it: {stated.rstrip('.')}."


def why_so_many(results: Results, *, of: str, gap: str, is_worked_out: bool) -> list[str]:
    """Why so many judgments were planned, by the plan that was frozen; nothing where none was.

    Args:
        results: The results.
        of: What has so many, such as a matchup.
        gap: The planned gap in words.
        is_worked_out: Whether the number is the one that the program works out for the gap.
    """
    plan = None if results.conduct is None else results.conduct.plan
    if plan is None or not plan.numbers:
        return []
    numbers = sorted({one.planned for one in plan.numbers})
    many = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
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
