"""Rehearsing a study of phrasings: how clear each of them is, and whether the clearest was found."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from duologue.acute.phrasings.results import AxisResult, PhrasingStudyResults
from duologue.acute.settings import AcuteSettings
from duologue.errors import DesignError
from duologue.rehearsal import Finding, Recovery

_STATED = re.compile(r"(?P<arm>[^=]+)=(?P<share>[^=]+)")
MURKY, CLEAR = 0.65, 0.95
"""Of the phrasings whose clarity nobody states, the murkiest and the clearest of an axis."""


def parse_clarity(texts: Iterable[str]) -> dict[str, float]:
    """Clarity of phrasings as it is written on the command line: ``long-conversation=0.9``.

    Raises:
        DesignError: One is not written so, is below one half, or comes twice.

    Example:
        >>> parse_clarity(["captivating=0.7"])
        {'captivating': 0.7}
    """
    found: dict[str, float] = {}
    for text in texts:
        matched = _STATED.fullmatch(text)
        try:
            share = float(matched["share"]) if matched else math.nan
        except ValueError:
            share = math.nan
        if matched is None or not 0.5 <= share <= 1:
            raise DesignError(
                f"--clarity {text}: expected a phrasing and the share of careful annotators who give the "
                "same answer by it, from 0.5 to 1, such as long-conversation=0.9."
            )
        arm = matched["arm"].strip()
        if arm in found:
            raise DesignError(f"--clarity {text}: the clarity of {arm} is stated twice.")
        found[arm] = share
    return found


def draw_clarity(
    settings: AcuteSettings, stated: Mapping[str, float], *, rng: np.random.Generator
) -> dict[str, float]:
    """How clear each phrasing is: as stated, and evenly spaced in a drawn order where nothing is.

    Raises:
        DesignError: A phrasing is stated that the study does not have.
    """
    known = [arm.name for arm in settings.questions]
    for name in stated:
        if name not in known:
            raise DesignError(f"--clarity names {name!r}; the phrasings are {', '.join(known)}.")
    clarity = dict(stated)
    for arms in settings.axes.values():
        rest = [arm.name for arm in arms if arm.name not in stated]
        shares = np.linspace(MURKY, CLEAR, len(rest)).round(2)
        clarity |= dict(zip(rest, rng.permutation(shares).tolist(), strict=True))
    return clarity


def phrasing_recoveries(found: PhrasingStudyResults, clarity: Mapping[str, float]) -> Iterator[Recovery]:
    """Of every axis, which phrasing is truly the clearest, and which was found to be."""
    for axis in found.axes:
        yield _recovery(axis, clarity)


def _recovery(axis: AxisResult, clarity: Mapping[str, float]) -> Recovery:
    estimated = {one.arm: one.agreement for one in axis.phrasings}
    order = sorted(estimated, key=lambda arm: -clarity[arm])
    best = [arm for arm in order if clarity[arm] == clarity[order[0]]]
    said = ", ".join(
        f"{arm} true {100 * clarity[arm]:.0f} %, "
        + ("nobody judged" if (rate := estimated[arm]) is None else f"estimated {100 * rate:.0f} %")
        for arm in order
    )
    finding = _finding(axis, best)
    first = f"ranked first: {axis.best}" if axis.best else "nobody judged"
    return Recovery(
        finding=finding,
        said=f"{axis.title}: {said}; {first}",
        sentence=axis.sentence,
        record={
            "axis": axis.axis,
            "clearest": list(best),
            "ranked_first": axis.best,
            "is_distinguished": axis.is_distinguished,
            "clarity": {arm: clarity[arm] for arm in order},
            "agreement": {arm: estimated[arm] for arm in order},
        },
    )


def _finding(axis: AxisResult, best: Sequence[str]) -> Finding:
    """What is told from the next must be the clearest alone; where two are, none should be told."""
    if not axis.is_distinguished:
        return "recovered" if len(best) > 1 else "undecided"
    return "recovered" if best == [axis.best] else "wrong"
