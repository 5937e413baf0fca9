"""The ``[acute]`` table of a study that was read."""

from __future__ import annotations

from duologue.acute.settings import AcuteSettings
from duologue.errors import DesignError
from duologue.studies import Study


def acute_settings(study: Study) -> AcuteSettings:
    """The ``[acute]`` table of a study.

    Raises:
        DesignError: The study has another protocol, which knows no pairings.
    """
    if not isinstance(study.settings, AcuteSettings):
        raise DesignError(f"{study.name} is a {study.protocol.name} study; only acute studies have pairings.")
    return study.settings
