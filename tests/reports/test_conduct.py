"""How a study was conducted: plan, deviations, looks, exclusions by hand, participants, material."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import AcuteResults
from duologue.acute.report.methods import methods_paragraph
from duologue.dialogues import Dialogue, Speaker, Turn, remove_dialogues
from duologue.judgments import Exclusion, NameColumn
from duologue.protocols import Conduct, FlaggedJudgments, Outcome, ParticipantStep, read_items, write_items
from duologue.reports import Analysis, AnalysisRequest, analyse_study, describe_conduct, write_report
from duologue.reports.conduct import (
    leaves_out,
    say_material,
    say_participants,
    say_sensitivities,
    sensitivity,
)
from duologue.reports.conduct.material import material_of
from duologue.reports.conduct.screened import FlagCounter, say_flags
from duologue.reports.conduct.words import conduct_lines
from duologue.reports.judged import StudyJudgments
from duologue.reports.methods import took_part
from duologue.server import prepare_study
from duologue.store import (
    Store,
    block_annotator,
    decline_consent,
    exclude_judgments,
    fetch_judgments,
    fetch_looks,
    give_consent,
    invite_annotators,
    note_fact,
    open_store,
    restore_judgments,
    undeclared_by_hand,
)
from duologue.studies import Study, load_study
from tests.protocols.test_judged import BATCH
from tests.reports.judged_study import BOTS, compared, make_study, prefers_earlier, prefers_later, sit


class Moving:
    """A clock that goes on by a minute whenever it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "study")


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    with open_store(study.database, clock=Moving()) as opened:
        prepare_study(study, opened)
        yield opened


def conducted(study: Study, store: Store, **asked: float) -> tuple[AcuteResults, Conduct]:
    results = compared(analyse_study(study, store, **asked))  # type: ignore[arg-type]
    assert results.conduct is not None
    return results, results.conduct


def test_a_study_that_kept_to_its_plan_has_no_deviation(study: Study, store: Store) -> None:
    for _ in range(12):
        sit(study, store, prefers_earlier())
    _, found = conducted(study, store)
    assert found.plan is not None
    assert [(one.planned, one.counted) for one in found.plan.numbers] == [(12, 12)] * 3
    assert found.deviations == ()
    assert found.looks_sentence.startswith("The results were looked at once, never before")
    assert found.by_hand_sentence == "The researcher excluded no judgments by hand."
    assert found.sensitivities == ()
    assert found.notes == ()


