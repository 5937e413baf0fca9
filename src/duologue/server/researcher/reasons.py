"""What annotators wrote, for the researcher: searched, by group, and by winner once that may be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from starlette.requests import Request

from duologue.protocols import Win
from duologue.server.researcher.overview import GroupOverview, StudyOverview, study_overview
from duologue.server.researcher.paging import PAGE_ROWS, ListPage, asked_page, asked_search
from duologue.server.site import Site
from duologue.store import GivenReason, ReasonQuery, fetch_flags_of, fetch_reasons, list_reasons, wins_of

TIE = "="
"""In addresses: that there was no difference."""


@dataclass(frozen=True, slots=True)
class ReasonsPage(ListPage):
    """Which page of the reasons is shown, and which of them."""

    kept: Mapping[str, str] = field(default_factory=dict)
    """What was asked for besides a text."""

    def link(self, number: int) -> str:
        """The address of another page of the same list."""
        fields = {"search": self.search, **self.kept, "page": str(number)}
        return f"{self.path}?{urlencode({name: value for name, value in fields.items() if value})}"


@dataclass(frozen=True, slots=True)
class ShownReason:
    """A reason on the page."""

    given: GivenReason
    name: str
    """Its group in words."""
    winner: str
    """Empty where it may not be seen yet, or there is none."""
    is_tie: bool
    is_hidden: bool
    """Whether who won stays hidden until the planned number is reached."""
    flags: tuple[str, ...]

    @property
    def tells(self) -> bool:
        """Whether it says who won, or that nobody did."""
        return bool(self.winner) or self.is_tie


@dataclass(frozen=True, slots=True)
class ShownReasons:
    """A page of reasons, and what can be asked for."""

    rows: tuple[ShownReason, ...]
    page: ReasonsPage
    groups: tuple[tuple[str, str], ...]
    """By key and in words."""
    group: str
    winner: str
    counts: tuple[tuple[str, str, int], ...]
    """Of the chosen group, where that may be seen: what to ask for, the winner, and how many reasons."""
    hides: bool
    """Whether there are winners that stay hidden."""
    overview: StudyOverview
    tells: bool
    """Whether somebody can read a winner here."""


def shown_reasons(request: Request, site: Site) -> ShownReasons:
    """The reasons that were asked for.

    Who won is told where the overview tells win rates, and nowhere else: how many reasons speak for a bot is
    a win rate too.
    """
    overview = study_overview(site.study, site.store)
    keys = {_key(group): group for group in overview.groups}
    asked = request.query_params.get("group", "")
    chosen = keys.get(asked)
    may_tell = chosen is not None and chosen.compares and not chosen.hidden
    winner = request.query_params.get("bot", "") if may_tell else ""
    wanted = ReasonQuery(
        asked_search(request),
        chosen.progress.arm if chosen else None,
        chosen.progress.group if chosen else None,
    )
    number = asked_page(request)
    if may_tell:
        found, total, counts = _by_winner(site, wanted, winner, number)
    else:
        listed = site.store.run(list_reasons(wanted, first=(number - 1) * PAGE_ROWS, most=PAGE_ROWS))
        found, total, counts = listed.rows, listed.total, ()
    kept = {"group": asked if chosen else "", "bot": winner}
    page = ReasonsPage(request.url.path, wanted.search, number, total, kept)
    rows = reasons_as_shown(site, overview, found)
    return ShownReasons(
        rows,
        page,
        tuple((key, _name(group, overview)) for key, group in keys.items()),
        asked if chosen else "",
        winner,
        counts,
        hides=any(one.hidden and one.compares for one in overview.groups),
        overview=overview,
        tells=bool(counts) or any(row.tells for row in rows),
    )


def reasons_as_shown(
    site: Site, overview: StudyOverview, found: Sequence[GivenReason]
) -> tuple[ShownReason, ...]:
    """Reasons with who won, where the overview tells win rates."""
    hidden = {(one.progress.arm, one.progress.group) for one in overview.groups if one.hidden}
    told = _wins(site, [one for one in found if (one.arm, one.group) not in hidden])
    flags = site.store.run(fetch_flags_of([one.n for one in found]))
    return tuple(
        _shown(site, one, told.get(one.kind), flags.get(one.n, ()), is_hidden=(one.arm, one.group) in hidden)
        for one in found
    )


def _key(group: GroupOverview) -> str:
    return f"{group.progress.arm}/{group.progress.group}"


def _name(group: GroupOverview, overview: StudyOverview) -> str:
    arms = {one.progress.arm for one in overview.groups}
    return group.name if len(arms) == 1 else f"{group.name} (arm {group.progress.arm})"


def _by_winner(
    site: Site, wanted: ReasonQuery, winner: str, number: int
) -> tuple[tuple[GivenReason, ...], int, tuple[tuple[str, str, int], ...]]:
    """A page of the reasons of a group for one winner or all; how many there are; how many for each."""
    given = [one for one in site.store.stream(fetch_reasons(wanted)) if one.role == "judged"]
    wins = _wins(site, given)
    sides = [_side(wins[one.kind]) for one in given]
    counted = Counter(side for one, side in zip(given, sides, strict=True) if not one.excluded)
    there = [one for one, side in zip(given, sides, strict=True) if not winner or side == winner][::-1]
    begin = (number - 1) * PAGE_ROWS
    counts = tuple((side, "" if side == TIE else side, counted[side]) for side in sorted(set(sides)))
    return tuple(there[begin : begin + PAGE_ROWS]), len(there), counts


def _wins(site: Site, given: list[GivenReason]) -> Mapping[tuple[object, ...], Win | None]:
    kinds: dict[tuple[object, ...], int] = {}
    for one in given:
        kinds.setdefault(one.kind, one.n)
    return wins_of(site.study, site.store, kinds) if kinds else {}


def _side(win: Win | None) -> str:
    if win is None:
        return ""
    return TIE if win.is_tie else win.winner


def _shown(
    site: Site, given: GivenReason, win: Win | None, flags: tuple[str, ...], *, is_hidden: bool
) -> ShownReason:
    protocol = site.study.protocol
    is_tie = win is not None and win.is_tie
    winner = "" if win is None or is_tie else win.winner
    hides = is_hidden and protocol.rivals(given.group) is not None
    return ShownReason(given, protocol.say_group(given.group), winner, is_tie, hides, flags)
