"""A study file is read whole, and what is wrong in it is named with its line."""

import re
from pathlib import Path

import pytest

from duologue.acute import AcuteSettings, PairingSettings
from duologue.dialogues import MAX_TURN_CHARS, turn_limit
from duologue.errors import (
    ExportError,
    ProtocolError,
    StudyExists,
    StudyFileError,
    StudyNotFound,
)
from duologue.studies import load_study, new_study
from duologue.studies.load import line_of, read_study


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return new_study(tmp_path / "my study", seed=5).folder


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_byte_order_mark_does_no_harm(folder: Path) -> None:
    path = folder / "study.toml"
    before = load_study(folder)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    after = load_study(folder)
    assert (after.name, after.design_hash) == (before.name, before.design_hash)
    change(folder, "seed = 5", "seed = -5")
    with pytest.raises(StudyFileError, match=r"seed: give a number of at least 0"):
        load_study(folder)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("a" + ".b" * 50_000 + " = 1\n", "line 1: a key has more than 100 parts"),
        ("[a" + ' . "b"' * 50_000 + "]\n", "line 1: a key has more than 100 parts"),
        ("x = {a" + ".'b'" * 50_000 + " = 1}\n", "line 1: a key has more than 100 parts"),
        ("#" * 2_000_000 + "\n", "the file has more than 2,000,000 characters"),
    ],
)
def test_what_is_no_study_is_refused_before_it_is_read(folder: Path, more: str, says: str) -> None:
    path = folder / "study.toml"
    path.write_text(more + path.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(StudyFileError, match=says):
        load_study(folder)
    assert turn_limit(folder) == MAX_TURN_CHARS


def test_a_comment_with_many_dots_is_no_deep_key(folder: Path) -> None:
    change(folder, "[study]", "# wait" + "..." * 200 + " a.b. and c.d. " * 60 + "\n[study]")
    assert load_study(folder).name == "my study"


def test_a_new_study_works_as_it_is(folder: Path) -> None:
    study = load_study(folder)
    assert (study.name, study.seed, study.protocol.name) == ("my study", 5, "acute")
    assert isinstance(study.settings, AcuteSettings)
    assert study.settings == AcuteSettings(), "the template says the defaults"
    assert study.caps.max_judgments is None
    assert study.database == f"sqlite:///{folder.resolve()}/study.db"


_QUESTION = "questions = [{name = 'q', kind = 'text', label = 'Q', required = 'yes'}]"


@pytest.mark.parametrize(
    ("table", "line", "why"),
    [
        ("annotators", 'max_judgments = "1,000"', "whole number"),
        ("annotators", 'max_judgments = "10"', "give a whole number, without quotes"),
        ("annotators", "max_judgments = true", "give a whole number, without quotes"),
        ("annotators", "max_judgments = 10.0", "give a whole number, without quotes"),
        ("annotators", "max_judgments = 1979-05-27", "whole number"),
        ("onboarding", 'enabled = "yes"', "give true or false, without quotes"),
        ("onboarding", "enabled = 1", "give true or false, without quotes"),
        ("onboarding", 'threshold = "0.5"', "give a number, without quotes"),
        ("onboarding", "threshold = true", "give a number, without quotes"),
        ("wording", "submit = 3", "give a text, in quotes"),
        ("[cohorts]", "annotations_per_item = true\nname = 'experts'", "give a whole number, without quotes"),
        ("[forms]", f"{_QUESTION}\nname = 'f'\nwhen = 'before'\ntitle = 'F'", "give true or false"),
        ("wording", 'form_between = "Please write a number."', "write {min} and {max} where the value"),
        ("wording", 'time_left = "Hurry!"', "write {time} where the value"),
    ],
)
def test_a_value_of_another_type_is_refused_by_its_line(
    tmp_path: Path, table: str, line: str, why: str
) -> None:
    (tmp_path / "study.toml").write_text(f'[study]\nname = "x"\nseed = 1\n[{table}]\n{line}\n')
    with pytest.raises(StudyFileError, match=re.escape(why)) as caught:
        load_study(tmp_path)
    assert caught.value.line == 5


def test_values_of_the_right_type_are_read_as_they_are(tmp_path: Path) -> None:
    """A whole number is a number too; lists are lists, in bots' parameters as well."""
    (tmp_path / "study.toml").write_text(
        '[study]\nname = "x"\nseed = 1\n[onboarding]\nthreshold = 1\n'
        '[acute.pairings]\nmatchups = [["a", "b"]]\n'
        '[[bots]]\nname = "a"\nkind = "openai"\nmodel = "m"\nbase_url = "http://h/v1"\n'
        'parameters = { stop = ["x"], temperature = 1 }\n'
    )
    study = load_study(tmp_path)
    assert study.file.onboarding.threshold == 1.0
    assert study.settings == AcuteSettings(pairings=PairingSettings(matchups=(("a", "b"),)))


def test_every_optional_line_of_the_template_is_legal(folder: Path) -> None:
    path = folder / "study.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    optional = [
        line[2:] if line.startswith("# ") and ("=" in line or line.startswith("# [")) else line
        for line in lines
    ]
    seen: set[str] = set()
    kept: list[str] = []
    for line in optional:  # the question of your own replaces the library's
        key = line.split("=")[0].strip()
        if line.startswith("["):
            seen.clear()
        if "=" in line and not line.startswith("#"):
            if key in seen:
                kept = [
                    other for other in kept if other.split("=")[0].strip() != key or other.startswith("[")
                ]
            seen.add(key)
        kept.append(line)
    path.write_text("\n".join(line for line in kept if not line.startswith("# ")), encoding="utf-8")
    _, problems = read_study(folder)
    assert [str(problem) for problem in problems] == []


