"""Logs of the human evaluation of ConvAI2 are ratings too."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import FormatError
from duologue.judgments import holds_ratings, read_ratings

TURNS = [
    {"sender": "participant1", "sender_class": "Human", "text": "Hi"},
    {"sender": "participant2", "sender_class": "Bot", "text": "Hello"},
]


def written(tmp_path: Path, *logs: dict[str, object]) -> Path:
    path = tmp_path / "logs.json"
    path.write_text(json.dumps(logs), encoding="utf-8")
    return path


def test_scores_are_ratings_and_matches_persona_detection(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"dialog_id": "a", "dialog": TURNS, "eval_score": 4, "profile_match": 1},
        {"dialog_id": "b", "dialog": TURNS, "eval_score": 2, "profile_match": 0},
        {"dialog": TURNS, "eval_score": None, "profile_match": ""},
    )
    assert holds_ratings(path)
    ratings = read_ratings(path)
    assert ratings.bot.names == ("bot",)
    np.testing.assert_equal(ratings.points["rating"], [4, 2, math.nan])
    np.testing.assert_equal(ratings.persona_right, [1, 0, math.nan])
    assert ratings.dialogue.names == ("bot:a", "bot:b")


def test_participants_are_named_where_the_logs_name_them(tmp_path: Path) -> None:
    named = {
        "participant1_id": {"class": "User", "user_id": "ann"},
        "participant2_id": {"class": "Bot", "user_id": "ada"},
    }
    path = written(
        tmp_path,
        {"dialog": TURNS, "eval_score": 4, **named},
        {"dialog": TURNS, "eval_score": 4, **named, "participant2_id": 7},
        {"dialog": TURNS, "eval_score": 4, "bot": "bea"},
    )
    ratings = read_ratings(path)
    assert ratings.bot.names == ("ada", "bot", "bea")
    assert ratings.annotator.names == ("ann",)


@pytest.mark.parametrize("dialog", ["hello", 3, [{"text": "Hi"}]])
def test_a_dialogue_that_is_none_is_refused(tmp_path: Path, dialog: object) -> None:
    with pytest.raises(FormatError, match="a list of turns, each with a sender"):
        read_ratings(written(tmp_path, {"dialog": dialog, "eval_score": 4}))
