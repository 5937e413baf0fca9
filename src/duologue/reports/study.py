"""A whole study analysed: its judgments taken from the database, screened, and turned into results."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import numpy as np
from pydantic import BaseModel

from duologue import __version__
from duologue.errors import AnalysisError
from duologue.judgments import Row, Votes, VotesFormat, judgment_chunks, read_votes, votes_from_rows
from duologue.protocols.acute import AcuteResults, AcuteSettings, Provenance, analyse_votes
from duologue.screening import NO_REASON, never_a_reason
from duologue.store import Clock, Store, utc_now
from duologue.studies import Study, load_study

DEFAULT_GAP = 0.20
ANALYSIS = "analysis"
"""Who writes exclusions at analysis, in the rows of exclusions."""

REHEARSAL = "rehearsal"
"""The mark of a study whose annotators are simulated."""


@dataclass(frozen=True, slots=True)
class Screening:
    """What the rules that apply at analysis have changed."""

    excluded: int
    restored: int
    annotators: int
    """How many of them the rules concern now."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """Results, with the votes they come from."""

    results: AcuteResults
    votes: Votes
    screening: Screening | None = None


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


def judgment_rows(study: Study, store: Store) -> Iterator[Row]:
    """Every judgment of a study as a flat row, excluded and onboarding ones too, in the order they came.

    An answer is read with the question of its own revision.
    """
    settings = {revision.number: _settings_of(study, revision.text) for revision in store.revisions()}
    items = {item.id: item for item in store.items()}
    for judgment in store.judgments():
        its_settings = settings.get(judgment.revision, study.settings)
        yield study.protocol.as_row(its_settings, items[judgment.item], judgment)


def _settings_of(study: Study, text: str) -> BaseModel:
    """The settings of the protocol in an earlier text of study.toml."""
    if text == study.text:
        return study.settings
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "study.toml").write_text(text, encoding="utf-8")
        return load_study(folder).settings


def screen_study(study: Study, store: Store) -> Screening:
    """Apply the exclusion rules that wait for the analysis: annotators who never gave a reason.

    Idempotent. A judgment that the researcher took back stays with them; one whose annotator has given a
    reason since counts again.
    """
    settings = study.settings
    asks = isinstance(settings, AcuteSettings) and settings.reason != "off"
    if not (asks and study.file.annotators.exclude_without_reason):
        return Screening(0, 0, 0)
    judgments = tuple(store.judgments())
    found = never_a_reason(judgments)
    last = {row.judgment: row for row in store.exclusions() if row.rule == NO_REASON}
    taken_back = {key for key, row in last.items() if row.action == "restore" and row.by != ANALYSIS}
    concerned = {key for screened in found for key in screened.judgments}
    wanted = sorted(concerned - taken_back)
    over = [judgment.id for judgment in judgments if judgment.excluded == NO_REASON]
    excluded = store.exclude(wanted, rule=NO_REASON, reason="The annotator never gave a reason.", by=ANALYSIS)
    restored = store.restore(
        [key for key in over if key not in concerned],
        rule=NO_REASON,
        reason="The annotator has given a reason since.",
        by=ANALYSIS,
    )
    return Screening(excluded, restored, len(found))


def analyse_study(
    study: Study,
    store: Store,
    *,
    alpha: float | None = None,
    gap: float = DEFAULT_GAP,
    with_sequential: bool = False,
    clock: Clock = utc_now,
) -> Analysed:
    """Screen and analyse the judgments of a study.

    Args:
        study: The study.
        store: Its database; exclusion rows of the rules that apply at analysis are written to it.
        alpha: The error rate that the matchups of an arm share; what the study file says when not given.
        gap: The gap between two bots that is worth finding.
        with_sequential: Say stop or go on also where the study did not declare sequential stopping.
        clock: Tells the times in the provenance.

    Raises:
        AnalysisError: The study's protocol is not one that can be analysed yet.
    """
    if study.protocol.name != "acute":
        raise AnalysisError(f"the protocol {study.protocol.name!r} cannot be analysed yet.")
    began = clock()
    screening = screen_study(study, store)
    digest = hashlib.sha256()
    votes = votes_from_rows(_hashed(judgment_rows(study, store), digest))
    results = analyse_votes(
        votes,
        alpha=study.file.stopping.alpha if alpha is None else alpha,
        gap=gap,
        seed=study.seed,
        planned=_planned(store),
        stopping=study.file.stopping.rule,
        with_sequential=with_sequential,
    )
    provenance = Provenance(
        duologue=__version__,
        packages=_packages(),
        study=study.name,
        design_hash=study.design_hash,
        data={
            "judgments": digest.hexdigest(),
            "study.toml": hashlib.sha256(study.text.encode()).hexdigest(),
        },
        first_judgment=_span(votes)[0],
        last_judgment=_span(votes)[1],
        began=began.isoformat(timespec="seconds"),
        ended=clock().isoformat(timespec="seconds"),
        is_rehearsal=store.marked(REHEARSAL) is not None,
    )
    return Analysed(results.with_provenance(provenance), votes, screening)


def analyse_file(
    path: Path,
    *,
    layout: VotesFormat = "auto",
    alpha: float = 0.05,
    gap: float = DEFAULT_GAP,
    seed: int = 0,
    with_sequential: bool = False,
    clock: Clock = utc_now,
) -> Analysed:
    """Analyse a table of judgments or Arena-style votes.

    Raises:
        InputError: The file cannot be used; says which line and why.
    """
    began = clock()
    votes = read_votes(path, layout=layout)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    results = analyse_votes(votes, alpha=alpha, gap=gap, seed=seed, with_sequential=with_sequential)
    provenance = Provenance(
        duologue=__version__,
        packages=_packages(),
        data={path.name: digest},
        first_judgment=_span(votes)[0],
        last_judgment=_span(votes)[1],
        began=began.isoformat(timespec="seconds"),
        ended=clock().isoformat(timespec="seconds"),
    )
    return Analysed(results.with_provenance(provenance), votes)


def file_rows(path: Path, *, layout: VotesFormat = "auto") -> Iterator[Row]:
    """The rows of a table of judgments or Arena-style votes, under our own column names."""
    for chunk in judgment_chunks(path, layout=layout):
        for cells in zip(*chunk.columns.values(), strict=True):
            yield dict(zip(chunk.columns, cells, strict=True))


def _hashed(rows: Iterable[Row], digest: _Hash) -> Iterator[Row]:
    for row in rows:
        digest.update(json.dumps(row, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass"))
        yield row


def _planned(store: Store) -> dict[tuple[str, str], int]:
    """Judgments wanted for each matchup, in one arm."""
    bots = {item.group: item.bots for item in store.items() if not item.is_onboarding}
    planned: dict[tuple[str, str], int] = {}
    for progress in store.progress():
        first, second = sorted(bots[progress.group])
        planned[first, second] = max(progress.wanted, planned.get((first, second), 0))
    return planned


def _packages() -> dict[str, str]:
    return {name: version(name) for name in ("numpy", "scipy")}


def _span(votes: Votes) -> tuple[str, str]:
    known = votes.at[~np.isnat(votes.at)]
    return (f"{known.min()}+00:00", f"{known.max()}+00:00") if len(known) else ("", "")
