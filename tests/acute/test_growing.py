"""A bot is added to a study that has been judged: only what is new is planned, the rest stays as it was."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from duologue.acute import AcuteResults, change_pairing, make_pairings
from duologue.acute.design.pairings import added_pairings
from duologue.acute.growing import grow_study, growth_record, plan_growth, preview_growth, say_growth
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import DesignError, FormatError, ImpossiblePairing, StoreServed
from duologue.protocols import Item, addendum_asking, read_items, write_items
from duologue.reports import analyse_study, report_page
from duologue.server.running.preparing import prepare_study
from duologue.stats import ForcedChoice
from duologue.store import (
    Assignment,
    exclude_judgments,
    fetch_addenda,
    fetch_judgments,
    fetch_looks,
    fetch_progress,
    fetch_revisions,
    open_study,
    serving,
)
from duologue.studies import Study, check_study, load_study, make_plan, new_study, request_from_study
from tests.reports.judged_study import sit

SELF_CHAT = '\n[[bots]]\nname = "dee"\nkind = "builtin"\n'


def dialogues_of(folder: Path, bot: str, count: int) -> None:
    """Bring in self-chats of a bot."""
    made = (
        Dialogue(
            id=f"{bot}-{number}",
            bot=bot,
            kind="self-chat",
            judged=bot,
            speakers=(Speaker("partner"), Speaker(bot, bot)),
            turns=(Turn("partner", f"hello {number}"), Turn(bot, f"I am fine {number}")),
        )
        for number in range(count)
    )
    write_dialogues(made, folder / "dialogues" / f"{bot}.jsonl", format="duologue")


def alternating(rank: str = "dcba") -> Callable[[Assignment], tuple[str, str]]:
    """Prefers the bot whose name begins with the earlier letter, three times of four."""
    seen: Counter[str] = Counter()

    def answer(work: Assignment) -> tuple[str, str]:
        seen[work.item.group] += 1
        ordered = sorted(work.item.bots, key=lambda bot: rank.index(bot[0]))
        return ordered[seen[work.item.group] % 4 == 0], "because"

    return answer


def finish(study: Study, answer: Callable[[Assignment], tuple[str, str]] | None = None) -> int:
    """Annotators come until nothing is left to judge; the revision they judged under."""
    answer = answer or alternating()
    with open_study(study) as store:
        prepared = prepare_study(study, store)
        while any(one.done < one.wanted for one in store.run(fetch_progress())):
            sit(study, store, answer)
    return prepared.revision


def results_of(study: Study) -> AcuteResults:
    with open_study(study) as store:
        return cast(AcuteResults, analyse_study(study, store).results)


def add_to_file(study: Study, more: str) -> Study:
    path = study.folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    return load_study(study.folder)


def three_bots(folder: Path, *, per_matchup: int = 12, more: str = "", dialogues: int = 24) -> Study:
    study = new_study(folder, seed=5)
    for bot in ("ann", "bob", "cy"):
        dialogues_of(folder, bot, dialogues)
    text = study.text.replace('per_matchup = "plan"', f"per_matchup = {per_matchup}")
    text = text.replace("exclude_without_reason = true", "exclude_without_reason = false")
    (folder / "study.toml").write_text(text + more, encoding="utf-8")
    study = load_study(folder)
    make_pairings(study)
    return study


@pytest.fixture
def judged(tmp_path: Path) -> Study:
    """A finished study of three bots, and the dialogues of a fourth."""
    study = three_bots(tmp_path / "study")
    finish(study)
    dialogues_of(study.folder, "dee", 24)
    return study


def said(study: Study, **options: object) -> str:
    return "\n".join(say_growth(study, preview_growth(study, ["dee"], **options)))  # type: ignore[arg-type]


def test_what_would_be_added_is_said_and_nothing_is_changed(judged: Study) -> None:
    before = judged.items_path.read_bytes()
    words = said(judged, recheck=0.5)
    assert words.splitlines()[0] == "dee would be added to study: addendum 1 to its plan."
    assert "New matchups: 3, a family of their own (Holm).\n  ann against dee: 12 judgments" in words
    assert "18 judgments of earlier matchups" in words
    assert "Judgments: 54 (36 new, 18 asked again): at least 18 annotators." in words
    assert "Time: about 0.0 person-hours at 3 s a comparison (12 words to read, 238 a minute)." in words
    assert words.endswith("Nothing has been changed. Say --yes to add what is written here.")
    assert judged.items_path.read_bytes() == before
    with open_study(judged) as store:
        assert (store.run(fetch_addenda()), store.run(fetch_looks())) == ((), ())
    assert not (judged.folder / "plan-addendum-1.json").exists()


def test_how_large_a_change_can_be_found_is_said(judged: Study) -> None:
    assert "ann against bob: 2 beside 12 earlier ones; too few to find any change" in said(judged)
    grown = preview_growth(judged, ["dee"])
    more = tuple(replace(one, judgments=400) for one in grown.plan.asked_again[:2])
    plan = replace(grown.plan, earlier=dict.fromkeys(grown.plan.earlier, 900), asked_again=more)
    words = "\n".join(say_growth(judged, replace(grown, plan=plan)))
    assert "ann against bob: 400 beside 900 earlier ones; finds a change of about 9 points with 80 %" in words


def test_without_a_recheck_it_is_said_that_no_drift_can_be_seen(judged: Study) -> None:
    assert "Asked again: nothing, so that no drift can be seen." in said(judged, recheck=0.0)


def test_a_grown_study_keeps_earlier_pairings_and_judgments(judged: Study) -> None:
    before = judged.items_path.read_bytes()
    with open_study(judged) as store:
        judgments = list(store.stream(fetch_judgments()))
    grown = grow_study(judged, ["dee"], recheck=0.5)
    assert judged.items_path.read_bytes().startswith(before)
    new = Counter(item.group for item in read_items(judged.items_path))
    assert new == {
        **dict.fromkeys(("ann__vs__bob", "ann__vs__cy", "bob__vs__cy"), 12),
        **dict.fromkeys(("ann__vs__dee", "bob__vs__dee", "cy__vs__dee"), 12),
        **{f"{group}__again__1": 6 for group in ("ann__vs__bob", "ann__vs__cy", "bob__vs__cy")},
    }
    assert finish(judged) == 1
    with open_study(judged) as store:
        assert list(store.stream(fetch_judgments()))[: len(judgments)] == judgments
        assert len(store.run(fetch_revisions())) == 1
    assert grown.addendum is not None
    assert growth_record(judged, grown)["hash"] == grown.addendum.hash


def test_a_bot_of_the_study_file_starts_no_revision(judged: Study) -> None:
    study = add_to_file(judged, SELF_CHAT)
    grow_study(study, ["dee"], recheck=0.0)
    assert finish(study) == 1
    results = results_of(study)
    assert [section.n for section in results.sections] == [72]
    assert results.conduct is not None
    assert results.conduct.deviations == ()
    changed = add_to_file(study, "timeout_seconds = 7\n")  # of a bot that was there before
    assert finish(changed) == 2


def test_nobody_judges_a_new_matchup_twice(judged: Study) -> None:
    grow_study(judged, ["dee"], recheck=0.5)
    finish(judged)
    met: Counter[tuple[str, str]] = Counter()
    with open_study(judged) as store:
        for one in store.stream(fetch_judgments()):
            met[one.annotator, one.group] += 1
    assert max(met.values()) == 1


def test_earlier_verdicts_keep_their_family_and_their_date(judged: Study) -> None:
    before = results_of(judged).sections[0].matchups
    grown = grow_study(judged, ["dee"], recheck=0.5)
    finish(judged)
    results = results_of(judged)
    (section,) = results.sections
    earlier = [one for one in section.matchups if not one.addendum]
    assert [(one.p_adjusted, one.family, one.verdict) for one in earlier] == [
        (one.p_adjusted, one.family, one.verdict) for one in before
    ]
    assert {one.second for one in section.matchups if one.addendum == 1} == {"dee"}
    assert grown.addendum is not None
    day = grown.addendum.at[:10]
    assert results.family.startswith("The 3 matchups of the plan are one family (Holm)")
    assert f"The 3 matchups added with dee on {day} (addendum 1) are a family of their own" in results.family
    assert "is 10.0 % or less (2 times 5.0 %)" in results.family
    assert "In one family of all 6 matchups every verdict would be the same." in results.family
    conduct = results.conduct
    assert conduct is not None
    assert conduct.deviations == ()
    (growth,) = conduct.growth
    assert "All 3 verdicts of that day are the same now." in growth.sentence
    assert [(one.other_n, one.n, one.where) for one in growth.verdicts] == [(12, 12, "")] * 3
    assert conduct.plan is not None
    assert [one.planned for one in conduct.plan.numbers] == [12] * 6


def test_an_addendum_is_a_file_with_a_hash_that_follows_the_plan(judged: Study) -> None:
    grow_study(judged, ["dee"], recheck=0.5)
    content = json.loads((judged.folder / "plan-addendum-1.json").read_text(encoding="utf-8"))
    plan = json.loads((judged.folder / "plan.json").read_text(encoding="utf-8"))
    assert content["follows"] == plan["hash"]
    assert [row["judgments"] for row in content["asked_again"]] == [6, 6, 6]
    assert [one["better"] for one in content["before"]["verdicts"]] == [None, None, None]
    assert content["before"]["is_interim"] is False


def test_drift_is_tested_in_a_grown_study_and_reported(judged: Study, undrawn: None) -> None:
    grow_study(judged, ["dee"], recheck=1.0)
    finish(judged, lambda work: (min(work.item.bots), "because"))
    results = results_of(judged)
    (section,) = results.sections
    (check,) = section.drift
    assert [(one.then_n, one.again_n) for one in check.matchups] == [(12, 12)] * 3
    assert check.has_drifted
    assert "judgments have drifted in 3 of 3 matchups: ann against bob (ann won 25.0 %" in check.sentence
    assert any("Judgments have drifted since" in warning for warning in section.warnings)
    assert section.n == 72
    page = report_page(results, study=judged)
    assert "<h3>Drift</h3>" in page
    assert "Bots that were added later" in page


def test_a_study_grows_more_than_once(judged: Study) -> None:
    grow_study(judged, ["dee"], recheck=0.5)
    finish(judged)
    dialogues_of(judged.folder, "eve", 24)
    second = grow_study(judged, ["eve"], against=["ann", "dee"], recheck=0.5)
    assert second.plan.number == 2
    again = {item.group for item in second.plan.again}
    assert len(again) == 6
    assert all(addendum_asking(group) == 2 for group in again)
    finish(judged, alternating("edcba"))
    results = results_of(judged)
    assert {one.addendum: one.family for one in results.sections[0].matchups} == {0: 3, 1: 3, 2: 2}
    assert [check.addendum for check in results.sections[0].drift] == [1, 2]
    assert "Over all 3 families together" in results.family
    assert results.conduct is not None
    assert [one.addendum.adds for one in results.conduct.growth] == [("dee",), ("eve",)]
    assert results.conduct.deviations == ()


def test_two_bots_that_are_added_together_meet_each_other(judged: Study) -> None:
    dialogues_of(judged.folder, "eve", 24)
    plan = preview_growth(judged, ["dee", "eve"], against=["ann"]).plan
    assert {item.group for item in plan.new} == {"ann__vs__dee", "ann__vs__eve", "dee__vs__eve"}


def test_new_matchups_are_planned_as_a_family_of_their_own(judged: Study) -> None:
    text = judged.text.replace("per_matchup = 12", 'per_matchup = "plan"').replace("gap = 0.2 ", "gap = 0.9 ")
    (judged.folder / "study.toml").write_text(text, encoding="utf-8")
    planned = load_study(judged.folder)
    pooled = replace(planned, settings=planned.settings.model_copy(update={"verdicts": "pooled"}))
    plans = [plan_growth(study, ["dee"]) for study in (planned, pooled)]
    assert plans[0].groups == plans[1].groups
    assert 5 < plans[0].groups[0].judgments < 30


def test_matchups_that_were_added_to_a_study_of_pooled_verdicts_are_planned_as_when_they_were_added(
    judged: Study,
) -> None:
    dialogues_of(judged.folder, "eve", 24)
    grow_study(judged, ["dee", "eve"], against=["ann"])  # three matchups of three bots
    text = judged.text.replace("# verdicts = ", 'verdicts = "pooled" # ')
    (judged.folder / "study.toml").write_text(text, encoding="utf-8")
    plan = make_plan(request_from_study(load_study(judged.folder)))
    assert plan.design == ForcedChoice(alpha=0.05 / 3)
    assert plan.notes[0].startswith("matchups with bots that were added are planned by their own judgments")
    (said,) = [one for one in check_study(judged.folder).warnings if one.startswith("addendum 1:")]
    assert f"{plan.judgments} independent judgments would have it" in said


def test_each_dialogue_is_shown_once_where_the_study_says_so(tmp_path: Path) -> None:
    once = three_bots(tmp_path / "study", per_matchup=4, dialogues=11)
    text = once.text.replace('dialogue_once = "matchup"', 'dialogue_once = "study"')
    (once.folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(once.folder)
    make_pairings(study)
    finish(study)
    dialogues_of(study.folder, "dee", 24)
    plan = preview_growth(study, ["dee"], per_matchup=3, recheck=0.0).plan
    shown = Counter(name for item in (*read_items(study.items_path), *plan.new) for name in item.dialogues)
    assert max(shown.values()) == 1
    with pytest.raises(ImpossiblePairing):
        preview_growth(study, ["dee"], per_matchup=4)


def test_pairings_made_again_leave_what_was_added(judged: Study) -> None:
    assert added_pairings(judged) == frozenset()
    grow_study(judged, ["dee"], recheck=0.5)
    kept = list(read_items(judged.items_path))
    assert len(added_pairings(judged)) == 54
    more = change_pairing(judged, {"per_matchup": 14})
    make_pairings(judged, settings=more, planned=added_pairings(judged))
    now = list(read_items(judged.items_path))
    assert [item.id for item in now if "dee" in item.bots] == [item.id for item in kept if "dee" in item.bots]
    assert sum(bool(addendum_asking(item.group)) for item in now) == 18
    judged.items_path.unlink()
    assert added_pairings(judged) == frozenset()


def test_checks_and_plans_count_each_family_by_itself(judged: Study) -> None:
    grow_study(judged, ["dee"], against=["ann", "bob"], recheck=0.5)
    warnings = "\n".join(check_study(judged.folder).warnings)
    assert "3 of 3 matchups have less power than stated" in warnings
    assert "addendum 1: 2 of 2 matchups have less power than stated" in warnings
    assert request_from_study(judged).matchups == 2
    (judged.folder / "plan-addendum-1.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match=r"plan-addendum-1.json: expected an addendum to the plan"):
        added_pairings(judged)


def test_an_unfinished_study_grows_and_says_that_its_verdicts_are_of_an_interim_look(tmp_path: Path) -> None:
    study = three_bots(tmp_path / "study")
    with open_study(study) as store:
        prepare_study(study, store)
        for _ in range(3):
            sit(study, store, alternating())
    dialogues_of(study.folder, "dee", 24)
    grown = grow_study(study, ["dee"])
    assert grown.addendum is not None
    assert grown.addendum.is_interim
    words = "\n".join(say_growth(study, grown))
    assert "ann against bob, ann against cy and bob against cy have not reached the planned number" in words
    assert words.endswith("Serve the study to have the new pairings judged.")
    conduct = results_of(study).conduct
    assert conduct is not None
    assert "The verdicts kept then were those of an interim look." in conduct.growth[0].sentence


@pytest.mark.parametrize(
    ("bot", "more", "what"),
    [
        ("nobody", "", r"'nobody' is not in this study \(the bots with dialogues: ann, bob, cy, dee\)"),
        ("fay", SELF_CHAT.replace("dee", "fay"), r"'fay' of \[\[bots\]\] has no dialogues yet"),
        ("ann", "", "nothing new to compare: ann and bob, cy have their pairings already"),
        ("dee", '\n[screening]\nexclude = ["too-fast"]\n', "changed in more than its bots"),
    ],
)
def test_what_cannot_be_added_is_refused(judged: Study, bot: str, more: str, what: str) -> None:
    study = add_to_file(judged, more)
    with pytest.raises(DesignError, match=what):
        preview_growth(study, [bot])


def test_a_study_without_judgments_is_refused(tmp_path: Path) -> None:
    study = three_bots(tmp_path / "study")
    with pytest.raises(DesignError, match="no judgments yet, so there is nothing to keep"):
        preview_growth(study, ["ann"])


def test_sequential_stopping_is_refused(judged: Study) -> None:
    text = judged.text.replace('rule = "fixed"', 'rule = "sequential"')
    (judged.folder / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DesignError, match="declares sequential stopping"):
        grow_study(load_study(judged.folder), ["dee"])


def test_a_study_that_is_being_served_is_refused(judged: Study) -> None:
    with serving(judged.database), pytest.raises(StoreServed):
        grow_study(judged, ["dee"])


def test_items_of_more_than_two_bots_are_refused(judged: Study) -> None:
    three = Item("t", "g", ("ann", "bob", "cy"), ("ann-0", "bob-0", "cy-0"), ("ann", "bob", "cy"))
    write_items([*read_items(judged.items_path), three], judged.items_path)
    with pytest.raises(DesignError, match="Compare the new bot in a study of its own"):
        plan_growth(judged, ["dee"])


CHATTING = """[study]
name = "chats"
seed = 5

