"""What came of a rehearsal: what each kind of annotator did, whether the rules held, what was recovered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duologue.judgments import Judgment
from duologue.rehearsal.base import Recovery
from duologue.rehearsal.checks import RuleCheck
from duologue.rehearsal.kinds import Kind
from duologue.rehearsal.walk import Ending, Walk
from duologue.store import ChatSummary


@dataclass(frozen=True, slots=True)
class KindResult:
    """What the annotators of one kind did, onboarding not counted among their judgments."""

    kind: Kind
    annotators: int
    judgments: int
    excluded: Mapping[str, int]
    """Judgments excluded, by rule."""
    endings: Mapping[Ending, int]
    """How their sittings ended."""
    does: str = ""
    """What annotators of this kind do."""
    flagged: int = 0
    """Judgments of theirs in which screening found something."""
    credited: int = 0
    """Live chats of theirs that could not go on, and ended with credit."""
    problems: tuple[str, ...] = ()
    """What those were told who were refused."""

    @property
    def counted(self) -> int:
        """Judgments that count."""
        return self.judgments - sum(self.excluded.values())


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A rehearsal, and all it showed. Nothing of it is in the study itself."""

    study: str
    """What the study is called."""
    folder: Path
    """The copy of the study, with its own database."""
    seed: int
    walks: tuple[Walk, ...]
    kinds: tuple[KindResult, ...]
    rules: tuple[RuleCheck, ...]
    recoveries: tuple[Recovery, ...]
    report: Path | None
    """The page of the rehearsal's report; None when none was asked for."""
    seconds: float
    sought: str = "prefer"
    """What the analysis should find: what careful annotators …"""
    wanted: int = 0
    """Judgments that the study plans."""
    counted: int = 0
    """Judgments that fill the plan."""
    set_aside: tuple[str, ...] = ()
    """What the analysis left out of judgments that count, by reason."""
    used: str = ""
    """What it uses of them; empty where that is all."""

    @property
    def rules_have_held(self) -> bool:
        """Whether every cap held and every acknowledged answer is there once."""
        return all(rule.has_held for rule in self.rules)


def kind_results(
    walks: Iterable[Walk],
    judgments: Iterable[Judgment],
    *,
    summaries: Mapping[Kind, str],
    flagged: Mapping[str, int] | None = None,
    chats: Iterable[ChatSummary] = (),
) -> tuple[KindResult, ...]:
    """What the annotators of each kind that came did, in the order of the summaries.

    Args:
        walks: How they walked.
        judgments: What they gave.
        summaries: What annotators of each kind do, in words.
        flagged: How many judgments of each annotator screening flagged.
        chats: The live chats they had.
    """
    credited = Counter(chat.annotator for chat in chats if chat.credit)
    by_annotator: dict[str, list[Judgment]] = {}
    for judgment in judgments:
        if judgment.is_planned:
            by_annotator.setdefault(judgment.annotator, []).append(judgment)
    by_kind: dict[Kind, list[Walk]] = {}
    for walk in walks:
        by_kind.setdefault(walk.annotator.kind, []).append(walk)
    return tuple(
        _kind_result(kind, by_kind[kind], by_annotator, does=does, flagged=flagged or {}, credited=credited)
        for kind, does in summaries.items()
        if kind in by_kind
    )


def _kind_result(
    kind: Kind,
    walks: Sequence[Walk],
    by_annotator: Mapping[str, Sequence[Judgment]],
    *,
    does: str,
    flagged: Mapping[str, int],
    credited: Mapping[str, int],
) -> KindResult:
    given = [judgment for walk in walks for judgment in by_annotator.get(walk.id, ())]
    return KindResult(
        kind=kind,
        annotators=len(walks),
        judgments=len(given),
        excluded=Counter(judgment.excluded for judgment in given if judgment.excluded),
        endings=Counter(walk.ending for walk in walks),
        does=does,
        flagged=sum(flagged.get(walk.id, 0) for walk in walks),
        credited=sum(credited.get(walk.id, 0) for walk in walks),
        problems=tuple(sorted({walk.problem for walk in walks if walk.problem})),
    )
