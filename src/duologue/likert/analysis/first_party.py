"""Ratings of the same dialogues by those who had them, read from a study or a table."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from duologue.errors import AnalysisError
from duologue.judgments import Ratings, is_rating_column, ratings_from_rows, read_ratings, who_judged
from duologue.protocols import JUDGE


def read_first_party(source: Path) -> Ratings:
    """Read the ratings that annotators gave to chats of their own.

    Args:
        source: The study in which they had the chats and rated them, or its exported judgments.

    Raises:
        InputError: The file cannot be used; says which line and why.
        AnalysisError: The study is none of ratings.
    """
    if not source.is_dir():
        if who_judged(source) == JUDGE:
            raise AnalysisError(f"{source}: judged by models, which had no chats (--first-party).")
        return read_ratings(source)
    from duologue.store import judgment_rows, open_study
    from duologue.studies import load_study

    study = load_study(source)
    with open_study(study) as store:
        rows = judgment_rows(study, store)
        first = next(rows, {})
        if not any(map(is_rating_column, first)):
            raise AnalysisError(f"{source}: no judgment of the study holds ratings.")
        return ratings_from_rows(chain([first], rows))
