"""What a study file may say of forms and cohorts, and what is refused, with its place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.studies import Study, check_study, load_study, new_study, spread_over_groups
from duologue.studies.check import odd_cohorts
from duologue.studies.describe import rules_of

FORM = """
[[forms]]
name = "you"
when = "before"
title = "About you"

[[forms.questions]]
name = "age"
kind = "number"
label = "How old are you?"
min = 18
max = 99

[[forms.questions]]
name = "work"
kind = "one"
label = "Have you worked with dialogue systems?"
choices = ["Never", "A little", "For years"]
required = true
"""


def study_with(folder: Path, more: str) -> Study:
    study = new_study(folder, seed=7)
    (folder / "study.toml").write_text(study.text + more, encoding="utf-8")
    return load_study(folder)


def problems(folder: Path, more: str) -> str:
    study = new_study(folder, seed=7)
    (folder / "study.toml").write_text(study.text + more, encoding="utf-8")
    return "\n".join(check_study(folder).problems)


def test_forms_are_known_by_when_they_are_shown(tmp_path: Path) -> None:
    after = FORM.replace('"you"', '"end"').replace('"before"', '"after"')
    caps = study_with(tmp_path / "one", FORM + after).caps
    assert (caps.forms_before, caps.forms_after) == (("you",), ("end",))


def test_a_study_without_forms_and_cohorts_has_the_design_it_had(tmp_path: Path) -> None:
    plain = new_study(tmp_path / "one", seed=7)
    study = plain.text.partition("[annotators]")
    text = f'{study[0]}[annotators]\ncohort_from = ""{study[2]}'
    (tmp_path / "one/study.toml").write_text(text, encoding="utf-8")
    assert load_study(tmp_path / "one").design_hash == plain.design_hash
    assert study_with(tmp_path / "two", FORM).design_hash != plain.design_hash


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('kind = "one"', 'kind = "text"', "only kinds 'one' and 'several' have choices"),
        ('choices = ["Never", "A little", "For years"]', 'choices = ["Never"]', "needs 2 or more"),
        ('"A little"', '"Never"', "'Never' is there twice"),
        ('kind = "number"', 'kind = "text"', "only numbers have a least or a most"),
        ("min = 18", "min = 100", "the least number (100) is more than the most (99)"),
        ("min = 18", "max_chars = 18", "only questions of kind 'text' have it"),
        ('name = "work"', 'name = "age"', "two questions are called 'age'"),
        ('name = "work"', 'name = "Work place"', "[forms.questions] name"),
        ('"before"', '"during"', "[forms] when"),
        ('label = "How', 'labels = "How', "there is no such setting"),
    ],
)
def test_a_form_that_cannot_be_asked_is_refused(tmp_path: Path, before: str, after: str, said: str) -> None:
    assert before in FORM
    assert said in problems(tmp_path / "one", FORM.replace(before, after))


def test_a_problem_of_a_question_names_its_line(tmp_path: Path) -> None:
    said = problems(tmp_path / "one", FORM.replace('kind = "one"', 'kind = "two"'))
    lines = (tmp_path / "one/study.toml").read_text(encoding="utf-8").splitlines()
    number = 1 + lines.index('kind = "two"')
    assert f"line {number}: [forms.questions] kind" in said


def test_a_form_too_large_to_be_sent_is_refused(tmp_path: Path) -> None:
    head = FORM.partition("[[forms.questions]]")[0]
    texts = "".join(
        f'[[forms.questions]]\nname = "t{n}"\nkind = "text"\nlabel = "T"\nmax_chars = 9000\n'
        for n in range(2)
    )
    assert "at most 15,000 characters together" in problems(tmp_path / "one", head + texts)
    choices = ", ".join(f'"{n}"' for n in range(201))
    many = f'[[forms.questions]]\nname = "m"\nkind = "several"\nlabel = "M"\nchoices = [{choices}]\n'
    assert "at most 200 fields" in problems(tmp_path / "two", head + many)
    assert "needs at least one [[forms.questions]]" in problems(tmp_path / "three", head + "questions = []\n")


def test_two_forms_or_cohorts_of_one_name_are_refused(tmp_path: Path) -> None:
    assert "two forms are called 'you'" in problems(tmp_path / "one", FORM + FORM)
    twice = '[[cohorts]]\nname = "expert"\n' * 2
    assert "two cohorts are called 'expert'" in problems(tmp_path / "two", twice)


COHORTS = """
[[cohorts]]
name = "expert"
annotations_per_item = 2
answers = ["For years"]

