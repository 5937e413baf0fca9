"""The server: pages for annotators, pages and an API for the researcher."""

from __future__ import annotations

from duologue.server.app import Companion, create_app
from duologue.server.checking import check_serving
from duologue.server.links import BASE_URL_MARK, annotator_link, researcher_link, study_keys
from duologue.server.logs import ServerLog
from duologue.server.overview import GroupOverview, StudyOverview, study_overview
from duologue.server.preparing import Prepared, prepare_study
from duologue.server.serving import Serving, serve_study, served
from duologue.server.site import Site, change_key
from duologue.server.telegram import Telegram, check_telegram, telegram_from

__all__ = [
    "BASE_URL_MARK",
    "Companion",
    "GroupOverview",
    "Prepared",
    "ServerLog",
    "Serving",
    "Site",
    "StudyOverview",
    "Telegram",
    "annotator_link",
    "change_key",
    "check_serving",
    "check_telegram",
    "create_app",
    "prepare_study",
    "researcher_link",
    "serve_study",
    "served",
    "study_keys",
    "study_overview",
    "telegram_from",
]
