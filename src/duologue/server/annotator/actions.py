"""What an annotator does, whichever way they came: pages and Telegram call the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from starlette.concurrency import run_in_threadpool

from duologue.protocols import Draft
from duologue.server.annotator.handed_out import Handed
from duologue.server.site import Site
from duologue.store import Station, Working

SCREEN_FIELD = "screen"
"""On the forms of protocols that ask on several screens: what earlier ones gave is looked up then."""


async def submit_answer(
    site: Site,
    token: str,
    handed: Handed,
    form: Mapping[str, str],
    *,
    key: str,
    seconds: float | None = None,
) -> Station:
    """Store an answer, or the part of it that is known by now; where the annotator stands then.

    Args:
        site: The study as it is served.
        token: The annotator's.
        handed: What the answer is to.
        form: What was sent.
        key: The same key has the same effect, however often it comes.
        seconds: How long it took, where the page says so.

    Raises:
        AnswerError: The answer is not legal.
        StoreError: It could not be stored.
    """
    protocol, asked = site.study.protocol, handed.asked
    if SCREEN_FIELD in form:
        earlier = await run_in_threadpool(site.store.assignment, token, handed.key)
        asked = replace(asked, draft=earlier.draft)
    answer = protocol.read(asked, {**asked.draft, **form})
    if isinstance(answer, Draft):
        station = await site.store.keep_draft_async(
            token, site.caps, assignment=handed.key, fields=answer.fields
        )
    else:
        station = await site.store.submit_async(
            token,
            site.caps,
            assignment=handed.key,
            answer=answer,
            seconds=seconds,
            is_correct=protocol.is_correct(asked, answer),
            key=key,
            flags=await site.screening.flags(site.store, token, handed, answer),
        )
    expect_reply(site, station)
    return station


def expect_reply(site: Site, station: Station) -> None:
    """Have the bot asked at once when an annotator comes to stand in a chat that waits for it."""
    if isinstance(station, Working) and station.assignment.chat is not None:
        site.replies.wake(station.assignment.item.bots[0])
        site.changes.wake()