def test_a_study_is_never_overwritten(folder: Path) -> None:
    before = (folder / "study.toml").read_bytes()
    with pytest.raises(StudyExists):
        new_study(folder)
    assert (folder / "study.toml").read_bytes() == before


def test_a_folder_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ExportError, match="cannot be written"):
        new_study(tmp_path / "file" / "s")


def test_an_unknown_protocol_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="acute"):
        new_study(tmp_path / "s", protocol="chess")


def test_a_folder_without_a_study_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StudyNotFound, match="duologue study new"):
        load_study(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            'per_matchup = "plan"',
            "per_matchup = 0",
            "[acute.pairings] per_matchup: give a number of at least 1",
        ),
        (
            'per_matchup = "plan"',
            "per_match = 9",
            '[acute.pairings] per_match: there is no such setting. Did you mean "per_matchup"?',
        ),
        ("seed = 5", "seed = -5", "[study] seed: give a number of at least 0."),
        ("seed = 5", "", "[study] seed: this setting is needed"),
        ('protocol = "acute"', 'protocol = "chess"', "[study] protocol: there is no protocol 'chess'"),
        ("threshold = 1.0", "threshold = 3", "[onboarding] threshold: give a number of at most 1."),
        (
            'question = "engagingness"',
            'question = "knowledge"',
            "[acute] question: 'knowledge' is not in the question",
        ),
        ("enabled = true", "enabled = perhaps", "not TOML"),
        ("[pay]", "[payment]", '[payment]: there is no such setting. Did you mean "pay"? docs/'),
        ('dir = "ltr"', 'dir = "rt"', '[study] dir: give one of "ltr", "rtl", "auto". Did you mean "rtl"?'),
        ('matchups = "all"', 'matchups = "al"', 'matchups: give "all" or a list. Did you mean "all"?'),
        (
            'matchups = "all"',
            'matchups = [["a"]]',
            "[acute.pairings] matchups: entry 2 of this list is needed",
        ),
        (
            "lease_minutes = 30",
            "item_seconds = 0",
            "[annotators] item_seconds: give a number greater than 0.",
        ),
    ],
)
def test_a_mistake_is_named_with_table_key_and_line(folder: Path, old: str, new: str, says: str) -> None:
    change(folder, old, new)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    with pytest.raises(StudyFileError) as caught:
        load_study(folder)
    assert says in str(caught.value)
    if new:
        assert caught.value.line == next(n for n, line in enumerate(text.splitlines(), 1) if new in line)


