from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from duologue.rehearsal import (
    KindResult,
    Recovery,
    Rehearsal,
    RuleCheck,
    describe_rehearsal,
    rehearsal_record,
)

REHEARSAL = Rehearsal(
    study="mine",
    folder=Path("mine/rehearsal"),
    seed=7,
    walks=(),
    kinds=(
        KindResult("careful", 2, 6, {}, {"thanks": 2}),
        KindResult("never-a-reason", 1, 3, {"no-reason": 3}, {"thanks": 1}, does="never say why"),
        KindResult("leaves-half-way", 1, 1, {}, {"left": 1}),
    ),
    rules=(RuleCheck("judgments per annotator", 3, 3),),
    recoveries=(
        Recovery("recovered", "b over a, estimated 75 %", "b is better than a.", {"first": "a"}),
        Recovery("undecided", "b over a, nobody judged", "no judgments.", {"first": "a"}),
    ),
    report=Path("mine/rehearsal/report/report.html"),
    seconds=1.25,
)


def test_it_says_in_capitals_that_it_was_a_rehearsal() -> None:
    assert describe_rehearsal(REHEARSAL).startswith("REHEARSAL: ")


def test_it_says_what_each_kind_did_and_what_was_set_aside() -> None:
    said = describe_rehearsal(REHEARSAL)
    assert "1 never-a-reason (never say why): 3 judgments, 0 counted" in said
    assert "no-reason: 3 judgments (3 by never-a-reason)" in said
    assert "1 left" in said


def test_one_of_something_is_said_in_the_singular() -> None:
    single = KindResult(
        "never-a-reason", 1, 1, {"no-reason": 1}, {"thanks": 1}, does="never say why", credited=1
    )
    said = describe_rehearsal(replace(REHEARSAL, kinds=(single,), wanted=1, counted=0))
    assert "(never say why): 1 judgment, 0 counted, 1 chat ended with credit;" in said
    assert "no-reason: 1 judgment (1 by never-a-reason)" in said
    assert "0 of 1 planned judgment count." in said


def test_it_says_whether_the_planned_number_is_reached() -> None:
    reached = replace(REHEARSAL, wanted=7, counted=7)
    assert "The planned number is reached: 7 of 7 planned judgments count." in describe_rehearsal(reached)
    short = replace(REHEARSAL, wanted=7, counted=6)
    assert "The planned number is not reached: 6 of 7 planned judgments count." in describe_rehearsal(short)
    assert "count. More annotators (--annotators) fill it." in describe_rehearsal(short)
    idle = KindResult("careful", 3, 6, {}, {"thanks": 1, "no-work": 2})
    told = describe_rehearsal(replace(short, kinds=(idle,)))
    assert "count. 2 of those who came found no work: more annotators may not fill it." in told
    screened = replace(reached, used="Of these the analysis uses 5.")
    assert "7 of 7 planned judgments count. Of these the analysis uses 5." in describe_rehearsal(screened)
    assert rehearsal_record(screened)["used"] == "Of these the analysis uses 5."
    assert "used" not in rehearsal_record(reached)
    assert (rehearsal_record(short)["wanted"], rehearsal_record(short)["counted"]) == (7, 6)


def test_a_broken_rule_stands_out() -> None:
    broken = replace(REHEARSAL, rules=(RuleCheck("judgments per annotator", 3, 4),))
    assert "NO   judgments per annotator: at most 3, seen 4" in describe_rehearsal(broken)
    assert not broken.rules_have_held
    assert rehearsal_record(broken)["rules_have_held"] is False


def test_what_was_found_is_said_with_the_verdict() -> None:
    said = describe_rehearsal(REHEARSAL)
    assert "  recovered: b over a, estimated 75 %\n    b is better than a.\n" in said
    assert "Did the analysis find what careful annotators prefer?" in said
    assert "what careful annotators rate higher?" in describe_rehearsal(
        replace(REHEARSAL, sought="rate higher")
    )


def test_the_report_is_named_when_there_is_one() -> None:
    assert describe_rehearsal(REHEARSAL).endswith("Report: mine/rehearsal/report/report.html")
    assert "Report" not in describe_rehearsal(replace(REHEARSAL, report=None))


def test_the_record_is_json_and_says_that_it_is_a_rehearsal() -> None:
    record = json.loads(json.dumps(rehearsal_record(REHEARSAL)))
    assert record["rehearsal"] is True
    assert record["kinds"][1]["excluded"] == {"no-reason": 3}
    assert record["recoveries"][0] == {
        "first": "a",
        "finding": "recovered",
        "verdict": "b is better than a.",
    }


RATED = replace(
    REHEARSAL,
    kinds=(KindResult("spammer", 1, 3, {}, {"thanks": 1}, does="send the same word", flagged=3),),
)


def test_a_study_of_one_bot_has_nothing_to_find() -> None:
    assert "there are no two bots to compare" in describe_rehearsal(replace(RATED, recoveries=()))


def test_flagged_chats_are_told_of_in_words_and_in_the_record() -> None:
    assert "1 spammer (send the same word): 3 judgments, 3 counted, 3 flagged" in describe_rehearsal(RATED)
    record = json.loads(json.dumps(rehearsal_record(RATED)))
    assert record["kinds"][0]["flagged"] == 3


def test_it_says_what_those_were_told_who_were_refused() -> None:
    refused = KindResult("careful", 2, 0, {}, {"refused": 2}, problems=("Please give a number.",))
    told = replace(REHEARSAL, kinds=(refused,))
    assert "2 were refused and gave up (“Please give a number.”)" in describe_rehearsal(told)
    assert json.dumps(rehearsal_record(told)).count("Please give a number.") == 1
