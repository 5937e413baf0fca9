"""Where an annotator stands, as the ``<main>`` of a page: consent, a comparison, a live chat, thanks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, get_args

from duologue.protocols import HUMAN, ChatPlan, ChatSettings, FormValues, Item, View, chat_plan
from duologue.server.annotator.consenting import consent_facts
from duologue.server.annotator.deadline import progress_line
from duologue.server.annotator.recent_assignments import AskedAssignment
from duologue.server.annotator.waiting import waiting_parts
from duologue.server.site import Site
from duologue.store import (
    Assignment,
    Chat,
    ConsentStation,
    FormStation,
    ItemStation,
    NoPlace,
    Station,
    ThanksStation,
)
from duologue.studies import FIELD, FormSettings, Study, WordingTable

Outcome = Literal["saved", "unsaved", "late"]
"""What became of what an annotator sent."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class PageState:
    """How a page comes about: after something was sent, or with what was typed and is not right yet."""

    outcome: Outcome | None = None
    typed: FormValues = field(default_factory=FormValues)
    problem: str = ""
    chat_first: bool = False
    """Whether a chat that is over is shown once more before the questions about it."""


def outcome_of(station: Station) -> Outcome:
    """What became of what was sent on the way to a station."""
    if station.saved:
        return "saved"
    return "late" if isinstance(station, ItemStation | ThanksStation) and station.timed_out else "unsaved"


def annotator_path(token: str) -> str:
    """Where an annotator's pages are."""
    return f"/a/{token}"


def station_main(site: Site, token: str, station: Station, shown: PageState) -> str:
    """The ``<main>`` of the page an annotator sees at this station."""
    if isinstance(station, ItemStation):
        news = _news(site.study.file.wording, station, shown.outcome)
        handed, chat = site.recent_assignments.remember(token, station.assignment), station.assignment.chat
        asked = station.assignment.asked
        is_over = chat is None or (chat.is_usable and not shown.chat_first)
        if chat is not None and not (is_over and site.study.protocol.show(asked).asks):
            shown = replace(shown, problem=shown.problem or news)
            return chat_main(site, token, handed, chat, new_submission(site), shown=shown)
        return _judging(site, token, station.assignment, shown, news)
    news = site.study.file.wording.nothing_saved if shown.outcome == "unsaved" else ""
    if isinstance(station, FormStation):
        return form_main(site, token, site.study.form(station.form), news=news)
    if isinstance(station, ConsentStation):
        facts = consent_facts(site.worded, station.annotator, site.live_bots)
        return site.pages.main("consent.html", place=annotator_path(token), facts=facts)
    if isinstance(station, ThanksStation):
        wording, is_paid = (
            site.study.file.wording,
            not (station.timed_out or station.was_stopped or station.is_empty),
        )
        parting = wording.parting(
            station.timed_out, station.was_stopped, station.is_empty, station.is_unanswered
        )
        return site.pages.main("thanks.html", code=station.code, news=news, parting=parting, is_paid=is_paid)
    took_part = bool(station.annotator.arm)
    return no_work_main(site, station.no_place, annotator_path(token), news=news, took_part=took_part)


def _news(wording: WordingTable, station: ItemStation, outcome: Outcome | None) -> str:
    """What became of the item before, where that is not what one would think."""
    if station.timed_out or outcome == "late":
        return wording.time_up
    return wording.nothing_saved if outcome == "unsaved" else ""


def no_work_main(site: Site, no_place: NoPlace, path: str, *, news: str = "", took_part: bool = False) -> str:
    """The ``<main>`` for somebody for whom there is nothing, who may look again at ``path``.

    Whoever took part (``took_part``) and will not go on reads the debriefing.
    """
    return site.pages.main(
        "no_work.html",
        news=news,
        words=no_work_words(site.study.file.wording, no_place),
        again=path if no_place.why == "taken" else "",
        took_part=took_part,
    )


@dataclass(frozen=True, slots=True)
class NoWorkWords:
    """What somebody is told for whom there is nothing."""

    title: str
    text: str


def no_work_words(wording: WordingTable, no_place: NoPlace) -> NoWorkWords:
    """Why there is nothing, and what to do, in the study's words."""
    if no_place.why == "taken":
        minutes = max(1, math.ceil(no_place.again_in_seconds / 60))
        text = wording.all_taken.replace("{minutes}", str(minutes))
        return NoWorkWords(wording.all_taken_title, text)
    if no_place.why == "done":
        return NoWorkWords(wording.all_done_title, wording.all_done)
    if no_place.why == "blocked":
        return NoWorkWords(wording.blocked_title, wording.blocked)
    return NoWorkWords(wording.no_work_title, wording.no_work)


def form_main(
    site: Site,
    token: str,
    form: FormSettings,
    *,
    typed: FormValues | None = None,
    problems: Mapping[str, str] | None = None,
    news: str = "",
) -> str:
    """The ``<main>`` of a form to fill in.

    Args:
        site: The study as it is served.
        token: The annotator's.
        form: The form.
        typed: What was sent and is not right yet.
        problems: What is not right, by question.
        news: What became of what was sent before.
    """
    given, wrong = typed or FormValues(), problems or {}
    return site.pages.main(
        "form.html",
        form=form,
        news=news,
        field=FIELD,
        action=annotator_path(token) + "/form",
        typed={question.name: given.every(FIELD + question.name) for question in form.questions},
        problems=wrong,
        first_wrong=next((question.name for question in form.questions if question.name in wrong), ""),
    )


