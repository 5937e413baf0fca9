"""What the methods paragraph of every protocol says alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

FROM_A_FILE = "The judgments come from a file; how they were asked for is not known here."


def analysed_with(results: Results) -> list[str]:
    """The sentence that names the software and the seed; none when that is not known."""
    made = results.provenance
    if made is None:
        return []
    packages = ", ".join(f"{name} {number}" for name, number in made.packages.items())
    return [f"Analysed with Duologue {made.duologue} ({packages}), seed {results.seed}."]


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


def interim_looks(warnings: Iterable[str]) -> list[str]:
    """The warnings that planned judgments are missing, each once: a reader must know this."""
    return list(dict.fromkeys(warning for warning in warnings if "interim look" in warning))


def software_citation(results: Results) -> str:
    """How to cite the program."""
    number = f" {results.provenance.duologue}" if results.provenance else ""
    return f"Duologue{number}: evaluation of dialogue systems by people. Computer program, Apache-2.0."