[[cohorts]]
name = "novice"
answers = ["Never", "A little"]
"""


def from_answer(folder: Path, question: str = "you.work", more: str = FORM + COHORTS) -> str:
    study = new_study(folder, seed=7)
    text = study.text.replace("[annotators]", f'[annotators]\ncohort_from = "{question}"') + more
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return "\n".join(problem for problem in check_study(folder).problems if "study.toml" in problem)


def test_an_answer_says_to_which_cohort_somebody_belongs(tmp_path: Path) -> None:
    assert from_answer(tmp_path / "one") == ""
    study = load_study(tmp_path / "one")
    assert study.cohort_by("you", {"work": "For years"}) == "expert"
    assert study.cohort_by("you", {"work": "A little"}) == "novice"
    assert study.cohort_by("you", {"work": None}) == ""
    assert study.cohort_by("end", {"work": "For years"}) == ""


def test_a_cohort_with_a_number_has_places_of_its_own_and_the_others_share(tmp_path: Path) -> None:
    from_answer(tmp_path / "one")
    caps = load_study(tmp_path / "one").caps
    assert caps.copies_wanted == {"expert": 2, "": 1}
    assert [caps.places_of(cohort) for cohort in ("expert", "novice", "")] == ["expert", "", ""]


def test_where_all_cohorts_have_places_there_are_none_for_others(tmp_path: Path) -> None:
    own = COHORTS.replace('name = "novice"', 'name = "novice"\nannotations_per_item = 1')
    from_answer(tmp_path / "one", more=FORM + own)
    assert load_study(tmp_path / "one").caps.copies_wanted == {"expert": 2, "novice": 1}


def test_without_numbers_cohorts_share_all_places(tmp_path: Path) -> None:
    study = study_with(tmp_path / "one", '[[cohorts]]\nname = "expert"\n')
    assert study.caps.copies_wanted == {"": study.caps.annotations_per_item}


@pytest.mark.parametrize(
    ("question", "more", "said"),
    [
        ("you.age", FORM + COHORTS, "must be a question of kind 'one'"),
        ("you.job", FORM + COHORTS, "there is no form and question 'you.job'"),
        ("you.work", FORM, "cohort_from needs [[cohorts]]"),
        ("you.work", FORM.replace('"before"', '"after"') + COHORTS, 'when = "before"'),
        ("you.work", FORM + COHORTS.replace('"Never"', '"For years"'), "'For years' leads to two cohorts"),
        ("you.work", FORM + COHORTS.replace('"Never"', '"Now"'), "'Now' is not among the choices"),
    ],
)
def test_answers_that_make_no_cohorts_are_refused(
    tmp_path: Path, question: str, more: str, said: str
) -> None:
    assert said in from_answer(tmp_path / "one", question, more)


def test_answers_without_a_question_are_refused(tmp_path: Path) -> None:
    assert "nothing says to which question" in problems(tmp_path / "one", FORM + COHORTS)


def test_a_study_is_described_with_its_forms_and_cohorts(tmp_path: Path) -> None:
    own = COHORTS.replace('name = "novice"', 'name = "novice"\nannotations_per_item = 1')
    from_answer(tmp_path / "one", more=FORM + own)
    said = "\n".join(rules_of(load_study(tmp_path / "one"), "comparison"))
    assert "Form “About you” (you): 2 questions about the annotator, before the first item." in said
    assert (
        "Cohorts, by the answer to you.work, or the link: expert, 2 of them for each item; novice, 1" in said
    )
    assert "Annotators of no cohort get no work." in said
    shared = study_with(tmp_path / "two", '[[cohorts]]\nname = "expert"\n')
    assert "Cohorts, by the link: expert, sharing the places of all others." in rules_of(shared, "rating")
    assert "Cohorts" not in "".join(rules_of(new_study(tmp_path / "three"), "rating"))


def test_who_would_get_no_work_is_warned_about(tmp_path: Path) -> None:
    own = COHORTS.replace('name = "novice"', 'name = "novice"\nannotations_per_item = 1')
    more = FORM.replace("required = true", "") + own.replace('"Never", ', "")
    from_answer(tmp_path / "one", more=more)
    said = list(odd_cohorts(load_study(tmp_path / "one")))
    assert [one[:40] for one in said] == [
        "who answers 'Never' to you.work belongs ",
        "who leaves out you.work belongs to no co",
    ]
    from_answer(tmp_path / "two")
    assert list(odd_cohorts(load_study(tmp_path / "two"))) == []
    from_answer(tmp_path / "three", more=FORM + own)
    assert list(odd_cohorts(load_study(tmp_path / "three"))) == []


def test_a_cohort_judges_some_of_the_items(tmp_path: Path) -> None:
    some = (
        '[[cohorts]]\nname = "expert"\nitems = 30\n\n[[cohorts]]\nname = "novice"\nannotations_per_item = 2\n'
    )
    caps = study_with(tmp_path / "one", some).caps
    assert caps.judgments_of({"a": 40, "b": 40, "c": 5}) == {"a": 80 + 12, "b": 80 + 13, "c": 10 + 5}
    assert (caps.judgments_per_item, caps.judgments_of_every_item) == (3, 2)
    said = "\n".join(rules_of(load_study(tmp_path / "one"), "comparison"))
    assert (
        "Cohorts, by the link: expert, 1 of them for each of 30 items; novice, 2 of them for each item."
        in said
    )
    assert "Annotators of no cohort get no work." in said


def test_more_items_for_a_cohort_than_there_are_is_warned_about(tmp_path: Path) -> None:
    more = '[[cohorts]]\nname = "expert"\nitems = 30\n'
    study = study_with(tmp_path / "one", more)
    assert list(odd_cohorts(study)) == ["expert is to judge 30 items, and there are 0: they judge them all."]


@given(wanted=st.integers(0, 60), sizes=st.lists(st.integers(0, 20), max_size=6))
def test_items_are_spread_evenly_over_groups(wanted: int, sizes: list[int]) -> None:
    groups = {str(place): size for place, size in enumerate(sizes)}
    shares = spread_over_groups(wanted, groups)
    assert sum(shares.values()) == min(wanted, sum(sizes))
    assert all(shares[group] <= size for group, size in groups.items())
    open_ones = [shares[group] for group, size in groups.items() if shares[group] < size]
    assert max(shares.values(), default=0) <= min(open_ones, default=60) + 1
