"""What acute says of a study before anybody compares."""

from __future__ import annotations

from typing import ClassVar

from duologue.acute.design.check import check_acute
from duologue.acute.design.describe import describe_acute
from duologue.acute.design.table import acute_settings
from duologue.acute.phrasings.design.check import check_phrasings
from duologue.acute.phrasings.design.describe import describe_phrasings
from duologue.studies import ProtocolDesign, Study, StudyCheck


class AcuteDesign(ProtocolDesign):
    """Two dialogues side by side: checked and described."""

    noun: ClassVar[str] = "comparison"

    def noun_of(self, study: Study) -> str:
        """A comparison, or a ranking of three."""
        return "ranking" if acute_settings(study).is_ranked else self.noun

    def check(self, study: Study) -> StudyCheck:
        """Whether there are pairings, whether they can be shown, and whether they are enough."""
        has_phrasings = acute_settings(study).compares_phrasings
        problems, warnings = check_phrasings(study) if has_phrasings else check_acute(study)
        return StudyCheck(tuple(problems), tuple(warnings))

    def describe(self, study: Study) -> list[str]:
        """Who is compared, by which question, how often, with what onboarding, and what it costs."""
        if acute_settings(study).compares_phrasings:
            return describe_phrasings(study)
        return describe_acute(study)
