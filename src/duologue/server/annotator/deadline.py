"""The clock on a page: until when there is time, where the study sets a deadline."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup, escape

from duologue.server.site import Site


def progress_line(site: Site, number: int, total: int, deadline_at: str | None) -> Markup:
    """How far the annotator has come, in the study's words, and until when there is time.

    It stands wherever a page shows the progress, so that no protocol need know of deadlines.
    """
    said = site.study.file.wording.progress.replace("{number}", str(number)).replace("{total}", str(total))
    if deadline_at is None:
        return escape(said)  # any other braces in it are just text
    return escape(said) + Markup(" ") + _clock(site, deadline_at)


def _clock(site: Site, deadline_at: str) -> Markup:
    left = (datetime.fromisoformat(deadline_at) - datetime.now(UTC)).total_seconds()
    wording, annotators = site.study.file.wording, site.study.file.annotators
    before, _, after = wording.time_until.partition("{time}")
    clock = site.pages.main(
        "deadline.html",
        seconds_left=max(0.0, left),
        at=deadline_at,
        before=before,
        after=after,
        left=wording.time_left if annotators.item_seconds is None else wording.time_left_item,
        countdown=annotators.countdown,
    )
    return Markup(clock.strip())  # noqa: S704  our own template escapes
