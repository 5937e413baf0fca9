"""What is added to the plan of a study after its first judgment: more bots, and how they are compared.

The frozen plan stays as it is. An addendum has a time and a hash of its own, and keeps the verdicts of the
study as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from duologue.dialogues import Json
from duologue.errors import FormatError
from duologue.protocols import Addendum, KeptVerdict
from duologue.strict_json import read_json
from duologue.studies.frozen_plan import FrozenPlan, settings_of
from duologue.studies.model import Study

if TYPE_CHECKING:
    from duologue.protocols import Outcome  # its module loads statistics, which serving does without

FORMAT = "duologue.plan-addendum/1"


def addendum_file(number: int) -> str:
    """The copy for people of an addendum in the study's folder."""
    return f"plan-addendum-{number}.json"


@dataclass(frozen=True, slots=True)
class AddedGroup:
    """Judgments that an addendum plans of one group in one arm."""

    arm: str
    group: str
    bots: tuple[str, ...]
    """In order of their names."""
    judgments: int

    def record(self) -> dict[str, Json]:
        """As the addendum holds it."""
        return {
            "arm": self.arm,
            "group": self.group,
            "bots": list(self.bots),
            "judgments": self.judgments,
        }


@dataclass(frozen=True, slots=True)
class StudySoFar:
    """What a study had found when something was added to its plan."""

    verdicts: tuple[Outcome, ...]
    judgments: int
    """That counted."""
    data: str
    """A hash of the judgments."""
    is_interim: bool


def draft_addendum(
    study: Study,
    *,
    number: int,
    adds: Sequence[str],
    groups: Iterable[AddedGroup],
    asked_again: Iterable[AddedGroup],
    so_far: StudySoFar,
    follows: str,
) -> dict[str, Json]:
    """An addendum to the plan, as it would be kept now.

    Args:
        study: The study, with the bots that are added.
        number: From 1 up.
        adds: The bots.
        groups: What is planned about them.
        asked_again: What is asked again of earlier groups, by the name of the earlier group.
        so_far: What the study had found.
        follows: The hash of the plan, or of the addendum before; empty where there is none.
    """
    stopping = study.file.stopping
    rules = study.protocol.rules(stopping=stopping.rule)
    return {
        "format": FORMAT,
        "study": study.name,
        "number": number,
        "adds": list(adds),
        "n": [one.record() for one in groups],
        "test": rules.test,
        "family": "what this addendum adds, by itself; earlier groups keep the family they had",
        "alpha": stopping.alpha,
        "gap": stopping.gap if rules.gap is None else rules.gap,
        "power": stopping.power,
        "icc": stopping.icc,
        "asked_again": [one.record() for one in asked_again],
        "before": {
            "judgments": so_far.judgments,
            "data": so_far.data,
            "is_interim": so_far.is_interim,
            "verdicts": [_kept(one) for one in so_far.verdicts],
        },
        "bots": settings_of(study)["bots"],
        "chat_bots": list(study.file.chat.bots),
        "follows": follows,
    }


def _kept(one: Outcome) -> dict[str, Json]:
    return {
        "part": one.part,
        "first": one.first,
        "second": one.second,
        "n": one.n,
        "estimate": one.estimate,
        "better": one.better,
        "has_verdict": one.has_verdict,
    }


def addenda_in(folder: Path) -> tuple[FrozenPlan, ...]:
    """The addenda as they lie in a study's folder, the first one first.

    Raises:
        FormatError: A file is no addendum.
    """
    found: list[FrozenPlan] = []
    while (path := folder / addendum_file(len(found) + 1)).is_file():
        try:
            text = path.read_text(encoding="utf-8")
            content = read_json(text)
            one = FrozenPlan(content["hash"], content["frozen_at"], text)
            _read(len(found) + 1, one)
        except (ValueError, KeyError, TypeError) as error:
            hint = "Delete it: it is written again from the database by `duologue report`."
            raise FormatError(path, expected="an addendum to the plan", hint=hint) from error
        found.append(one)
    return tuple(found)


def groups_added(folder: Path) -> dict[str, int]:
    """The groups that addenda in a study's folder have added, each with the number of the addendum.

    Raises:
        FormatError: A file is no addendum.
    """
    return {
        str(row["group"]): number
        for number, one in enumerate(addenda_in(folder), 1)
        for row in cast("list[dict[str, Json]]", one.content["n"])
    }


def read_addenda(kept: Sequence[FrozenPlan]) -> tuple[Addendum, ...]:
    """Addenda as they are reported, the first one first."""
    return tuple(_read(number, one) for number, one in enumerate(kept, 1))


def _read(number: int, kept: FrozenPlan) -> Addendum:
    content = cast("Mapping[str, Any]", kept.content)
    before = content["before"]
    return Addendum(
        number=number,
        at=kept.at,
        hash=kept.hash,
        adds=tuple(content["adds"]),
        groups=tuple(dict.fromkeys(tuple(row["bots"]) for row in content["n"])),
        judgments=sum(row["judgments"] for row in content["n"]),
        asked_again=sum(row["judgments"] for row in content["asked_again"]),
        verdicts=tuple(KeptVerdict(**one) for one in before["verdicts"]),
        is_interim=before["is_interim"],
    )


def plan_with_addenda(plan: Mapping[str, Json], addenda: Sequence[FrozenPlan]) -> dict[str, Json]:
    """The frozen plan together with all that was added to it: what the study is held to now."""
    content = cast("dict[str, Any]", dict(plan))
    for one in addenda:
        added = cast("Mapping[str, Any]", one.content)
        content["n"] = [*content.get("n", ()), *added["n"]]
        settings = dict(content.get("settings", {}))
        settings["bots"] = added["bots"]
        if "chat" in settings:
            settings["chat"] = {**settings["chat"], "bots": added["chat_bots"]}
        content["settings"] = settings
    return content
