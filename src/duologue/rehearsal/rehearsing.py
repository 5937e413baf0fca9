"""Rehearsing a study: copy it, serve it, let simulated annotators judge, and see what came of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import httpx2
import numpy as np

from duologue.judgments import Judgment
from duologue.protocols import Item, chat_plan, read_items
from duologue.rehearsal.answers import Knowledge
from duologue.rehearsal.base import Part, Stated, check_stated, rehearsal_of
from duologue.rehearsal.chat_checks import check_chats
from duologue.rehearsal.chatting import PresentAnnotators
from duologue.rehearsal.checks import RuleCheck, check_forms, check_rules
from duologue.rehearsal.copy import check_items, copy_study, earlier_copy
from duologue.rehearsal.kinds import (
    FAILS_ONBOARDING,
    NEVER_A_REASON,
    SLOW,
    SLOW_DOES,
    SLOW_SHARE,
    Kind,
    SimulatedAnnotator,
    draw_annotators,
)
from duologue.rehearsal.results import Rehearsal, kind_results
from duologue.rehearsal.serving import served_copy
from duologue.rehearsal.walk import Walk, walk_pages
from duologue.reports import Analysis, analyse_study, choose_examples, write_report
from duologue.store import (
    REHEARSAL,
    Invitation,
    Store,
    bring_home,
    copy_addenda,
    drop_scratch,
    fetch_annotators,
    fetch_assignment_in_hand,
    fetch_chat,
    fetch_chats,
    fetch_filled_forms,
    fetch_judgments,
    fetch_progress,
    invite_annotators,
    note_fact,
    open_store,
    release_assignment,
    scratch_address,
    screen_annotators,
)
from duologue.studies import Study, addenda_in, draw_items, load_study

OnProgress = Callable[[int, int], None]
"""Told how many annotators have finished, of how many."""

CONCURRENCY = 8
"""How many annotators are at it at the same time."""


def rehearse(
    folder: Path | str,
    *,
    annotators: int = 60,
    seed: int = 7,
    stated: Stated | None = None,
    concurrency: int = CONCURRENCY,
    base_url: str | None = None,
    with_report: bool = True,
    on_progress: OnProgress = lambda done, total: None,
) -> Rehearsal:
    """Let simulated annotators walk the real pages of a copy of a study, over HTTP.

    What an annotator answers to an item follows from the seed alone. Which items it is handed depends on
    who else is there, so with several annotators at a time two rehearsals differ in that; one at a time
    (``concurrency=1``), the same seed gives the same judgments.

    Args:
        folder: The study's folder; the copy is made in ``rehearsal`` inside it.
        annotators: How many come.
        seed: Where everything random in the rehearsal comes from; the study's own seed is left as it is.
        stated: What is true of the bots, as the options of the command say it: ``{"prefer": ["A:B=0.7"]}``;
            the rest is drawn.
        concurrency: How many annotators are at it at the same time.
        base_url: Where the copy of an earlier rehearsal is being served; these annotators come on top of
            those who were there. By default a new copy is made, served by a server of its own.
        with_report: Whether to write the report of the rehearsal, into the folder of the copy.
        on_progress: Told of every annotator who has finished.

    Raises:
        StudyNotFound: There is no study in the folder.
        RehearsalError: It has nothing to judge, or its server failed.
        DesignError: What is stated cannot be true of the study, or nobody comes.
    """
    started = time.monotonic()
    study = load_study(folder)
    draw_items(study)
    check_items(study)
    items = {item.id: item for item in read_items(study.items_path)}
    judged = [item for item in items.values() if item.is_judged]
    part = rehearsal_of(study.protocol.name)
    check_stated(stated or {}, protocol=study.protocol.name)
    truth = part.truth_of(study.protocol, judged, stated or {}, rng=np.random.default_rng(seed))
    coming = draw_annotators(annotators, seed=seed, mix=_mix(part.mix, study, items.values()))
    is_new = base_url is None
    copy = copy_study(study, seed=seed, annotators=annotators) if is_new else earlier_copy(study)
    with _own_schema(copy, is_new=is_new), open_store(copy.database) as store:
        if is_new:
            store.run(copy_addenda(addenda_in(study.folder)))
        store.run(note_fact(REHEARSAL, json.dumps({"seed": seed, "annotators": annotators})))
        invitations = _invite(store, coming, copy)
        with served_copy(copy) if base_url is None else nullcontext(base_url) as address:
            knowledge = Knowledge(copy, part, truth)
            crowd = _Crowd(address, store, knowledge, concurrency, on_progress)
            walks = _run(crowd.walk_all(coming, invitations))
            store.run(screen_annotators(copy.caps))
        found = _found(knowledge, store, items, walks, with_report=with_report)
    return replace(found, study=study.name, seed=seed, seconds=time.monotonic() - started)


def _found(
    knowledge: Knowledge,
    store: Store,
    items: Mapping[str, Item],
    walks: tuple[Walk, ...],
    *,
    with_report: bool,
) -> Rehearsal:
    """What came of the walks: judgments, rules, and whether the analysis finds what is true."""
    copy, part = knowledge.study, knowledge.part
    analysed = analyse_study(copy, store, how="report" if with_report else "analyse")
    progress = store.run(fetch_progress())
    judgments = tuple(store.stream(fetch_judgments()))
    has_chats = any(chat_plan(item) for item in items.values() if item.is_judged)
    kinds = kind_results(
        walks,
        judgments,
        summaries={
            **part.summaries_of(tuple(items.values())),
            **({} if _asks_why(copy) else part.without_reasons),
            SLOW: SLOW_DOES,
        },
        flagged={one.id: one.flagged for one in store.run(fetch_annotators())},
        chats=store.run(fetch_chats()) if has_chats else (),
    )
    return Rehearsal(
        study=copy.name,
        folder=copy.folder,
        seed=copy.seed,
        walks=walks,
        kinds=kinds,
        rules=_checked_rules(copy, store, part, items, walks, judgments),
        recoveries=tuple(part.recoveries(analysed.results, knowledge.truth)),
        sought=part.sought,
        set_aside=tuple(part.set_aside(analysed.results)),
        used=part.used(analysed.results),
        wanted=sum(one.wanted for one in progress),
        counted=sum(one.done for one in progress),
        report=_write_report(copy, store, analysed) if with_report else None,
        seconds=0.0,
    )


def _checked_rules(
    copy: Study,
    store: Store,
    part: Part,
    items: Mapping[str, Item],
    walks: Sequence[Walk],
    judgments: Sequence[Judgment],
) -> tuple[RuleCheck, ...]:
    """Whether the rules of all studies have held, and those of forms and live chats where there are some."""
    judged = [item for item in items.values() if item.is_judged]
    rules = check_rules(judgments, items, walks, copy.caps, noun=part.noun(judged))
    if copy.file.forms:
        rules += (check_forms(store.stream(fetch_filled_forms()), walks),)
    if any(map(chat_plan, judged)):
        rules += check_chats(
            store.run(fetch_chats()),
            walks,
            copy.caps,
            planned=Counter(item.group for item in judged),
            rated={judgment.id for judgment in judgments},
            counted={judgment.id for judgment in judgments if not judgment.excluded},
            find_chat=lambda token, key: store.run(fetch_chat(token, key)),
        )
    return rules


@contextmanager
def _own_schema(copy: Study, *, is_new: bool) -> Iterator[None]:
    """Rehearse a study of PostgreSQL in an empty schema; what is in it comes into the folder afterwards."""
    if not is_new or not scratch_address(copy.database):
        yield
        return
    drop_scratch(copy.database)
    try:
        yield
    except BaseException:
        drop_scratch(copy.database)
        raise
    bring_home(copy)


def _mix(mix: Mapping[Kind, float], study: Study, items: Iterable[Item]) -> Mapping[Kind, float]:
    """Who comes: each kind only where something in the study shows what it does.

    The slow where there is a time limit, those who fail where something has a known answer, and those who
    never give a reason where one is asked for.
    """
    if all(item.is_judged for item in items):
        mix = {kind: share for kind, share in mix.items() if kind != FAILS_ONBOARDING}
    if not _asks_why(study):
        mix = {kind: share for kind, share in mix.items() if kind != NEVER_A_REASON}
    caps = study.caps
    any_time = caps.item_seconds is None and caps.sitting_seconds is None
    return mix if any_time else {**mix, SLOW: SLOW_SHARE * sum(mix.values())}


def _asks_why(study: Study) -> bool:
    """Whether annotators are asked for a reason, as far as the protocol says what they do."""
    facts = study.protocol.facts()
    return facts is None or "reasons" in facts


def _invite(store: Store, coming: Sequence[SimulatedAnnotator], study: Study) -> tuple[Invitation, ...]:
    """Links for everybody who comes; where links make cohorts, each gets its share of them in turn."""
    by_link = study.link_cohorts
    if study.file.annotators.cohort_from:  # an answer makes the others
        by_link = ("", *(one.name for one in study.file.cohorts if not one.answers))
    made: dict[int, Invitation] = {}
    for place, cohort in enumerate(by_link):
        some = coming[place :: len(by_link)]
        labels = [f"{one.kind} {one.number + 1}" for one in some]
        links = store.run(invite_annotators(len(some), labels=labels, cohort=cohort)) if some else ()
        made |= {one.number: link for one, link in zip(some, links, strict=True)}
    return tuple(made[one.number] for one in coming)


def _write_report(copy: Study, store: Store, analysed: Analysis) -> Path:
    examples = choose_examples(copy, store)
    return write_report(analysed.results, copy.folder / "report", study=copy, examples=examples)[0]


class _Crowd:
    """Annotators at work at the same time, a bounded number of them."""

    def __init__(
        self, address: str, store: Store, knowledge: Knowledge, concurrency: int, on_progress: OnProgress
    ) -> None:
        self._address, self._store, self._knowledge = address, store, knowledge
        self._seats = asyncio.Semaphore(concurrency)
        self._limits = httpx2.Limits(max_connections=2 * concurrency)
        self._on_progress = on_progress
        self._others = PresentAnnotators()
        self._total = 0
        self._seen: set[str] = set()

    async def walk_all(
        self, coming: Sequence[SimulatedAnnotator], invitations: Sequence[Invitation]
    ) -> tuple[Walk, ...]:
        """Let everybody come; whoever found no work looks again when all have gone.

        What was excluded meanwhile, or given back, is to be judged anew.
        """
        async with httpx2.AsyncClient(
            base_url=self._address,
            follow_redirects=True,
            timeout=60,
            limits=self._limits,
            trust_env=False,
        ) as client:
            everybody = list(zip(coming, invitations, strict=True))
            self._total = len(everybody)
            walks = await self._walk_together(everybody, client)
            while turned_away := [number for number, walk in enumerate(walks) if walk.ending == "no-work"]:
                await asyncio.to_thread(self._store.run, screen_annotators(self._knowledge.study.caps))
                again = await self._walk_together([everybody[number] for number in turned_away], client)
                for number, walk in zip(turned_away, again, strict=True):
                    walks[number] = walks[number].then(walk)
                if not any(walk.saved for walk in again):
                    break
        return tuple(walks)

    async def _walk_together(
        self, visitors: Sequence[tuple[SimulatedAnnotator, Invitation]], client: httpx2.AsyncClient
    ) -> list[Walk]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._walk(one, invitation, client)) for one, invitation in visitors]
        return [task.result() for task in tasks]

    async def _walk(
        self, one: SimulatedAnnotator, invitation: Invitation, client: httpx2.AsyncClient
    ) -> Walk:
        async with self._seats:
            with self._others.present():
                walk = await walk_pages(
                    one,
                    invitation,
                    client=client,
                    store=self._store,
                    knowledge=self._knowledge,
                    others=self._others,
                )
            if walk.ending in ("left", "refused"):
                await asyncio.to_thread(self._end_lease, invitation.token)
        if invitation.annotator not in self._seen:
            self._seen.add(invitation.annotator)
            self._on_progress(len(self._seen), self._total)
        return walk

    def _end_lease(self, token: str) -> None:
        """Give back what somebody left with, as if their lease had run out; an onboarding item too."""
        if held := self._store.run(fetch_assignment_in_hand(token)):
            self._store.run(release_assignment(held, self._knowledge.study.caps, by="rehearsal"))


def _run(walking: Coroutine[None, None, tuple[Walk, ...]]) -> tuple[Walk, ...]:
    """Run until all have finished; when one cannot go on, stop the others and say why."""
    try:
        return asyncio.run(walking)
    except ExceptionGroup as group:
        raise group.exceptions[0] from group
