"""The ``[likert]`` table of a study that was read."""

from __future__ import annotations

from duologue.errors import DesignError
from duologue.likert.settings import LikertSettings
from duologue.studies import Study


def likert_settings(study: Study) -> LikertSettings:
    """The ``[likert]`` table of a study.

    Raises:
        DesignError: The study has another protocol.
    """
    if not isinstance(study.settings, LikertSettings):
        raise DesignError(f"{study.name} is a {study.protocol.name} study, not one of ratings.")
    return study.settings
