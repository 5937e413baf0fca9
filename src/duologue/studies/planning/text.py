"""A plan in plain words, for the terminal, and as a record for programs."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterator, Sequence

from duologue.protocols import say_percent, say_power
from duologue.stats import DetectableGap, Peeking, SimulatedPower
from duologue.studies.planning.plan import Plan, SequentialDesign, Work

FORMAT = "duologue.plan/1"
_STEPS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


def describe_plan(plan: Plan) -> str:
    """The plan in plain words: the number first, then what it rests on, what it shows and what it costs."""
    sections = [
        _number(plan),
        _section("The gap", plan.readings),
        _section("The work, in all", _work(plan.work, plan.unit)),
        _section("What it can show", _power(plan)),
    ]
    if plan.affordable is not None:
        sections.append(_affordable(plan, plan.affordable))
    if plan.sequential is not None:
        sections.append(_section("Stopping early", _sequential(plan.sequential, plan.unit)))
    if plan.alternatives:
        lines = [f"{other.judgments:>7,}  {other.what}" for other in plan.alternatives]
        sections.append(_section(f"Other numbers of {plan.unit}", lines))
    if plan.simulated is not None:
        sections.append(_section("Simulated", _simulated(plan.simulated, plan)))
    if plan.notes:
        sections.append(_section("Notes", plan.notes))
    return "\n\n".join(sections)


def plan_record(plan: Plan) -> dict[str, object]:
    """The plan as JSON can hold it, with its format's name; the protocol's options are among the request."""
    record = dataclasses.asdict(plan)
    options = record["request"].pop("options")
    record["request"] |= {} if options is None else options.model_dump(mode="json")
    return {"format": FORMAT, **record}


def describe_peeking(result: Peeking) -> str:
    """What looking again and again does to the error, in plain words."""
    looks = f"first after {result.first_look} judgments, then after every {result.every}"
    looks = looks.replace("after every 1", "after every one")
    truth = "equal bots" if result.gap == 0 else f"a true gap of {result.gap:g}"
    lines = [
        f"Looking until p is at most {result.alpha:g}, {looks}, up to {result.judgments:,}, with {truth}:",
        "",
        "  judgments   chance of a verdict by then",
    ]
    lines += [f"  {n:>9,}   {chance:.3f}" for n, chance in peeking_marks(result)]
    lines.append("")
    if result.gap == 0:
        wrong, alpha = say_percent(result.wrong), say_percent(result.alpha, 0)
        lines.append(f"Every such verdict is false: {wrong} instead of {alpha}.")
    else:
        lines.append(f"The wrong bot wins with a chance of {say_percent(result.wrong, 2)}.")
    lines += [
        "Fix the number before you start (`duologue study plan`), or declare sequential stopping",
        '([stopping] rule = "sequential" in study.toml): then you may look at any time.',
    ]
    return "\n".join(lines)


def peeking_record(result: Peeking) -> dict[str, object]:
    """What looking again and again does, as JSON can hold it."""
    record = dataclasses.asdict(result)
    record["verdicts_by"] = [{"judgments": n, "chance": chance} for n, chance in peeking_marks(result)]
    return {"format": "duologue.peeking/1", **record}


def peeking_marks(result: Peeking) -> list[tuple[int, float]]:
    """The chance of a verdict at round numbers of judgments, and at the last one."""
    rounds = [digit * 10**power for power in range(1, 10) for digit in (1, 2, 5)]
    marks = [n for n in rounds if result.first_look <= n < result.judgments] + [result.judgments]
    return [(n, float(result.verdicts_by[n])) for n in marks]


def _number(plan: Plan) -> str:
    each = "" if plan.sets == 1 else f" for each of {plan.sets} {plan.sets_are}"
    lines = [plan.title, "", f"  {plan.judgments:,} {plan.unit}{each}"]
    exact = plan.exact
    test = f"{exact.method}; alpha {exact.alpha:.3g}, power {exact.power:g}"
    if plan.convention == "paper":
        lines.append(f"    {_paper_words(plan)}")
        lines.append(f"    recommended: {exact.judgments:,} ({test})")
    else:
        lines.append(f"    {test}")
        if exact.first is not None and exact.first < exact.judgments:
            lines.append(
                f"    {exact.first:,} reach it too, but some numbers above do not; from here on all do"
            )
    if plan.effect is not None:
        lines.append(
            f"    worth {plan.effective:,} independent ones: design effect {plan.effect.factor:.3g} "
            f"(ICC {plan.effect.icc:g}, {plan.effect.cluster_size:g} in a cluster)"
        )
    lines.append(f"    power for the gap of {plan.gap:.3g}: {say_power(plan.achieved, 3)}")
    if plan.paper is not None and plan.convention != "paper":
        independent = "" if plan.effect is None else " independent ones"
        lines.append(
            f"    the {plan.request.protocol} paper's convention gives {plan.paper.judgments:,}{independent} "
            "(--paper)"
        )
    return "\n".join(lines)


def _paper_words(plan: Plan) -> str:
    return plan.paper.method if plan.paper is not None else ""


def _work(work: Work, unit: str) -> Iterator[str]:
    noun = unit.split(" per ")[0]
    yield f"{noun:<13}{work.judgments:>9,}"
    if work.second_judgments:
        yield f"{'second ones':<13}{work.second_judgments:>9,}  of items judged twice; no verdict counts them"
    if work.besides:
        yield f"{'besides':<13}{work.besides:>9,}  attention checks and repeated items, paid like any other"
    if work.answers and work.answers != work.judgments:
        yield f"{'rankings':<13}{work.answers:>9,}  each gives the judgments of all its pairs"
    yield f"{'dialogues':<13}{work.dialogues:>9,}  {work.dialogues_are}"
    if work.read:
        yield f"{'read':<13}{work.read:>9,}  times somebody reads a dialogue"
    yield f"{'annotators':<13}{work.annotators:>9,}  at {work.per_annotator:,} each"
    onboarding = f", {work.onboarding} onboarding each included" if work.onboarding else ""
    source = f" ({work.seconds_from})" if work.seconds_from else ""
    yield f"{'person-hours':<13}{work.hours:>9,.1f}  at {round(work.seconds, 1):g} s each{source}{onboarding}"
    yield f"{'':<22}  and {round(work.person_seconds):g} s a person for consent, instructions and forms"
    if work.cost is not None:
        yield f"{'cost':<13}{work.cost:>9,.2f}  {work.currency}, at {work.pay:g} each; platform fees apart"
    else:
        yield f"{'cost':<13}{'':>9}  state --pay to price it"


def _power(plan: Plan) -> Iterator[str]:
    gaps = [step * plan.gap for step in _STEPS if step * plan.gap <= plan.design.largest_gap + 1e-9]
    chances = [float(plan.deciding.power([plan.judgments], gap)[0]) for gap in gaps]
    yield _row(f"gap, with {plan.judgments:,}", [f"{gap:.3g}" for gap in gaps])
    yield _row("  power", [_cell(chance) for chance in chances])
    numbers = [max(1, round(step * plan.judgments)) for step in _STEPS]
    yield _row(f"{plan.unit}, gap {plan.gap:.3g}", [f"{number:,}" for number in numbers])
    yield _row("  power", [_cell(float(chance)) for chance in plan.deciding.power(numbers, plan.gap)])


def _cell(power: float) -> str:
    """A power in a table.

    Example:
        >>> _cell(0.801), _cell(0.001), _cell(0.999)
        ('0.80', '<0.01', '>0.99')
    """
    return say_power(power).replace("under ", "<").replace("over ", ">")


def _affordable(plan: Plan, found: DetectableGap) -> str:
    each = "" if plan.sets == 1 else f" for each of {plan.sets} {plan.sets_are}"
    money = "" if plan.request.budget is None else f"{plan.request.budget:,.2f} {plan.work.currency} buy "
    shown = f"they show gaps of {found.gap:.3g} and more with power {found.power:g}"
    return _section(f"Asked about: {money}{found.judgments:,} {plan.unit}{each}", [shown])


def _sequential(sequential: SequentialDesign, unit: str) -> Iterator[str]:
    plan = sequential.plan
    most = round(plan.most * sequential.scale)
    yield f"mixture SPRT, futility at a likelihood ratio of {plan.futility:g}, at most {most:,} {unit};"
    yield "look whenever you like, the error stays below alpha"
    yield f"{'true gap':>10}{'on average':>13}{'9 in 10 by':>13}{'verdict':>10}"
    for stop in sequential.outlook:
        yield f"{stop.gap:>10.3g}{stop.expected:>13,.0f}{stop.nine_in_ten:>13,}{_cell(stop.verdict):>10}"
    if sequential.because:
        yield f"about so many: {'; '.join(sequential.because)}"


def _simulated(result: SimulatedPower, plan: Plan) -> Iterator[str]:
    found, alarm = result.found_interval, result.false_alarms_interval
    yield f"{result.studies:,} simulated studies of {result.judgments:,} {plan.unit}, {result.test}:"
    interval = f"{say_percent(found.low)} to {say_percent(found.high)}"
    yield f"found the gap in {say_percent(result.found)} (95 % interval {interval})"
    alarms = f"{say_percent(result.false_alarms)} ({say_percent(alarm.low)} to {say_percent(alarm.high)})"
    yield f"found a difference between equal bots in {alarms}"


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:<24}" + "".join(f"{cell:>8}" for cell in cells)


def _section(title: str, lines: Sequence[str] | Iterator[str]) -> str:
    wrapped = [
        textwrap.fill(line, 100, initial_indent="  ", subsequent_indent="    ")
        if len(line) > 98
        else f"  {line}"
        for line in lines
    ]
    return "\n".join([title, *wrapped])
