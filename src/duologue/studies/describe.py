"""What will happen in a study, in plain words."""

from __future__ import annotations

from collections import Counter

from duologue.dialogues import index_dialogues
from duologue.protocols import read_items
from duologue.studies.model import Study


def describe_study(study: Study) -> str:
    """What will happen when the study is served: who is compared, how, how often, and what it costs."""
    lines = [f"{study.name}: {study.file.study.title}", ""]
    lines += _material(study)
    lines += _question(study)
    judgments, groups, onboarding = _counts(study)
    lines += _work(study, judgments, groups, onboarding)
    lines += _rules(study)
    return "\n".join(lines)


def _material(study: Study) -> list[str]:
    kinds: Counter[tuple[str, str]] = Counter((head.bot, head.kind) for head in index_dialogues(study.folder))
    if not kinds:
        return ["Dialogues: none yet."]
    bots = ", ".join(f"{bot} ({count:,} {kind})" for (bot, kind), count in sorted(kinds.items()))
    return [f"Dialogues: {bots}."]


def _question(study: Study) -> list[str]:
    arms = study.arms
    if len(arms) == 1:
        return [f"Question: {arms[0].summary}"]
    lines = [f"{len(arms)} arms, launched together, one per annotator, never pooled:"]
    return lines + [f"  {arm.name}: {arm.summary}" for arm in arms]


def _counts(study: Study) -> tuple[int, Counter[str], int]:
    groups: Counter[str] = Counter()
    onboarding = 0
    if study.items_path.exists():
        for item in read_items(study.items_path):
            if item.is_onboarding:
                onboarding += 1
            else:
                groups[item.group] += 1
    copies = study.caps.annotations_per_item * len(study.arms)
    return sum(groups.values()) * copies, groups, onboarding


def _work(study: Study, judgments: int, groups: Counter[str], onboarding: int) -> list[str]:
    if not groups:
        return ["Pairings: none yet."]
    caps, pay = study.caps, study.file.pay
    lines = [f"Matchups: {len(groups)}"]
    shown = sorted(groups.items())
    lines += [f"  {group.replace('__vs__', ' against ')}: {count:,} pairings" for group, count in shown[:20]]
    if len(shown) > 20:
        lines.append(f"  … and {len(shown) - 20} more")
    per_annotator = caps.max_judgments or len(groups)
    asked = min(caps.onboarding_comparisons, onboarding)
    annotators = -(-judgments // per_annotator)
    with_onboarding = judgments + annotators * asked
    hours = with_onboarding * pay.seconds_per_judgment / 3600
    lines += [
        f"Judgments: {judgments:,} ({caps.annotations_per_item} per pairing"
        + (f" and arm, {len(study.arms)} arms" if len(study.arms) > 1 else "")
        + f"), at most {per_annotator} per annotator: at least {annotators:,} annotators.",
        f"Time: about {hours:,.1f} person-hours at {pay.seconds_per_judgment:g} s a comparison, "
        "onboarding included.",
    ]
    if pay.per_judgment:
        cost = with_onboarding * pay.per_judgment
        lines.append(
            f"Cost: {cost:,.2f} {pay.currency} at {pay.per_judgment:g} a comparison, platform fees apart."
        )
    else:
        lines.append("Cost: nothing is paid; set per_judgment in [pay] to price the study.")
    return lines


def _rules(study: Study) -> list[str]:
    caps, file = study.caps, study.file
    lines = []
    if caps.onboarding_comparisons:
        fate = {
            "soft": "finish like anyone and are not counted",
            "at-once": "are sent away at once and not counted",
            "off": "are counted all the same",
        }[caps.block]
        lines.append(
            f"Onboarding: {caps.onboarding_comparisons} comparison(s) first; annotators with less than "
            f"{caps.onboarding_threshold:.0%} right {fate}."
        )
    else:
        lines.append("Onboarding: off.")
    lines.append(f"A comparison that is not finished comes back after {caps.lease_seconds / 60:g} minutes.")
    lines.append(
        "Annotators come by links of their own"
        + (", or by the open link." if file.annotators.open_link else ".")
    )
    if file.annotators.exclude_without_reason:
        lines.append("Annotators who never give a reason are set aside at analysis.")
    lines.append(
        "Results may be looked at while they come in."
        if file.stopping.rule == "sequential"
        else "Results stay hidden until the planned number is reached."
    )
    return lines
