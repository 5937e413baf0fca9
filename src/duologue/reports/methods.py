"""What the methods paragraph of every protocol says alike."""

from __future__ import annotations

from duologue.reports.base import Results

FROM_A_FILE = "The judgments come from a file; how they were asked for is not known here."


def analysed_with(results: Results) -> list[str]:
    """The sentence that names the software and the seed; none when that is not known."""
    made = results.provenance
    if made is None:
        return []
    packages = ", ".join(f"{name} {number}" for name, number in made.packages.items())
    return [f"Analysed with Duologue {made.duologue} ({packages}), seed {results.seed}."]


def software_citation(results: Results) -> str:
    """How to cite the program."""
    number = f" {results.provenance.duologue}" if results.provenance else ""
    return f"Duologue{number}: evaluation of dialogue systems by people. Computer program, Apache-2.0."
