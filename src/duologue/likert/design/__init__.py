"""What likert says of a study before anybody rates."""

from __future__ import annotations

from typing import ClassVar

from duologue.likert.design.check import check_likert
from duologue.likert.design.describe import describe_likert
from duologue.likert.design.table import likert_settings
from duologue.studies import ProtocolDesign, Study, StudyCheck


class LikertDesign(ProtocolDesign):
    """A live chat or a finished dialogue, then ratings: checked and described."""

    noun: ClassVar[str] = "rating"

    def check(self, study: Study) -> StudyCheck:
        """Whether there is something to rate, and enough of it."""
        problems, warnings = check_likert(study, likert_settings(study))
        return StudyCheck(tuple(problems), tuple(warnings))

    def describe(self, study: Study) -> list[str]:
        """Who is talked to or read, what is asked, how often, what is screened, and what it costs."""
        return describe_likert(study, likert_settings(study))
