"""What analyses of every protocol find alike: who judged, when, for how long, and what was excluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from duologue.protocols.conduct import CreditedGroup
from duologue.protocols.saying import say_count, say_seconds, say_work

Group = TypeVar("Group", bound=Hashable)


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Seconds a judgment took, and the person-hours all of them cost, onboarding and excluded ones too.

    Times that nobody can have spent on one judgment are counted and left out of both. Live chats that ended
    with credit cost person-hours too, and are no judgments.
    """

    median_seconds: float
    person_hours: float
    timed: int
    untimed: int
    median_of: int
    """How many judgments the median is of: those that count, or all where none does."""
    implausible: int = 0
    note: str = ""
    """Sentences about implausible times and chats that ended with credit; empty when there are none."""
    credited_hours: float = 0.0
    """Of the person-hours, those of live chats that ended with credit."""

    @property
    def sentence(self) -> str:
        """The median and the work, each with the judgments that it is of, and the note.

        Example:
            >>> TimeSpent(43.0, 1.0, 90, 2, median_of=90).sentence
            'The median judgment took 43 s; all 90 with a known time took 1.0 person-hours (2 without).'
            >>> print(TimeSpent(43.0, 1.0, 90, 0, median_of=48).sentence.replace("; ", ";\\n"))
            The median judgment of the 48 that count took 43 s;
            all 90 with a known time, whether they count or not, took 1.0 person-hours.
        """
        timed = self.timed - self.implausible
        counted, others = "", ""
        if self.median_of < timed:
            counted = f" of the {self.median_of:,} that count"
            others = ", whether they count or not,"
        said = f"The median judgment{counted} took {self.median}"
        if timed:
            said += f"; all {timed:,} with a known time{others} took {self.work}"
        missing = f" ({self.untimed:,} without)" if self.untimed else ""
        return f"{said}{missing}. {self.note}".rstrip()

    @property
    def median(self) -> str:
        """The median in words, also where it is less than a second.

        Example:
            >>> TimeSpent(34.6, 2.25, 270, 0, 270).median, TimeSpent(0.321, 0.04, 48, 0, 48).median
            ('35 s', '0.32 s')
        """
        return f"{say_seconds(self.median_seconds)} s"

    @property
    def work(self) -> str:
        """That of all judgments in words: hours, or minutes where the hours would be none.

        Example:
            >>> TimeSpent(30.0, 2.25, 270, 0, 270).work, TimeSpent(3.0, 0.04, 48, 0, 48).work
            ('2.2 person-hours', '2.4 person-minutes')
        """
        return say_work(self.person_hours - self.credited_hours)

    def with_credited(self, seconds: float) -> TimeSpent:
        """The same, with the time that annotators spent in live chats that ended with credit.

        Example:
            >>> spent = TimeSpent(30.0, 1.0, 120, 0, 120).with_credited(1800)
            >>> spent.person_hours, spent.credited_hours, spent.work
            (1.5, 0.5, '1.0 person-hours')
            >>> spent.note
            'Live chats that ended with credit took 0.5 person-hours more: 1.5 person-hours in all.'
        """
        more = seconds / 3600
        hours = self.person_hours + more
        said = f"Live chats that ended with credit took {say_work(more)} more: {say_work(hours)} in all."
        return replace(
            self,
            person_hours=hours,
            credited_hours=self.credited_hours + more,
            note=f"{self.note} {said}".lstrip(),
        )


LONGEST_SECONDS = 3600.0
"""Nobody works on one judgment for longer: a page was left open, or the column is not in seconds."""


def time_spent_on(seconds: NDArray[np.float64], counts: NDArray[np.bool_]) -> TimeSpent | None:
    """The median seconds of judgments that count, and the hours of all; None when no times are known.

    Example:
        >>> found = time_spent_on(np.array([30.0, 40.0, 86400.0]), np.array([True, True, True]))
        >>> found.median_seconds, found.note
        (35.0, '1 of 3 judgments took more than an hour (at most 24.0 hours) and is left out of the times.')
    """
    timed = ~np.isnan(seconds)
    if not timed.any():
        return None
    plausible = timed & ~(seconds > LONGEST_SECONDS)
    implausible = int(timed.sum() - plausible.sum())
    counted = counts & plausible
    chosen = next(rows for rows in (counted, plausible, timed) if rows.any())
    median = float(np.median(seconds[chosen]))
    return TimeSpent(
        median_seconds=median,
        median_of=int(chosen.sum()),
        person_hours=float(seconds[plausible].sum() / 3600),
        timed=int(timed.sum()),
        untimed=int((~timed).sum()),
        implausible=implausible,
        note=_say_implausible(implausible, int(timed.sum()), float(seconds[timed].max()))
        if implausible
        else _say_too_short(median, int(plausible.sum())),
    )


def time_with_credit(
    time: TimeSpent | None, arm: str, *, arms: Sequence[str], credited: Sequence[CreditedGroup]
) -> TimeSpent | None:
    """The time of a section together with that of the chats of its arm that ended with credit.

    Args:
        time: Of the judgments of the section.
        arm: Of the section.
        arms: Of all sections. Where several have the same, it is not known whose chats ended with credit.
        credited: The chats that did.
    """
    seconds = sum(one.seconds for one in credited if one.arm == arm)
    if time is None or not seconds or arms.count(arm) > 1:
        return time
    return time.with_credited(seconds)


