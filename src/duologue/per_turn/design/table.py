"""The ``[per-turn]`` table of a study that was read."""

from __future__ import annotations

from duologue.errors import DesignError
from duologue.per_turn.settings import PerTurnSettings
from duologue.studies import Study


def per_turn_settings(study: Study) -> PerTurnSettings:
    """The ``[per-turn]`` table of a study.

    Raises:
        DesignError: The study has another protocol.
    """
    if not isinstance(study.settings, PerTurnSettings):
        raise DesignError(f"{study.name} is a {study.protocol.name} study, not one of turns.")
    return study.settings
