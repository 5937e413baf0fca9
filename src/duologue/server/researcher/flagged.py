"""What screening has flagged so far, for the researcher."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.screening import FLAG_RULES
from duologue.server.site import Site
from duologue.store import count_flags


@dataclass(frozen=True, slots=True)
class FlagSoFar:
    """A screening rule that has flagged judgments."""

    rule: str
    meaning: str
    judgments: int
    excludes: bool
    """Whether the study excludes what it flags."""


def flagged_so_far(site: Site) -> tuple[FlagSoFar, ...]:
    """The rules that have flagged something, the one with most judgments first."""
    excluding = site.study.file.screening.exclude
    found = [
        FlagSoFar(rule, FLAG_RULES.get(rule, rule), judgments, rule in excluding)
        for rule, judgments in site.store.run(count_flags()).items()
    ]
    return tuple(sorted(found, key=lambda flag: (-flag.judgments, flag.rule)))