[acute]
collect = "parallel"

[[bots]]
name = "companion"
kind = "builtin"

[[bots]]
name = "parrot"
kind = "builtin"
"""


def test_parallel_chats_grow_without_being_asked_again(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(CHATTING, encoding="utf-8")
    study = load_study(tmp_path)
    make_pairings(study)
    grown = add_to_file(study, '\n[[bots]]\nname = "small-talk"\nkind = "builtin"\n')
    plan = plan_growth(grown, ["small-talk"], per_matchup=3)
    assert Counter(item.group for item in plan.new) == {
        "companion__vs__small-talk": 3,
        "parrot__vs__small-talk": 3,
    }
    assert plan.again == ()
    with pytest.raises(DesignError, match="cannot be asked again"):
        plan_growth(grown, ["small-talk"], recheck=0.1)
    with pytest.raises(DesignError, match="'dee' cannot be chatted with"):
        plan_growth(grown, ["dee"])


def test_self_chats_meet_live_chats_only_where_that_is_said(judged: Study) -> None:
    made = (
        Dialogue(
            id=f"fay-{number}",
            bot="fay",
            kind="live-chat",
            judged="fay",
            speakers=(Speaker("partner"), Speaker("fay", "fay")),
            turns=(Turn("partner", "hello"), Turn("fay", f"hi {number}")),
        )
        for number in range(24)
    )
    write_dialogues(made, judged.folder / "dialogues" / "fay.jsonl", format="duologue")
    with pytest.raises(DesignError, match="would mix"):
        preview_growth(judged, ["fay"])
    assert len(preview_growth(judged, ["fay"], mix_kinds=True).plan.new) == 36


def test_a_study_of_phrasings_is_refused(judged: Study) -> None:
    settings = judged.settings.model_copy(update={"compare": "phrasings"})
    with pytest.raises(DesignError, match="compares phrasings of a question, not bots"):
        plan_growth(replace(judged, settings=settings), ["dee"])


def test_what_was_asked_again_counts_in_no_verdict_when_excluded_by_hand(judged: Study) -> None:
    grow_study(judged, ["dee"], recheck=0.5)
    finish(judged)
    before = results_of(judged).sections[0]
    with open_study(judged) as store:
        again = [one.id for one in store.stream(fetch_judgments()) if one.excluded == "asked-again-1"]
        store.run(exclude_judgments(again[:4], rule="odd", reason="I do not like it", by="ada"))
    section = results_of(judged).sections[0]
    assert (section.n, section.matchups) == (before.n, before.matchups)
