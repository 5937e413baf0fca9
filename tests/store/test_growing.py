"""A study grows in the same way on each engine."""

import re
from pathlib import Path

from duologue.acute.growing import grow_study
from duologue.studies import load_study
from tests.acute.test_growing import dialogues_of, finish, results_of, three_bots


def test_a_bot_is_added_on_each_engine(database: str, tmp_path: Path) -> None:
    study = three_bots(tmp_path / "study", per_matchup=3, dialogues=6)
    line = f'database = "{database}"\n'
    text = re.sub(r"^# database = .*\n", lambda _: line, study.text, count=1, flags=re.MULTILINE)
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(study.folder)
    finish(study)
    dialogues_of(study.folder, "dee", 6)
    grow_study(study, ["dee"], recheck=1.0)
    assert finish(study) == 1
    results = results_of(study)
    assert results.sections[0].n == 18
    assert [one.again_n for one in results.sections[0].drift[0].matchups] == [3, 3, 3]
    assert results.conduct is not None
    assert results.conduct.deviations == ()
    assert (study.folder / "plan-addendum-1.json").is_file()
