"""What is said over several arms or questions: the verdicts of each, and once the warnings they share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from duologue.protocols import Outcome, say_count, say_list

MOST_NAMED = 3
"""So many bots are named with those they are better than; of more differences only the number is said."""


@dataclass(frozen=True, slots=True)
class PartSummary:
    """What was found in one arm, for one question."""

    part: str
    verdict: str


def summarise_parts(outcomes: Iterable[Outcome]) -> tuple[PartSummary, ...]:
    """The verdicts of each arm and question; nothing where there is only one.

    Example:
        >>> one = Outcome("arm x", "ann", "bob", 50, 0.7, None, "ann", has_verdict=True)
        >>> other = Outcome("arm y", "ann", "bob", 50, 0.5, None, None, has_verdict=True)
        >>> [f"{row.part}: {row.verdict}" for row in summarise_parts([one, other])]
        ['arm x: ann is better than bob.', 'arm y: No difference detected between ann and bob.']
    """
    parts: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        parts[one.part].append(one)
    if len(parts) < 2:
        return ()
    return tuple(PartSummary(part, " ".join(_sentences(found))) for part, found in parts.items())


def _sentences(found: Sequence[Outcome]) -> Iterator[str]:
    """What was found, in the order: differences, none, no verdict."""
    worse: defaultdict[str, list[str]] = defaultdict(list)
    for one in found:
        if one.better:
            worse[one.better].append(one.second if one.better == one.first else one.first)
    ranked = sorted(worse.items(), key=lambda item: (-len(item[1]), item[0]))
    if ranked:
        said = [f"{bot} is better than {say_list(beaten)}" for bot, beaten in ranked[:MOST_NAMED]]
        more = sum(len(beaten) for _, beaten in ranked[MOST_NAMED:])
        yield "; ".join([*said, *([say_count(more, "more difference")] if more else [])]) + "."
    kinds = (
        ("No difference detected", [one for one in found if one.said == "no difference detected"]),
        ("Not decided", [one for one in found if one.said == "not decided"]),
        ("No verdict", [one for one in found if one.said == "no verdict"]),
    )
    for kind, those in kinds:
        if len(those) == 1:
            yield f"{kind} between {those[0].first} and {those[0].second}."
        elif those:
            some = "any" if len(those) == len(found) else len(those)
            yield f"{kind} in {some} of {len(found)} comparisons."


class SectionWithWarnings(Protocol):
    """A section of results."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before its numbers."""


def shared_warnings(sections: Sequence[SectionWithWarnings]) -> dict[str, str]:
    """The warnings of more than one section, with the words that say in how many they stand."""
    counts = Counter(warning for section in sections for warning in dict.fromkeys(section.warnings))
    return {
        warning: f"warning (in {count} of {len(sections)} sections): {warning}"
        for warning, count in counts.items()
        if count > 1
    }


def own_warnings(section: SectionWithWarnings, shared: Iterable[str]) -> tuple[str, ...]:
    """The warnings of one section that were not said before."""
    said = frozenset(shared)
    return tuple(f"warning: {warning}" for warning in section.warnings if warning not in said)
