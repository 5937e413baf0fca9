"""The best phrasing is written into a study file: only the question changes, and never by surprise."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.acute.phrasings.analysis import Phrasing, analyse_phrasings
from duologue.acute.phrasings.design.template import phrasings_template
from duologue.acute.phrasings.found import found_phrasings
from duologue.acute.phrasings.results import PhrasingStudyResults
from duologue.acute.phrasings.writing import with_question, write_phrasing
from duologue.acute.settings import NamedQuestionSettings
from duologue.errors import AnalysisError, DesignError
from duologue.judgments import votes_from_rows
from duologue.store import open_study
from duologue.studies import Study, load_study, new_study
from tests.acute.phrased import ENGAGING, asked, judged, judged_all
from tests.reports.judged_study import load, make_study, prefers_earlier, sit
from tests.studies.conftest import edit

CLEAR = {"engaging-to-talk-to": (20, 0), "long-conversation": (11, 9), "captivating": (12, 8)}


@pytest.fixture
def phrased(tmp_path: Path) -> Study:
    return new_study(tmp_path / "q", seed=3, collect="phrasings")


def found(counts: dict[str, tuple[int, int]] = CLEAR) -> PhrasingStudyResults:
    return analyse_phrasings(votes_from_rows(judged_all(counts)), asked(*ENGAGING))


def test_the_best_is_written_into_another_study_and_all_else_stays(phrased: Study, tmp_path: Path) -> None:
    other = new_study(tmp_path / "o", seed=1)
    before = other.text
    written = write_phrasing(phrased, found(), other)
    assert (written.arm, written.is_best, written.is_distinguished) == ("engaging-to-talk-to", True, True)
    assert written.is_changed
    after = load_study(other.folder)
    assert after.text == before.replace('question = "engagingness" ', 'question = "engaging-to-talk-to" ', 1)
    assert after.arms[0].summary == "Which speaker is more engaging to talk to?"
    assert not write_phrasing(phrased, found(), after).is_changed


def test_another_phrasing_may_be_chosen(phrased: Study, tmp_path: Path) -> None:
    written = write_phrasing(phrased, found(), new_study(tmp_path / "o"), arm="captivating")
    assert (written.text, written.is_best) == ("Which speaker do you think is more captivating?", False)
    assert not written.is_distinguished


def test_own_wording_is_written_with_its_choices(phrased: Study, tmp_path: Path) -> None:
    own = '[[acute.questions]]\nname = "dull"\naxis = "engagingness"\nquestion = "Who is \\"duller\\"?"\n'
    own += 's1_choice = "<Speaker 1>"\ncredits = "other"\n\n# [[acute.questions]]'
    study = edit(phrased, "# [[acute.questions]]", own)
    rows = judged_all(CLEAR)
    arms = [*asked(*ENGAGING), Phrasing("dull", "engagingness", study.settings.questions[-1].resolved())]  # type: ignore[attr-defined]
    result = analyse_phrasings(votes_from_rows([*rows, *judged("dull", 40, 0)]), arms)
    other = write_phrasing(study, result, new_study(tmp_path / "o"))
    assert other.arm == "dull"
    asks = load_study(tmp_path / "o").settings.resolved()  # type: ignore[attr-defined]
    assert (asks.text, asks.credits) == ('Who is "duller"?', "other")
    assert asks.choices == ("<Speaker 1>", "<Speaker 2>")
    # A published question takes its own choices again.
    write_phrasing(study, result, load_study(tmp_path / "o"), arm="captivating")
    text = (tmp_path / "o" / "study.toml").read_text(encoding="utf-8")
    assert not [line for line in text.splitlines() if line.startswith(("s1_choice", "credits"))]


def test_in_its_own_file_the_phrasings_become_comments(phrased: Study) -> None:
    written = write_phrasing(phrased, found(), phrased)
    assert written.path == phrased.folder / "study.toml"
    after = load_study(phrased.folder)
    assert [arm.name for arm in after.arms] == ["main"]
    assert not after.settings.compares_phrasings  # type: ignore[attr-defined]
    assert not after.caps.one_per_factor
    kept = [line.removeprefix("# ") for line in after.text.splitlines()]
    assert all(line in kept for line in phrased.text.splitlines() if line.startswith(("name", "[[")))


def test_a_study_with_judgments_by_another_question_is_left_alone_unless_told(
    phrased: Study, tmp_path: Path
) -> None:
    study = make_study(tmp_path / "judged", per_matchup=2)
    with open_study(study) as store:
        load(study, store)
        sit(study, store, prefers_earlier())
    before = (study.folder / "study.toml").read_text(encoding="utf-8")
    with pytest.raises(DesignError, match="by another question: a change would make a new revision"):
        write_phrasing(phrased, found(), study)
    assert (study.folder / "study.toml").read_text(encoding="utf-8") == before
    assert write_phrasing(phrased, found(), study, new_revision=True).is_changed
    # The same question again changes nothing, so that nothing needs to be said.
    assert not write_phrasing(phrased, found(), load_study(study.folder)).is_changed


def test_a_study_that_asks_several_questions_is_refused(phrased: Study, tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="asks several questions"):
        write_phrasing(phrased, found(), new_study(tmp_path / "o", collect="phrasings"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"arm": "charm"}, "--arm charm: the phrasings"),
        ({"axis": "charm"}, "--axis charm: the axes"),
        ({"arm": "captivating", "axis": "humanness"}, "--axis humanness: the axes"),
    ],
)
def test_a_phrasing_or_axis_that_is_not_there_is_refused(
    phrased: Study, options: dict[str, str], words: str
) -> None:
    with pytest.raises(DesignError, match=words):
        write_phrasing(phrased, found(), phrased, **options)  # type: ignore[arg-type]


def test_of_several_axes_one_must_be_named(phrased: Study) -> None:
    two = phrasings_template(["humanness", "engagingness"])
    study = new_study(phrased.folder.parent / "two", template=two)
    with pytest.raises(DesignError, match="say of which axis, humanness or engagingness"):
        write_phrasing(study, found(), study)


def test_without_judgments_there_is_no_best(phrased: Study) -> None:
    with pytest.raises(DesignError, match="nobody has judged"):
        write_phrasing(phrased, found({}), phrased)
    with pytest.raises(AnalysisError, match="has no judgments yet"):
        found_phrasings(phrased)


def test_revisions_that_disagree_need_a_name(phrased: Study) -> None:
    rows = [*judged_all(CLEAR), *judged("captivating", 20, 0, who="later", revision="2")]
    result = analyse_phrasings(votes_from_rows(rows), asked(*ENGAGING))
    with pytest.raises(DesignError, match="agree most by different phrasings"):
        write_phrasing(phrased, result, phrased)
    assert write_phrasing(phrased, result, phrased, arm="captivating").is_changed


def test_a_study_of_bots_has_no_phrasings(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="compares bots"):
        found_phrasings(new_study(tmp_path / "o"))


HUMAN = NamedQuestionSettings(name="h", question="humanness")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("[study]\n", '[study]\n\n[acute]\nquestion = "humanness"\n'),
        ("[study]", '[study]\n\n[acute]\nquestion = "humanness"\n'),
        ("[acute]\r\nties = false\r\n", '[acute]\r\nquestion = "humanness"\r\nties = false\r\n'),
        ("[acute] # here\n\n[pay]\n", '[acute] # here\nquestion = "humanness"\n\n[pay]\n'),
        ("[acute]", '[acute]\nquestion = "humanness"\n'),
        (
            "[acute]\ncredits = 'chosen'\nquestion='x' # y\ns2_choice = \"b\"\n",
            '[acute]\nquestion="humanness" # y\n',
        ),
    ],
)
def test_a_file_is_changed_in_one_place(text: str, after: str) -> None:
    assert with_question(text, HUMAN) == after


def test_a_value_over_several_lines_is_refused() -> None:
    with pytest.raises(DesignError, match="not a text on one line"):
        with_question('[acute]\nquestion = """\nWho?"""\n', HUMAN)


def test_a_file_that_cannot_be_changed_safely_is_left_alone(phrased: Study, tmp_path: Path) -> None:
    other = new_study(tmp_path / "o")
    inline = '[study]\nname = "o"\nprotocol = "acute"\nseed = 1\n[acute]\nquestion = "engagingness"\n'
    path = other.folder / "study.toml"
    # A second header in a text of several lines: the first one found is not the table.
    path.write_text('[study]\nname = "o"\ndescription = """\n[acute]\n"""\nseed = 1\n', encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(DesignError, match="cannot be changed safely"):
        write_phrasing(phrased, found(), load_study(other.folder))
    assert path.read_bytes() == before
    path.write_text('acute.question = "engagingness"\n[study]\nname = "o"\nseed = 1\n', encoding="utf-8")
    with pytest.raises(DesignError, match="cannot be changed safely"):  # the table is there without a header
        write_phrasing(phrased, found(), load_study(other.folder))
    path.write_text(inline, encoding="utf-8")
    assert write_phrasing(phrased, found(), load_study(other.folder)).is_changed
