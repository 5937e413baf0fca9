"""Several studies side by side, whatever their protocols: do they say the same about the same bots?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.comparing.effort import EffortCurve, EffortPoint, effort_of, say_effort
    from duologue.comparing.effort_files import effort_json, write_effort
    from duologue.comparing.measurements import Measurement, read_measurement
    from duologue.comparing.places import TwicePlacedBot, places_of
    from duologue.comparing.side_by_side import ComparedPair, MeasurementPair, compare_measurements
    from duologue.comparing.writing import comparison_in_words, comparison_json, write_comparison

__all__ = [
    "ComparedPair",
    "EffortCurve",
    "EffortPoint",
    "Measurement",
    "MeasurementPair",
    "TwicePlacedBot",
    "compare_measurements",
    "comparison_in_words",
    "comparison_json",
    "effort_json",
    "effort_of",
    "places_of",
    "read_measurement",
    "say_effort",
    "write_comparison",
    "write_effort",
]

__getattr__ = lazy_front(__name__)