def test_a_number_that_was_not_reached_and_looks_before_it_are_deviations(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    conducted(study, store)
    sit(study, store, prefers_earlier())
    conducted(study, store)
    _, found = conducted(study, store)
    assert [(look.how, look.judgments, look.planned, look.is_interim) for look in found.looks] == [
        ("analyse", 3, 36, True),
        ("analyse", 6, 36, True),
    ], "the same judgments again are no new look"
    short, looks = found.deviations
    assert short.startswith("The planned number of judgments was not reached: ann against bob")
    assert looks == f"The plan has no interim looks. {found.looks_sentence}"
    assert "twice, each time before the 36 planned judgments were reached (at 3 on 2026-05-04" in looks


def test_alpha_of_the_command_line_and_of_a_changed_file_are_deviations(study: Study, store: Store) -> None:
    for _ in range(12):
        sit(study, store, prefers_earlier())
    _, found = conducted(study, store, alpha=0.2)
    assert found.deviations == ("This analysis was asked for alpha = 0.2; the plan says 0.05.",)
    path = study.folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\n[stopping]\nalpha = 0.2\n", encoding="utf-8")
    _, found = conducted(load_study(study.folder), store)
    assert found.deviations == ("Alpha was planned as 0.05 and is 0.2.",)


def test_dialogues_taken_out_after_the_first_judgment_are_a_deviation(study: Study, store: Store) -> None:
    remove_dialogues(study.folder, ["0-01-0"], reason="early", at=datetime(2026, 5, 4, tzinfo=UTC))
    for _ in range(12):
        sit(study, store, prefers_earlier())
    remove_dialogues(study.folder, ["0-01-1"], reason="rude", at=datetime(2027, 1, 1, tzinfo=UTC))
    _, found = conducted(study, store)
    assert found.deviations == ("1 dialogue was taken out of the study after the first judgment (rude: 1).",)


def test_verdicts_rest_on_the_declared_rules_and_stand_beside_those_without(
    study: Study, store: Store
) -> None:
    keen = [sit(study, store, prefers_earlier()) for _ in range(9)]
    before, _ = conducted(study, store)
    for annotator in keen[:8]:
        store.run(block_annotator(annotator, reason="I do not like it", by="ada"))
    after, found = conducted(study, store)
    assert [one.wins_first for one in after.sections[0].matchups] == [
        one.wins_first for one in before.sections[0].matchups
    ]
    assert [one.verdict.better for one in after.sections[0].matchups] == [
        one.verdict.better for one in before.sections[0].matchups
    ]
    (one,) = found.by_hand
    assert (one.rule, one.reason, one.by) == ("blocked", "I do not like it", "ada")
    assert (one.judgments, one.annotators, one.after_looks, one.is_declared) == (24, 8, 1, False)
    (beside,) = found.sensitivities
    assert (beside.name, beside.judgments) == ("by-hand", 24)
    assert [(verdict.n, verdict.other_n) for verdict in beside.verdicts] == [(9, 1)] * 3
    assert all(verdict.is_changed and verdict.other is None for verdict in beside.verdicts)
    assert "3 of 3 verdicts would change" in beside.sentence


def test_verdicts_that_stand_beside_are_worked_out_without_what_nobody_looks_at(
    study: Study, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keen = [sit(study, store, prefers_earlier()) for _ in range(3)]
    store.run(block_annotator(keen[0], reason="I do not like it", by="ada"))
    asked: list[bool] = []
    analysed = StudyJudgments.analysed

    def noted(self: StudyJudgments, excluded: NameColumn, request: AnalysisRequest) -> Analysis:
        asked.append(request.only_verdicts)
        return analysed(self, excluded, request)

    monkeypatch.setattr(StudyJudgments, "analysed", noted)
    conducted(study, store)
    assert asked == [False, True]


def test_a_look_at_all_planned_judgments_is_no_early_one_though_some_are_excluded_by_hand(
    study: Study, store: Store
) -> None:
    (first, *_) = [sit(study, store, prefers_earlier()) for _ in range(12)]
    store.run(block_annotator(first, reason="I do not like it", by="ada"))
    results, found = conducted(study, store)
    assert results.sections[0].n == 36
    assert [(look.judgments, look.planned, look.is_interim) for look in found.looks] == [(36, 36, False)]
    assert found.deviations == ()


def outcome(better: str | None) -> Outcome:
    return Outcome("", "ann", "bob", 9, None, None, better, has_verdict=True)


def test_what_several_rules_come_to_alike_is_said_once() -> None:
    own, others = [outcome("ann")], {"few-words": None, "too-fast": None, "greeting-only": "ann", "": None}
    found = [sensitivity("flagged", 7, own, [outcome(better)], flag=flag) for flag, better in others.items()]
    assert list(say_sensitivities(found)) == [
        "Without judgments that screening flagged, by rule (few-words 7, too-fast 7) or all together (7), 1 "
        "of 1 verdict would change in each case: ann and bob: ann better with them, no difference detected "
        "without.",
        "Without 7 judgments that screening flagged as greeting-only, every verdict is the same.",
        "The verdicts of the study are those with them, by the declared rules.",
    ]
    assert list(say_sensitivities(found[2:3])) == [found[2].sentence]
    by_hand = sensitivity("by-hand", 1, own, [outcome(None)])
    assert " ".join(say_sensitivities([by_hand])) == by_hand.sentence
    alike = [sensitivity("flagged", 2, own, own, flag=flag) for flag in ("few-words", "too-fast")]
    assert list(say_sensitivities(alike)) == [
        "Without judgments that screening flagged, by rule (few-words 2, too-fast 2), every verdict is the "
        "same in each case."
    ]


def test_where_nothing_is_left_or_nothing_was_said_no_verdict_is_called_the_same() -> None:
    own, none = [outcome("ann")], [replace(outcome(None), has_verdict=False)]
    left = [sensitivity("flagged", 9, own, [], flag=flag) for flag in ("too-fast", "")]
    some = sensitivity("flagged", 1, none, none, flag="unscrolled")
    assert list(say_sensitivities([*left, some])) == [
        "Without judgments that screening flagged, by rule (too-fast 9) or all together (9), no judgment is "
        "left, and so there is no verdict.",
        "Without 1 judgment that screening flagged as unscrolled, there is no verdict, as there is none with "
        "them.",
    ]
    assert not leaves_out(sensitivity("flagged", 1, own, own, flag="too-fast"))
    assert leaves_out(left[0])


def test_a_declared_rule_of_the_researcher_decides(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    keys = [one.id for one in store.stream(fetch_judgments()) if not one.is_onboarding]
    store.run(exclude_judgments(keys[:1], rule="test-entry", reason="my own", by="ada"))
    results, found = conducted(study, store)
    assert results.sections[0].n == 2
    assert found.by_hand[0].is_declared
    assert found.by_hand[0].after_looks == 0
    assert "before any look at the results" in found.by_hand_sentence
    assert found.sensitivities == ()


def test_a_rule_declared_after_the_first_judgment_does_not_decide(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    path = study.folder / "study.toml"
    rules = '\n[screening]\nresearcher_rules = ["I-feel-so"]\n'.lower()
    path.write_text(path.read_text(encoding="utf-8") + rules, encoding="utf-8")
    keys = [one.id for one in store.stream(fetch_judgments()) if not one.is_onboarding]
    store.run(exclude_judgments(keys[:1], rule="i-feel-so", reason="I feel so", by="ada"))
    results, found = conducted(load_study(study.folder), store)
    assert results.sections[0].n == 3
    assert any("screening.researcher_rules" in said for said in found.deviations)


def test_a_rule_of_the_study_excludes_also_what_was_excluded_by_hand_before(
    study: Study, store: Store
) -> None:
    silent = sit(study, store, prefers_earlier(reason=""))
    store.run(block_annotator(silent, reason="rude", by="ada"))
    results, found = conducted(study, store)
    assert results.sections[0].n == 0
    assert [(rule.rule, rule.judgments) for rule in results.sections[0].exclusions.rules] == [
        ("no-reason", 3)
    ]
    assert found.sensitivities == ()
    assert "The plan declares no such rule: they do not count anyway" in found.by_hand_sentence


def test_a_judgment_excluded_by_hand_for_two_reasons_is_one_judgment(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    keys = [one.id for one in store.stream(fetch_judgments()) if not one.is_onboarding]
    for rule in ("test-entry", "technical-fault"):
        store.run(exclude_judgments(keys[:1], rule=rule, reason="my own", by="ada"))
    _, found = conducted(study, store)
    assert found.by_hand_sentence.startswith(
        "By hand the researcher excluded 1 judgment: 1 of 1 annotator on"
    )
    assert found.by_hand_sentence.endswith("The plan declares these rules.")


def test_what_a_rule_excluded_and_the_researcher_took_back_is_a_deviation(study: Study, store: Store) -> None:
    silent = sit(study, store, prefers_earlier(reason=""))
    conducted(study, store)
    keys = [one.id for one in store.stream(fetch_judgments()) if one.excluded == "no-reason"]
    store.run(restore_judgments(keys, rule="no-reason", reason="spoke to them", by="ada"))
    _, found = conducted(study, store)
    assert "The researcher took back 3 judgments that a declared rule had excluded." in found.deviations
    assert silent


def test_participants_are_followed_from_the_link_to_the_analysis(study: Study, store: Store) -> None:
    store.run(invite_annotators(2))
    declined, undecided = store.run(invite_annotators(2))
    for _ in range(2):
        store.run(decline_consent(declined.token))
    store.run(decline_consent(undecided.token))
    store.run(give_consent(undecided.token, study.caps))
    (gone,) = store.run(invite_annotators(1))
    store.run(give_consent(gone.token, study.caps))
    for _ in range(3):
        sit(study, store, prefers_earlier())
    sit(study, store, prefers_later())
    sit(study, store, prefers_earlier(reason=""))
    results, found = conducted(study, store)
    assert [(step.name, step.annotators, step.is_loss) for step in found.participants] == [
        ("invited", 10, False),
        ("declined to take part", 1, True),
        ("never began", 2, True),
        ("consented", 7, False),
        ("left before onboarding", 2, True),
        ("went on after onboarding", 5, False),
        ("judged", 5, False),
        ("excluded: never gave a reason", 1, True),
        ("excluded: failed onboarding", 1, True),
        ("analysed", 3, False),
    ]
    assert results.sections[0].annotator_count == 3


def test_who_is_sent_away_for_failing_onboarding_is_lost_there(tmp_path: Path) -> None:
    study = make_study(tmp_path / "strict", more='[onboarding]\nblock = "at-once"\n')
    with open_store(study.database) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier())
        sit(study, store, prefers_later())
        _results, found = conducted(study, store)
    assert [(step.name, step.annotators) for step in found.participants][1:] == [
        ("consented", 2),
        ("failed onboarding", 1),
        ("passed onboarding", 1),
        ("judged", 1),
        ("analysed", 1),
    ]


def test_nobody_passes_an_onboarding_that_there_is_none_of(study: Study) -> None:
    items = [item for item in read_items(study.items_path) if item.is_judged]
    write_items(items, study.items_path)
    with open_store(study.database) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier())
        results, found = conducted(study, store)
    assert [step.name for step in found.participants] == ["invited", "consented", "judged", "analysed"]
    assert "onboarding comparison" not in methods_paragraph(results, study)


def test_methods_tell_how_many_onboarding_comparisons_there_were_and_not_how_many_were_asked_for(
    tmp_path: Path,
) -> None:
    study = make_study(tmp_path / "s", more="\n[onboarding]\ncomparisons = 5\n")
    with open_store(study.database) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier())
        results, _ = conducted(study, store)
    assert "first judged 1 onboarding comparison with" in methods_paragraph(results, study)


def test_meetings_are_counted_and_not_promised(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    _, found = conducted(study, store)
    assert found.meetings is not None
    assert (found.meetings.most_of_a_bot, found.meetings.most_of_two_bots) == (2, 1)
    assert [one.bot for one in found.material] == sorted(BOTS)
    assert all(one.kinds == {"live-chat": 2} and one.turns == 6 for one in found.material)


@pytest.mark.usefixtures("undrawn")
def test_page_methods_tables_and_results_say_it_alike(study: Study, store: Store, tmp_path: Path) -> None:
    annotator = sit(study, store, prefers_earlier())
    conducted(study, store)
    store.run(block_annotator(annotator, reason="<b>too fast</b>", by="ada"))
    sit(study, store, prefers_earlier())
    results, found = conducted(study, store)
    write_report(results, tmp_path / "out", study=study)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    methods = (tmp_path / "out" / "methods.txt").read_text(encoding="utf-8")
    assert found.plan is not None
    for text in (page, methods):
        assert found.plan.hash[:16] in text
        assert "judged the same matchup at most once and met the same bot at most twice" in text
        assert "after look 1" in text
        assert "fixed in a plan that was frozen with the first judgment" in text
        assert "registered" not in text  # nobody has told the program of a registration
    assert "&lt;b&gt;too fast" in page
    assert 'class="people"' in page
    with (tmp_path / "out" / "tables" / "participants.csv").open(encoding="utf-8") as file:
        assert [row["step"] for row in csv.DictReader(file)][-1] == "analysed"
    assert (tmp_path / "out" / "figures" / "participants.svg").is_file()
    assert (tmp_path / "out" / "tables" / "sensitivity.csv").is_file()
    written = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert written["conduct"]["plan"]["hash"] == found.plan.hash
    assert AcuteResults.read(tmp_path / "out" / "results.json").conduct == found


@pytest.mark.usefixtures("undrawn")
def test_nothing_is_called_planned_without_a_plan(study: Study, tmp_path: Path) -> None:
    with open_store(study.database) as store:
        store.run(note_fact("rehearsal", "{}"))
        prepare_study(study, store)
        sit(study, store, prefers_earlier())
        results, found = conducted(study, store)
        assert found.plan is None
        assert found.looks == ()
    write_report(results, tmp_path / "out", study=study)
    assert "fixed in a plan" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_study_show_tells_plan_deviations_and_looks_and_takes_no_look(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    conducted(study, store)
    said = "\n".join(describe_conduct(study))
    assert "The plan was frozen with the first judgment, on 2026-05-04" in said
    assert "alpha       0.05, gap 0.2, power 0.8, ICC 0.1, stopping fixed" in said
    assert "Deviations from the plan: 2." in said
    assert len(store.run(fetch_looks())) == 1


def dialogue(key: str, *, kind: str = "self-chat", turns: int = 4, briefing: object = None) -> Dialogue:
    return Dialogue(
        key,
        "ann",
        kind,  # type: ignore[arg-type]
        "a",
        (Speaker("a"), Speaker("b")),
        tuple(Turn("ab"[number % 2], "x") for number in range(turns)),
        extras={"briefing": briefing} if briefing else {},
    )


def test_material_is_told_with_kinds_turns_openers_and_personas() -> None:
    made = {
        "1": dialogue("1", briefing={"opener": "Hi", "persona": ["I knit."]}),
        "2": dialogue("2", turns=6, briefing={"opener": "Hi"}),
        "3": dialogue("3", kind="human-human"),
    }
    found = material_of({"ann": ["1", "2"], "human": ["3"], "idle": []}, lambda keys: [made[k] for k in keys])
    assert say_material(found) == (
        "The judgments that count are about these dialogues: ann, 2 self-chats of 4 to 6, on average 5.0, "
        "turns, begun with one of 1 given opener, with given personas in 1 of them; human, 1 human–human "
        "dialogue of 4 turns. “human” is no bot: its dialogues are "
        "between two people, one of whom was judged."
    )


def test_of_imported_dialogues_nothing_is_said_about_how_they_began() -> None:
    made = {
        "1": dialogue("1", kind="live-chat"),
        "2": dialogue("2", kind="human-human"),
        "3": dialogue("3", kind="human-human"),
        "4": replace(dialogue("4", kind="live-chat"), extras={"briefing": {}}),
    }
    found = material_of(
        {"ann": ["1"], "human": ["2"], "logs": ["3"], "own": ["4"]}, lambda keys: [made[k] for k in keys]
    )
    said = say_material(found)
    assert "ann, 1 live chat of 4 turns; " in said
    assert "own, 1 live chat of 4 turns, without given openers or personas." in said
    assert "“human” and “logs” are no bots: their dialogues are between two people" in said


def test_participants_in_one_sentence() -> None:
    steps = [ParticipantStep("recruited via the open link", 3), ParticipantStep("analysed", 1)]
    assert say_participants(steps) == "Of 3 annotators recruited via the open link, 1 was analysed."
    assert say_participants([]) == ""


rules = st.sampled_from(["onboarding", "blocked", "researcher", "test-entry", "withdrawn"])


@given(made=st.lists(st.tuples(st.sampled_from("abc"), rules), max_size=8, unique=True))
def test_only_undeclared_exclusions_by_hand_are_overruled(made: list[tuple[str, str]]) -> None:
    by = {"onboarding": "duologue", "withdrawn": "annotator"}
    rows = [
        Exclusion(f"{key}{rule}", key, "p", "exclude", rule, "", by.get(rule, "ada"), "t")
        for key, rule in made
    ]
    found = undeclared_by_hand(rows, {"test-entry"})
    for key in "abc":
        mine = {rule for one, rule in made if one == key}
        decided = mine & {"onboarding", "test-entry", "withdrawn"}
        stored = next((rule for one, rule in made if one == key), "")
        assert bool(found.get(key, stored)) == bool(decided)


def test_what_screening_flagged_is_said_in_terminal_report_and_methods(study: Study, store: Store) -> None:
    for _ in range(3):
        sit(study, store, prefers_earlier(), words=10_000)
    sit(study, store, prefers_earlier())
    results, found = conducted(study, store)
    (flagged,) = found.flags
    assert (flagged.rule, flagged.judgments, flagged.annotators, flagged.excluded, flagged.of) == (
        "too-fast",
        9,
        3,
        0,
        12,
    )
    (said,) = found.flag_sentences
    assert said == (
        "9 of 12 judgments (75.0 %) by 3 annotators were given too fast to have read what was shown "
        "(flag too-fast); these judgments count, since [screening] does not exclude them."
    )
    assert said in list(conduct_lines(found))
    assert said in took_part(results)


@pytest.mark.parametrize(
    ("excluded", "ending"),
    [(0, "; these judgments count, since [screening] does not exclude them."), (8, "; excluded.")],
)
def test_patterns_are_said_of_annotators(excluded: int, ending: str) -> None:
    flagged = FlaggedJudgments("same-position", 8, 1, excluded, 30)
    (said,) = say_flags((flagged,))
    assert said == (
        f"1 annotator chose the same position in all of at least 8 judgments (flag same-position){ending}"
    )


def test_flagged_judgments_of_annotators_of_whom_nothing_is_used_do_not_count() -> None:
    flags = FlagCounter()
    batch = replace(BATCH, is_onboarding=(False,) * 3, flags=(("too-fast",),) * 3)
    flags.add(batch)
    assert [(one.judgments, one.annotators, one.excluded) for one in flags.found()] == [(3, 2, 1)]
    (found,) = flags.found(set_aside={"a": "copied"})
    assert found.excluded == 3
    assert found.by == {"copied": 2, "late": 1} or found.by == {"late": 1, "copied": 2}
    assert next(say_flags((found,))).endswith(
        "(flag too-fast); excluded by these rules: copied (2) and late (1)."
    )


@pytest.mark.parametrize(
    ("by", "ending"),
    [
        ({"too-fast": 5}, "; excluded."),
        ({"attention": 5}, "; excluded by another rule (attention)."),
        ({"attention": 4}, "; 4 flagged judgments are excluded by another rule (attention), 1 counts."),
        ({"too-fast": 1}, "; 1 flagged judgment is excluded, 4 count."),
        ({"attention": 3, "too-fast": 2}, "; excluded by these rules: attention (3) and too-fast (2)."),
    ],
)
def test_a_flag_is_not_said_to_exclude_what_another_rule_excluded(by: dict[str, int], ending: str) -> None:
    (said,) = say_flags((FlaggedJudgments("too-fast", 5, 2, sum(by.values()), 30, by),))
    assert said.endswith(f"(flag too-fast){ending}")


def test_flagged_judgments_of_which_some_are_excluded_are_counted_apart() -> None:
    (said,) = say_flags((FlaggedJudgments("too-fast", 5, 2, 2, 30),))
    assert said.endswith("; 2 flagged judgments are excluded, 3 count.")


def test_methods_say_why_so_many_judgments_and_which_people(study: Study, store: Store) -> None:
    """Its pairings were made by hand: 12 of each matchup, where the planner would have made more."""
    sit(study, store, prefers_earlier())
    results, _ = conducted(study, store)
    said = methods_paragraph(results, study)
    assert (
        "The number of judgments (12 for each matchup) was fixed in the plan, which states a gap of" in said
    )
    assert "20 points between two win rates, 80 % power at alpha = 0.05, and a correlation of 0.1 of" in said
    assert "Collecting was to stop at this number." in said
    assert "How annotators were recruited is not stated: nothing is claimed of people other than" in said
    assert "Each pairing was to be judged by " in said, "one annotator of several has judged"


def test_methods_name_what_came_besides_and_claim_no_more(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    results, _ = conducted(study, store)
    plain = methods_paragraph(results, study)
    assert "never saw a dialogue twice. " in plain
    assert not any(word in plain for word in ("second time", "skip", "Attention", "Annotators had"))
    path = study.folder / "study.toml"
    more = (
        "\n[annotators]\nrepeat = 0.2\nrepeat_after = 2\nskips = 3\nsitting_minutes = 25\nitem_seconds = 90\n"
        '[attention]\nper_sitting = 2\nmin_checks = 2\non_fail = "exclude"\n'
        '[screening]\nexclude = ["too-fast"]\n'
    )
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    said = methods_paragraph(results, load_study(study.folder))
    assert "never saw a dialogue twice, apart from what was asked a second time." in said
    assert (
        "20 % of what an annotator had judged, rounded, came a second time, in the reverse order and" in said
    )
    assert "Each annotator could skip up to 3 items; nobody did." in said
    assert "Annotators had 25 minutes. An item that took longer than 90 s was taken back" in said
    assert "Attention checks" not in said, "nobody met one"
    assert "judgments flagged for too-fast were excluded" in said
    assert "flagged for" not in plain


def test_methods_say_whose_answers_the_arms_have(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    found, _ = conducted(study, store)
    arms = "".join(
        f'[[acute.questions]]\nname = "{name}"\nquestion = "{name}"\n'
        for name in ("humanness", "engagingness")
    )
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n{arms}", encoding="utf-8")
    assert "by 1 annotator in each arm. Every annotator was asked the question of one arm; " in (
        methods_paragraph(found, load_study(study.folder))
    )
    path.write_text(f'{text}\n{arms}[arms]\nper_annotator = "each"\n', encoding="utf-8")
    said = methods_paragraph(found, load_study(study.folder))
    assert "Annotators were asked the questions of all arms, about other pairings in each; " in said
    assert "as many judgments as there are matchups in each arm, and never saw a dialogue twice." in said


@pytest.mark.parametrize(("per_matchup", "is_worked_out"), [(273, True), (272, False)])
def test_methods_say_that_a_number_was_worked_out_only_where_it_is_the_planners(
    tmp_path: Path, per_matchup: int, is_worked_out: bool
) -> None:
    study = make_study(tmp_path / "s", per_matchup=per_matchup)
    with open_store(study.database) as store:
        prepare_study(study, store)
        sit(study, store, prefers_earlier())
        results, _ = conducted(study, store)
    said = methods_paragraph(results, study)
    assert ("was worked out beforehand, to find a gap of 20 points" in said) == is_worked_out


def test_methods_quote_how_people_were_recruited(study: Study, store: Store) -> None:
    sit(study, store, prefers_earlier())
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8") + '\n[annotators]\nrecruited = "Students of two courses."\n'
    path.write_text(text, encoding="utf-8")
    later = load_study(study.folder)
    results, found = conducted(later, store)
    said = methods_paragraph(results, later)
    assert "Recruitment of annotators, as the study states it: Students of two courses." in said
    assert "not stated" not in said
    assert not any("recruited" in one for one in found.deviations)
    assert later.design_hash == study.design_hash
