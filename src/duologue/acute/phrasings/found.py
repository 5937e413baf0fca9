"""What a study of phrasings has found so far."""

from __future__ import annotations

from duologue.acute.analysis.results import AcuteResults
from duologue.acute.design.table import acute_settings
from duologue.acute.phrasings.results import PhrasingStudyResults
from duologue.errors import DesignError
from duologue.reports import analyse_study
from duologue.store import open_study
from duologue.studies import Study


def found_phrasings(study: Study) -> PhrasingStudyResults:
    """Analyse the judgments of a study of phrasings; as any analysis, it is noted as a look at the results.

    Raises:
        DesignError: The study compares bots.
    """
    if not acute_settings(study).compares_phrasings:
        raise DesignError(f"{study.name} compares bots; `duologue phrasings new` makes a study of phrasings.")
    with open_study(study) as store:
        results = analyse_study(study, store).results
    assert isinstance(results, AcuteResults)  # noqa: S101  it is a study of comparisons
    assert results.phrasings is not None  # noqa: S101  of phrasings
    return results.phrasings
