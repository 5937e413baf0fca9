"""How a simulated annotator of each kind rates a bot, and tells its persona from another one."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.likert.gold import gold_ratings
from duologue.likert.rehearsal.means import Means
from duologue.protocols import Answer, AskedItem, FormValues
from duologue.rehearsal import Protocol, SimulatedAnnotator

LENIENCY_SD = 0.4
"""How much annotators differ from each other, in points of the scale."""

MOOD_SD = 0.6
"""How much the ratings of one annotator differ between conversations with equal bots, in points."""

DETECTION_RATE = 0.8
"""How often a careful annotator tells the partner's persona from another one."""


def rate(
    annotator: SimulatedAnnotator,
    name: str,
    values: Sequence[str],
    asked: AskedItem,
    protocol: Protocol,
    means: Means,
) -> str:
    """What an annotator chooses for one field of a rating form.

    A careful one rates the true mean of the bot plus their own leniency plus a mood, rounded to the scale;
    a question with a known answer is rated as it should be.

    Args:
        annotator: Who rates.
        name: The field.
        values: What can be chosen, in the order it is shown.
        asked: What is rated.
        protocol: Of the study.
        means: What the bots are truly worth.
    """
    item = asked.item
    rng = annotator.rng(f"{item.id}/{name}")
    if annotator.kind == "careless":
        return values[int(rng.integers(len(values)))]
    true_persona = _true_persona(name, values, asked, protocol)
    if true_persona is not None:
        is_right = rng.random() < DETECTION_RATE
        return true_persona if is_right else next(value for value in values if value != true_persona)
    points = sorted(int(value) for value in values)
    if annotator.kind in ("always-highest", "spammer"):
        return str(points[-1])
    known = gold_ratings(item).get(name.removeprefix("rating_"))
    if known is not None:
        return str(rng.integers(known[0], known[1], endpoint=True))
    mean = means.mean(item.bots[0], lowest=points[0], highest=points[-1])
    felt = mean + leniency(annotator) + rng.normal(0, MOOD_SD)
    return str(min(max(round(felt), points[0]), points[-1]))


def leniency(annotator: SimulatedAnnotator) -> float:
    """By how many points an annotator rates everybody higher than others do."""
    return float(annotator.rng("leniency").normal(0, LENIENCY_SD))


def _true_persona(name: str, values: Sequence[str], asked: AskedItem, protocol: Protocol) -> str | None:
    """The value that names the partner's true persona; None when the field asks for something else."""
    for value in values:
        given = FormValues({name: value, "reason": "."}).over(asked.draft)
        answer = protocol.read(asked, given)
        if isinstance(answer, Answer) and answer.values.get("persona") == "true":
            return value
    return None
