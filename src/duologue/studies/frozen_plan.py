"""The plan of a study as it is frozen at the first judgment: what was decided before anything was seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from duologue.dialogues import Json
from duologue.screening import ANNOTATOR_FLAGS, CHAT_FLAGS, FLAG_RULES, TOO_FAST
from duologue.strict_json import read_json
from duologue.studies.model import Study

FORMAT = "duologue.frozen-plan/1"
PLAN_FILE = "plan.json"
"""The frozen plan in the study's folder, for people; the study's database holds the one that counts."""

QuotaCounts = Mapping[tuple[str, str], int]
"""Judgments wanted of each group in each arm."""


@dataclass(frozen=True, slots=True)
class FrozenPlan:
    """What was decided before the first judgment, and a hash by which any change of it is noticed."""

    hash: str
    """SHA-256 of the plan as JSON with sorted keys and without spaces, the hash itself left out."""
    at: str
    """When the first judgment came."""
    text: str
    """The whole of plan.json."""

    @property
    def content(self) -> Mapping[str, Json]:
        """The plan, field by field."""
        return cast(Mapping[str, Json], read_json(self.text))


def draft_plan(study: Study, wanted: QuotaCounts, *, onboarding_items: int) -> dict[str, Json]:
    """The plan that a study would be frozen with now.

    Args:
        study: The study.
        wanted: Judgments wanted of each group in each arm, as its items say.
        onboarding_items: How many items there are to screen annotators with.
    """
    stopping, caps, protocol = study.file.stopping, study.caps, study.protocol
    rules = protocol.rules(stopping=stopping.rule)
    return {
        "format": FORMAT,
        "study": study.name,
        "protocol": protocol.name,
        "question": {arm.name: arm.summary for arm in study.arms},
        "n": [
            {"arm": arm, "group": group, "judgments": count} for (arm, group), count in sorted(wanted.items())
        ],
        "annotations_per_item": caps.annotations_per_item,
        "judgments_per_annotator": caps.max_judgments,
        "test": rules.test,
        "family": rules.family,
        "alpha": stopping.alpha,
        "gap": stopping.gap if rules.gap is None else rules.gap,
        "power": stopping.power,
        "icc": stopping.icc,
        "stopping": stopping.rule,
        "exclusions": list(exclusion_rules(study, onboarding_items=onboarding_items)),
        "seed": study.seed,
        "design_hash": study.design_hash,
        "settings": settings_of(study),
    }


def settings_of(study: Study) -> dict[str, Json]:
    """Every setting that judgments depend on; title and description as annotators see them.

    Of wording, only what the study file sets itself.
    """
    file = study.file.model_dump(
        mode="json",
        exclude={
            "pay": True,
            "consent": True,
            "wording": True,
            "annotators": {"recruited"},
        },
    )
    file["study"] = study.heading.model_dump(mode="json", exclude={"database", "name"})
    file["wording"] = study.file.wording.model_dump(mode="json", exclude_defaults=True)
    if study.file.consent.deception:
        file["consent"] = {"deception": True}
    file[study.protocol.name] = study.settings.model_dump(
        mode="json", exclude=set(study.protocol.free_settings)
    )
    return cast(dict[str, Json], file)


def exclusion_rules(study: Study, *, onboarding_items: int) -> Iterator[str]:
    """The rules that exclude judgments, in sentences; nothing else does before the verdicts."""
    caps, file = study.caps, study.file
    onboarding = min(caps.onboarding_comparisons, onboarding_items)
    if onboarding and caps.block != "off":
        judgments = "1 onboarding judgment" if onboarding == 1 else f"{onboarding} onboarding judgments"
        yield (
            f"onboarding: annotators with fewer than {100 * caps.onboarding_threshold:g} % of {judgments} "
            "right"
        )
    if caps.attention.is_on and caps.attention.on_fail == "exclude":
        yield (
            f"attention: annotators with fewer than {100 * caps.attention.threshold:g} % of their attention "
            f"checks right, of at least {caps.attention.min_checks}"
        )
    if caps.attention.is_on:
        yield "attention-check: the answers to attention checks themselves"
    if caps.repeat:
        yield "repeat: what an annotator was asked a second time, for agreement with themselves"
    if caps.judged_twice:
        yield "second-judgment: what a second annotator said of an item, for agreement between annotators"
    if caps.excludes_without_reason:
        yield "no-reason: annotators who never gave a reason"
    for flag in caps.excluding_flags:
        yield _flag_rule(flag, file.screening.words_per_second)
    for rule in file.screening.researcher_rules:
        yield f"{rule}: by the researcher, for this reason only"
    yield "withdrawn: annotators who took back their consent"
    yield "late, replaced: judgments whose place another judgment had taken"


def _flag_rule(flag: str, words_per_second: float) -> str:
    if flag in CHAT_FLAGS:
        return f"chat:{flag}: live chats that screening flagged for it"
    if flag == TOO_FAST:
        return f"{flag}: judgments given as if more than {words_per_second:g} words a second had been read"
    until = ", up to the last of them" if flag in ANNOTATOR_FLAGS else ""
    return f"{flag}: {FLAG_RULES[flag]}{until}"


def freeze(draft: Mapping[str, Json], *, at: str) -> FrozenPlan:
    """Freeze a plan: with the time of the first judgment, and a hash over all of it.

    Example:
        >>> plan = freeze({"alpha": 0.05}, at="2026-05-04T12:00:00.000000+00:00")
        >>> plan.hash == plan_hash(plan.content), plan.content["frozen_at"][:10]
        (True, '2026-05-04')
    """
    content = {**draft, "frozen_at": at}
    found = plan_hash(content)
    text = json.dumps({**content, "hash": found}, ensure_ascii=False, indent=1) + "\n"
    return FrozenPlan(found, at, text)


def plan_hash(content: Mapping[str, Json]) -> str:
    """The hash of a plan, its own hash left out."""
    whole = {key: value for key, value in content.items() if key != "hash"}
    canonical = json.dumps(whole, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def changes_since(
    frozen: Mapping[str, Json], now: Mapping[str, Json], *, say_group: Callable[[str], str]
) -> Iterator[str]:
    """How the plan of a study as it is now deviates from the frozen one, a sentence for each difference.

    Settings that the frozen plan does not know are of a later version, and no deviation.

    Args:
        frozen: The frozen plan.
        now: The plan as it would be frozen now.
        say_group: A group in words, as the study's protocol says it.
    """
    for key in ("alpha", "gap", "power", "icc", "stopping", "seed", "judgments_per_annotator"):
        if key in frozen and frozen[key] != now.get(key):
            yield f"{key.replace('_', ' ')} was planned as {_said(frozen[key])} and is {_said(now.get(key))}."
    yield from _changed_numbers(frozen.get("n"), now.get("n"), say_group)
    before, after = dict(_flat(frozen.get("settings"))), dict(_flat(now.get("settings")))
    named = {"stopping.alpha", "stopping.gap", "stopping.power", "stopping.icc", "stopping.rule"}
    named |= {"study.seed", "annotators.max_judgments"}
    tables = {path.partition(".")[0] for path in before}
    for path in sorted(before.keys() | after.keys()):
        if path in named or path.endswith(".gap") or path.partition(".")[0] not in tables:
            continue
        is_new = path not in before and not path.startswith(("wording.", "bots."))
        if before.get(path) != after.get(path) and not is_new:
            yield (
                f"the setting {path} was {_said(before.get(path))} and is {_said(after.get(path))} since the "
                "first judgment."
            )


def _changed_numbers(frozen: Json, now: Json, say_group: Callable[[str], str]) -> Iterator[str]:
    before, after = _numbers(frozen), _numbers(now)
    for group in sorted(before.keys() | after.keys()):
        said = _said_in_arm(group, say_group)
        if group not in after:
            yield f"{said} was planned with {before[group]:,} judgments and is asked for no longer."
        elif group not in before:
            yield f"{said} was added after the first judgment, with {after[group]:,} judgments."
        elif before[group] != after[group]:
            yield (
                f"{said} was planned with {before[group]:,} judgments and is now asked for {after[group]:,}."
            )


def planned_numbers(content: Mapping[str, Json]) -> dict[tuple[str, str], int]:
    """Judgments planned of each group in each arm."""
    return _numbers(content.get("n"))


def _numbers(rows: Json) -> dict[tuple[str, str], int]:
    found = rows if isinstance(rows, list) else []
    return {(str(row["arm"]), str(row["group"])): int(row["judgments"]) for row in found}


def _said_in_arm(key: tuple[str, str], say_group: Callable[[str], str]) -> str:
    arm, group = key
    name = say_group(group)
    return name if arm in ("", "main") else f"{name} (arm {arm})"


def _flat(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


_LONGEST = 60


def _said(value: Json) -> str:
    text = "not set" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