def refreshes(station: Station) -> bool:
    """Whether a page without script looks again by itself: while the partner is awaited."""
    chat = station.assignment.chat if isinstance(station, ItemStation) else None
    return chat is not None and chat.state in ("waiting", "partner")


def chat_main(
    site: Site, token: str, handed: AskedAssignment, chat: Chat, submission: str, *, shown: PageState
) -> str:
    """The ``<main>`` of a live chat as it stands; ``submission`` is the idempotency key of its form."""
    plan = chat_plan(handed.asked.item) or ChatPlan()
    settings, wording = site.caps.chat, site.study.wording_of(handed.asked.item)
    asked = replace(handed.asked, moment=chat.moment)
    view = site.study.protocol.show(asked) if chat.state == "choosing" else None
    is_over = bool(plan.choose) and chat.state == "ended" and chat.is_usable
    is_last = is_over and not site.study.protocol.show(asked).asks
    return site.pages.main(
        "chat.html",
        wording=wording,
        is_last=is_last,
        chat=chat,
        plan=plan,
        view=view.values if view is not None else {},
        question=view.cards if view is not None else None,
        written_label=wording.written_label.replace("{least}", str(plan.min_written)),
        persona=plan.annotator_persona,
        topic=plan.topic,
        now=_now(wording, chat, has_candidates=len(handed.asked.item.bots) > 1),
        offer_in=offer_in(settings, handed.asked.item, chat),
        waiting=waiting_parts(wording, chat, settings.waiting_minutes * 60),
        exchanges=wording.exchanges.replace("{done}", str(_sent(chat)))
        .replace("{least}", str(settings.min_exchanges))
        .replace("{most}", str(settings.max_exchanges)),
        max_chars=settings.max_message_chars,
        key=handed.key,
        submission=submission,
        place=annotator_path(token),
        number=handed.number,
        total=handed.total,
        done=handed.number - 1 + _chatted(chat.exchanges, settings.min_exchanges),
        progress=progress_line(site, handed.number, handed.total, handed.deadline_at),
        skips_left=handed.skips_left,
        typed=shown.typed,
        problem=shown.problem,
    )


def offer_in(settings: ChatSettings, item: Item, chat: Chat) -> float | None:
    """In how many seconds the annotator may end the chat with credit, should the bot not have answered."""
    if chat.state != "partner" or chat.can_end or HUMAN in item.bots:
        return None
    waited = (datetime.now(UTC) - datetime.fromisoformat(chat.since)).total_seconds()
    return max(0.0, settings.offer_end_seconds - waited)


def _sent(chat: Chat) -> int:
    """How many messages the annotator has written; in parallel chats each goes to both."""
    return sum(turn.is_annotator for turn in chat.turns)


def _now(wording: WordingTable, chat: Chat, *, has_candidates: bool) -> str:
    """What the annotator is told about the state of the chat."""
    if chat.state == "ended":
        return wording.chat_ended(chat.ending)
    return {
        "waiting": wording.waiting_room,
        "annotator": wording.your_turn if chat.turns else wording.first_message,
        "partner": wording.replies_typing if has_candidates else wording.typing,
        "choosing": wording.choose_reply,
        "failed": wording.bot_failed,
    }[chat.state]


_NOTHING_TYPED = FormValues({"choice": "", "reason": ""})


def _chatted(exchanges: int, least: int) -> float:
    """How much of an item is done, as the bar of progress shows it, after so many exchanges of its chat.

    The exchanges that are needed and the questions after them are equal steps.
    """
    return min(exchanges, least) / (least + 1)


def _judging(site: Site, token: str, assignment: Assignment, shown: PageState, news: str) -> str:
    study = site.study
    view = study.protocol.show(assignment.asked)
    told = [news, study.file.wording.question_changed if _asks_another(study, assignment, view) else ""]
    least = site.caps.chat.min_exchanges
    chatted = 0.0 if assignment.chat is None else _chatted(least, least)
    return site.pages.main(
        view.template,
        view=view.values,
        is_live=assignment.chat is not None,
        key=assignment.key,
        submission=new_submission(site),
        action=annotator_path(token) + "/submit",
        place=annotator_path(token),
        skips_left=assignment.skips_left,
        number=assignment.number,
        total=assignment.total,
        done=assignment.number - 1 + chatted + (1 - chatted) * view.share_done,
        progress=progress_line(site, assignment.number, assignment.total, assignment.deadline_at),
        saved=shown.outcome == "saved" and not news,
        news=" ".join(filter(None, told)),
        typed=shown.typed.over(_NOTHING_TYPED),
        problem=shown.problem,
    )


def _asks_another(study: Study, assignment: Assignment, view: View) -> bool:
    """Whether the question is another one than that of the item before."""
    if assignment.arm_before in ("", assignment.arm):
        return False
    before = study.protocol.show(replace(assignment.asked, arm=assignment.arm_before))
    return before.values.get("question") != view.values.get("question")


def new_submission(site: Site) -> str:
    """An idempotency key for the form of a page."""
    return f"{site.submission_keys.getrandbits(96):024x}"
