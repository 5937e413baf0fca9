"""How a study was conducted: its plan and deviations, looks, exclusions by hand, people and material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.reports.conduct.beside import leaves_out, say_sensitivities, sensitivity
    from duologue.reports.conduct.by_hand import HandExclusions, exclusions_by_hand
    from duologue.reports.conduct.gathering import conduct_of, describe_conduct
    from duologue.reports.conduct.material import say_material
    from duologue.reports.conduct.tables import conduct_tables, write_flow
    from duologue.reports.conduct.words import (
        conduct_lines,
        say_meetings,
        say_participants,
        say_planned_before,
    )

__all__ = [
    "HandExclusions",
    "conduct_lines",
    "conduct_of",
    "conduct_tables",
    "describe_conduct",
    "exclusions_by_hand",
    "leaves_out",
    "say_material",
    "say_meetings",
    "say_participants",
    "say_planned_before",
    "say_sensitivities",
    "sensitivity",
    "write_flow",
]

# Words are said of results without the database they came from.
__getattr__ = lazy_front(__name__)
