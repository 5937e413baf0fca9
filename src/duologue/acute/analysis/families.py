"""Which matchups share an error rate when bots were added later: each addendum has a family of its own.

Earlier matchups were decided by themselves, and nothing about them has changed: they keep the family they had
(docs/decisions/0014).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from duologue.acute.analysis.matchups import Pair
from duologue.acute.analysis.verdicts import Comparison, Rule, SectionEvidence, compare_matchups
from duologue.protocols import Addendum, Family, say_count, say_list, say_percent

Compared = tuple[tuple[Comparison, ...], ...]
"""The comparisons of every section."""


def added_matchups(addenda: Sequence[Addendum]) -> dict[Pair, int]:
    """The addendum by which each matchup was added."""
    return {
        (group[0], group[1]): one.number for one in addenda for group in one.groups if group[0] != group[1]
    }


def compare_by_addendum(sections: Sequence[SectionEvidence], rule: Rule, family: Family) -> Compared:
    """Decide the matchups of a family of sections: those of the plan, and those of each addendum, apart."""
    if not rule.added:
        return compare_matchups(sections, rule, unjudged=family.unjudged)
    found: list[dict[int, Comparison]] = [{} for _ in sections]
    for number, unjudged in _unjudged(rule, family).items():
        places = [
            [place for place, one in enumerate(section.weighed) if _addendum(rule, one.tally.pair) == number]
            for section in sections
        ]
        some = [_some(section, own) for section, own in zip(sections, places, strict=True)]
        for own, where, compared in zip(
            found, places, compare_matchups(some, rule, unjudged=unjudged), strict=True
        ):
            own.update(zip(where, compared, strict=True))
    return tuple(tuple(own[place] for place in sorted(own)) for own in found)


def _unjudged(rule: Rule, family: Family) -> dict[int, int]:
    """Planned matchups of arms without judgments, of the plan (0) and of each addendum."""
    added = {
        number: family.missing_arms * sum(own == number for own in rule.added.values())
        for number in sorted(set(rule.added.values()))
    }
    return {0: family.unjudged - sum(added.values()), **added}


def _addendum(rule: Rule, pair: Pair) -> int:
    return rule.added.get(pair, 0)


def _some(section: SectionEvidence, places: Sequence[int]) -> SectionEvidence:
    return SectionEvidence(
        tuple(section.weighed[place] for place in places),
        tuple(section.sides[place] for place in places),
        tuple(section.freed[place] for place in places),
        section.side,
    )


def matchups_sharing(
    sections: Sequence[Sequence[Pair]], families: Sequence[Family], rule: Rule, *, planned: int
) -> tuple[int, ...]:
    """Among how many matchups the error rate of a sequential test is shared, in each section (Bonferroni).

    They are those of its family, the largest where it has several. Matchups without judgments are among them:
    the number must not change while judgments come in.

    Args:
        sections: The matchups of each section.
        families: Which sections share an error rate.
        rule: With the matchups that addenda have added.
        planned: How many matchups one arm was planned to have.
    """
    found = [max(1, planned)] * len(sections)
    for family in families:
        sizes = _unjudged(rule, family)
        for pair in (pair for number in family.sections for pair in sections[number]):
            sizes[_addendum(rule, pair)] += 1
        for number in family.sections:
            own = (sizes[_addendum(rule, pair)] for pair in sections[number])
            found[number] = max(found[number], *own, 0)
    return tuple(found)


def planned_size(judged: Sequence[SectionEvidence], family: Family, rule: Rule, *, addendum: int = 0) -> int:
    """How many matchups of the plan, or of an addendum, share the error rate."""
    there = sum(
        _addendum(rule, one.tally.pair) == addendum
        for number in family.sections
        for one in judged[number].weighed
    )
    return there + _unjudged(rule, family).get(addendum, 0)


def say_added(
    planned: str,
    compared: Compared,
    together: Compared,
    addenda: Sequence[Addendum],
    rule: Rule,
    *,
    sizes: Mapping[int, int],
) -> str:
    """The families of the plan and of every addendum, and what one family of all would say.

    Args:
        planned: The family of the plan, in words; empty for one matchup.
        compared: Every matchup in its own family.
        together: The same in one family of all.
        addenda: What was added.
        rule: How verdicts are reached.
        sizes: How many matchups each addendum adds to a family: its own for each question that shares it.
    """
    if not addenda:
        return planned
    each = " ".join(
        f"The {say_count(sizes[one.number], 'matchup')} added with {say_list(one.adds)} on {one.at[:10]} "
        f"(addendum {one.number}) {'is' if sizes[one.number] == 1 else 'are'} a family of "
        f"{'its' if sizes[one.number] == 1 else 'their'} own, so that earlier verdicts keep the error rate "
        "at which they were reached."
        for one in addenda
    )
    steps = 1 + len(addenda)
    most = say_percent(min(1.0, steps * rule.alpha))
    return " ".join(
        filter(
            None,
            (
                planned,
                each,
                f"Over all {steps} families together the chance of calling any two equal bots different is "
                f"{most} or less ({steps} times {say_percent(rule.alpha)}).",
                _say_together(compared, together),
            ),
        )
    )


def _say_together(compared: Compared, together: Compared) -> str:
    size = sum(map(len, compared))
    changed = list(_changed(compared, together))
    if not changed:
        return f"In one family of all {size:,} matchups every verdict would be the same."
    verdicts = "1 verdict" if len(changed) == 1 else f"{len(changed):,} verdicts"
    more = f"; and {len(changed) - _LISTED:,} more" if len(changed) > _LISTED else ""
    return (
        f"In one family of all {size:,} matchups {verdicts} would change: "
        f"{'; '.join(changed[:_LISTED])}{more}."
    )


_LISTED = 5


def _changed(compared: Compared, together: Compared) -> Iterator[str]:
    for own, others in zip(compared, together, strict=True):
        for one, other in zip(own, others, strict=True):
            if one.better != other.better:
                claim = f"{other.better} better" if other.better else "no difference detected"
                yield f"{one.first} and {one.second}, {claim}"


def say_added_to_pooled(addenda: Sequence[Addendum], *, alpha: float) -> str:
    """What adding bots means for pooled verdicts, which all judgments of all bots bear on."""
    if not addenda:
        return ""
    adds = say_list(dict.fromkeys(bot for one in addenda for bot in one.adds))
    steps = 1 + len(addenda)
    return (
        f"Since {adds} came later, pooled verdicts on earlier pairs are new tests, on more judgments: the "
        "report has the earlier ones with their dates. Over all "
        f"{steps} tests of the earlier pairs the chance of any false verdict is "
        f"{say_percent(min(1.0, steps * alpha))} or less."
    )
