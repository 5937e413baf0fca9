"""The server: pages for annotators, pages and an API for the researcher."""

from __future__ import annotations

from duologue.server.annotator.actions import (
    arrive,
    chat_in,
    consent,
    decline,
    end_chat,
    leave_chat,
    say,
    skip,
    submit_answer,
    try_again,
)
from duologue.server.annotator.consenting import consent_facts
from duologue.server.annotator.stations import no_work_words, offer_in
from duologue.server.app import SideTask, create_app
from duologue.server.limits import RateLimit
from duologue.server.researcher.codes import codes_table
from duologue.server.researcher.links import BASE_URL_FACT, annotator_link, researcher_link, study_keys
from duologue.server.researcher.looks import say_blocking, say_unblocking
from duologue.server.researcher.overview import GroupOverview, StudyOverview, study_overview
from duologue.server.running.checking import check_serving
from duologue.server.running.logs import ServerLog
from duologue.server.running.preparing import PreparedStudy, prepare_study
from duologue.server.running.serving import ServedStudy, serve_study, served
from duologue.server.site import Site, change_key

__all__ = [
    "BASE_URL_FACT",
    "GroupOverview",
    "PreparedStudy",
    "RateLimit",
    "ServedStudy",
    "ServerLog",
    "SideTask",
    "Site",
    "StudyOverview",
    "annotator_link",
    "arrive",
    "change_key",
    "chat_in",
    "check_serving",
    "codes_table",
    "consent",
    "consent_facts",
    "create_app",
    "decline",
    "end_chat",
    "leave_chat",
    "no_work_words",
    "offer_in",
    "prepare_study",
    "researcher_link",
    "say",
    "say_blocking",
    "say_unblocking",
    "serve_study",
    "served",
    "skip",
    "study_keys",
    "study_overview",
    "submit_answer",
    "try_again",
]