QUESTION = """
[[forms]]
name = "you"
when = "before"
title = "About you"
[[forms.questions]]
name = "work"
kind = "one"
label = "What do you do?"
choices = ["this", "that"]
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            QUESTION,
            "[forms]\nname = 'you'",
            "[forms]: there may be several, so write [[forms]] with two brackets.",
        ),
        ('["this", "that"]', '"this"', "[forms.questions] choices: give a list, in square brackets."),
        ('["this", "that"]', "[1, 2]", "[forms.questions] choices: give a text, in quotes."),
        (
            '"you"',
            '"You"',
            "[forms] name: give at most 40 small letters, digits, - and _, beginning with a letter.",
        ),
        ('"About you"', '"  "', "[forms] title: give a text that is not empty."),
        ('"About you"', '"About\\nyou"', "[forms] title: give one line."),
        (QUESTION, "[likert]", "[likert]: this is the table of another protocol: leave it out, or set"),
        (QUESTION, "[[chat]]\nx = 1", "[chat]: this is a table, so write [chat], with its settings"),
        (QUESTION, "[[bots]]\nname='b'\nkind='python'\ncall='b.say'", 'call: give "module:callable".'),
        (QUESTION, "[[bots]]\nname='b'\nkind='openai'\nmodel='m'\nbase_url='h'", "begins with http://"),
        (
            QUESTION,
            "[[acute.questions]]\nname='a b'",
            "[acute.questions] name: give at most 64 letters from A to Z, digits",
        ),
        (
            "[screening]",
            "[screening]\nresearcher_rules=['A']",
            "researcher_rules: give at most 40 small letters, digits and -",
        ),
    ],
)
def test_a_mistake_is_said_in_words_and_once(folder: Path, old: str, new: str, says: str) -> None:
    path = folder / "study.toml"
    template = path.read_text(encoding="utf-8")
    added = QUESTION if "\n[screening]" in template else QUESTION + "\n[screening]\n"
    path.write_text(template + added.replace(old, new, 1), encoding="utf-8")
    _, problems = read_study(folder)
    assert [says in str(problem) for problem in problems] == [True]


def test_every_mistake_is_found_at_once(folder: Path) -> None:
    change(folder, "seed = 5", "seed = -5")
    change(folder, 'per_matchup = "plan"', "per_matchup = 0")
    study, problems = read_study(folder)
    assert study is None
    assert len(problems) == 2
    with pytest.raises(StudyFileError) as caught:
        load_study(folder)
    assert "1 more problem:" in caught.value.__notes__[0]


def test_the_line_of_the_second_of_two_tables_is_found() -> None:
    text = '[[bots]]\nname = "a"\n[[bots]]\nname = ""\n'
    assert line_of(text, ("bots", 1, "name")) == 4
    assert line_of(text, ("bots", 1, "missing")) == 3
    assert line_of(text, ("nowhere",)) is None


def test_a_file_that_is_not_utf8_says_so(folder: Path) -> None:
    (folder / "study.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(StudyFileError, match="UTF-8"):
        load_study(folder)


def test_what_judgments_depend_on_changes_the_design_and_pay_does_not(folder: Path) -> None:
    before = load_study(folder).design_hash
    change(folder, "per_judgment = 0.0", "per_judgment = 1.5")
    change(folder, 'contact = ""', 'contact = "ada@example.org"')
    assert load_study(folder).design_hash == before
    change(folder, 'question = "engagingness"', 'question = "humanness"')
    assert load_study(folder).design_hash != before


def test_a_postgresql_address_is_kept(folder: Path) -> None:
    change(folder, "# database = ", "database = ")
    assert load_study(folder).database == "postgresql://user@host/database"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[" * 3000 + "]" * 3000, "nested too deeply"),
        ("{a = " * 2000 + "1" + "}" * 2000, "nested too deeply"),
        ("9" * 5000, "more than 4300 digits"),
        ('"x"\ndatabase = "a\\u0000b"', "a NUL character"),
    ],
)
def test_a_value_that_python_cannot_read_is_said_in_one_line(tmp_path: Path, value: str, said: str) -> None:
    (tmp_path / "study.toml").write_text(f"[study]\nname = {value}\n")
    with pytest.raises(StudyFileError, match=rf"study\.toml: [^:]*{said}"):
        load_study(tmp_path)


@pytest.mark.parametrize(
    ("protocol", "collect", "more"),
    [
        ("acute", None, ""),
        ("acute", "parallel", 'collect = "parallel"'),
        ("likert", None, ""),
        ("per-turn", None, ""),
    ],
)
def test_a_study_that_says_no_title_has_that_of_its_protocol(
    tmp_path: Path, protocol: str, collect: str | None, more: str
) -> None:
    written = new_study(tmp_path / "new", protocol=protocol, collect=collect)
    (tmp_path / "short").mkdir()
    text = f'[study]\nname = "short"\nseed = 5\nprotocol = "{protocol}"\n[{protocol}]\n{more}\n'
    (tmp_path / "short" / "study.toml").write_text(text, encoding="utf-8")
    short = load_study(tmp_path / "short")
    for word in ("title", "description", "keywords"):
        assert getattr(short.heading, word) == getattr(written.heading, word), word
    assert short.heading.name == "short"
    change(tmp_path / "short", "seed = 5", 'seed = 5\ntitle = "Ours"')
    assert load_study(tmp_path / "short").heading.title == "Ours"


@pytest.mark.parametrize(
    ("protocol", "more"), [("likert", 'source = "dialogues"'), ("per-turn", 'collect = "finished"')]
)
def test_annotators_who_read_are_not_asked_to_chat(tmp_path: Path, protocol: str, more: str) -> None:
    text = f'[study]\nname = "s"\nseed = 5\nprotocol = "{protocol}"\n[{protocol}]\n{more}\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert load_study(tmp_path).heading.title.startswith("Read conversations")