SHORTEST_SECONDS = 1.0
"""Nobody reads and answers in less, in the median of at least this many judgments."""
FEWEST_TIMED = 20


def _say_too_short(median: float, timed: int) -> str:
    if median >= SHORTEST_SECONDS or timed < FEWEST_TIMED:
        return ""
    return f"Nobody can have read what was shown in {median:.2g} s, the median."


def _say_implausible(implausible: int, timed: int, longest: float) -> str:
    milliseconds = " Are these milliseconds?" if implausible > timed / 2 else ""
    return (
        f"{implausible:,} of {timed:,} judgments took more than an hour "
        f"(at most {longest / 3600:,.1f} hours) and "
        f"{'is' if implausible == 1 else 'are'} left out of the times.{milliseconds}"
    )


@dataclass(frozen=True, slots=True)
class RuleCount:
    """What one exclusion rule excluded."""

    rule: str
    judgments: int
    annotators: int


@dataclass(frozen=True, slots=True)
class AnnotatorCount:
    """How many of the judgments that count are one annotator's."""

    annotator: str
    judgments: int
    share: float


@dataclass(frozen=True, slots=True)
class Moment:
    """How many judgments counted by a time."""

    at: str
    judgments: int


CHANGES_NAMED = 5
"""Of more verdicts than this that exclusions change, so many are named."""


def say_exclusions(
    excluded: int, verdicts: int, changes: Sequence[str], open_ones: Sequence[str] = ()
) -> str:
    """How many judgments were excluded, and which of the verdicts that changes.

    Args:
        excluded: How many judgments.
        verdicts: How many verdicts there are, with the exclusions or without any.
        changes: Those that would change, in words.
        open_ones: Those of which this is not known, because there is no verdict with the exclusions, or none
            without them: in words, with the reason.

    Example:
        >>> say_exclusions(1, 3, ())
        '1 judgment was excluded; every verdict is the same without any exclusion.'
        >>> say_exclusions(9, 0, ())
        '9 judgments were excluded; there is no verdict with the exclusions, and none without.'
    """
    were = f"{say_count(excluded, 'judgment')} {'was' if excluded == 1 else 'were'} excluded"
    every, all_of = "every other verdict" if open_ones else "every verdict", say_count(verdicts, "verdict")
    said = f"{were}; {every} is the same without any exclusion."
    if not verdicts:
        said = f"{were}; there is no verdict with the exclusions, and none without."
    elif changes:
        said = f"{were}, and this changes {len(changes):,} of {all_of}: {_some_of(changes)}."
    elif len(open_ones) == verdicts:
        said = f"{were}."
    if open_ones:
        said += f" Whether this changes {len(open_ones):,} of {all_of} cannot be told: {_some_of(open_ones)}."
    return said


def _some_of(said: Sequence[str]) -> str:
    more = len(said) - CHANGES_NAMED
    return "; ".join(said[:CHANGES_NAMED]) + (f"; and {more:,} more" if more > 0 else "")


def say_interim(progress: Sequence[tuple[int, int | None]], groups: str) -> Iterator[str]:
    """The warning that judgments are still missing; nothing where all are there or none were planned.

    Args:
        progress: For each group, how many judgments count, and how many were planned, where that is known.
        groups: What the groups are: matchups, bots.

    Example:
        >>> print(*say_interim([(59, 60), (60, 60)], "bots"))  # doctest: +ELLIPSIS
        1 of 2 bots has not reached the planned number of judgments: this is an interim look. ...
    """
    short = sum(1 for done, planned in progress if planned is not None and done < planned)
    if short:
        have = "has" if short == 1 else "have"
        names = groups if len(progress) != 1 else {"corpora": "corpus"}.get(groups, groups.removesuffix("s"))
        said = (
            f"{short:,} of {len(progress):,} {names} {have} not reached the planned "
            "number of judgments: this is an interim look."
        )
        valid = "These p-values are valid only if you collect all planned judgments, whatever you see now."
        yield f"{said} {valid}" if any(done for done, _ in progress) else said


def say_shared_interim(
    progress: Sequence[tuple[str, Mapping[Group, int]]], planned: Mapping[Group, int], groups: str
) -> Iterator[str]:
    """The same for arms whose plan several sections share, which have it together and not each.

    Args:
        progress: For each section its arm, and how many judgments of each group count.
        planned: How many were planned of each group in an arm.
        groups: What the groups are.

    Example:
        >>> parts = [("main", {"A": 30}), ("main", {"A": 20})]
        >>> len(list(say_shared_interim(parts, {"A": 60}, "bots")))
        1
    """
    arms = Counter(arm for arm, _ in progress)
    shared = [arm for arm, sections in arms.items() if sections > 1]
    done = Counter[tuple[str, Group]]()
    for arm, counted in progress:
        done.update({(arm, group): count for group, count in counted.items()})
    yield from say_interim(
        [(done[arm, group], wanted) for arm in shared for group, wanted in planned.items()], groups
    )
