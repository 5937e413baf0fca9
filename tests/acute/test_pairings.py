"""Pairings of a study: made, kept, brought in, taken out."""

import json
import sys
from pathlib import Path

import pytest

from duologue.acute import change_pairing, export_pairings, import_pairings, make_pairings
from duologue.dialogues import Dialogue, DialogueKind, Speaker, Turn, study_dialogues, write_dialogues
from duologue.errors import DesignError, DuologueError, FormatError, ImpossiblePairing
from duologue.protocols import read_items
from duologue.studies import Study, load_study, new_study
from tests.studies.conftest import write_dialogues as add_dialogues


def paired(study: Study, **changes: object) -> dict[str, int]:
    return dict(make_pairings(study, settings=change_pairing(study, changes)).matchups)


def published(path: Path, **changes: object) -> Path:
    def dialogue(judged: str) -> dict[str, object]:
        turns = [{"id": (judged, "person")[turn % 2], "text": f"{judged} {turn}"} for turn in range(4)]
        return {"speakers": [judged, "person"], "dialogue": turns, "oz": judged}

    line = {
        "is_onboarding": False,
        "speakers_to_eval": ["kv", "pe"],
        "dialogue_ids": [17, "x"],
        "dialogue_dicts": [dialogue("kv"), dialogue("pe")],
        "tags": ["t1"],
    }
    onboarding = {**line, "is_onboarding": True, "correct_answer": "pe"}
    del onboarding["dialogue_ids"]
    path.write_text("\n".join(json.dumps(one) for one in (onboarding, {**line, **changes})), encoding="utf-8")
    return path


def test_making_pairings_twice_gives_the_same_bytes(study: Study) -> None:
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    first = study.items_path.read_bytes()
    study.items_path.unlink()
    make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    assert study.items_path.read_bytes() == first


def test_all_matchups_are_made_and_counted(study: Study) -> None:
    assert paired(study, per_matchup=4) == {"ann__vs__bob": 4, "ann__vs__human": 4, "bob__vs__human": 4}


def test_an_impossible_request_leaves_the_old_file(study: Study) -> None:
    paired(study, per_matchup=4)
    before = study.items_path.read_bytes()
    with pytest.raises(ImpossiblePairing, match="20 are possible"):
        paired(study, per_matchup=21)
    assert study.items_path.read_bytes() == before
    assert not list(study.folder.glob("*.tmp"))


def test_a_new_bot_is_added_to_what_is_there(study: Study) -> None:
    paired(study, per_matchup=4)
    before = list(read_items(study.items_path))
    add_dialogues(study.folder, "newcomer", 6)
    settings = change_pairing(study, {"per_matchup": 4, "against": ["newcomer"]})
    made = make_pairings(study, settings=settings, keep=True)
    assert (made.kept, made.replaced) == (12, 0)
    assert list(read_items(study.items_path))[:12] == before
    assert {group for group in made.matchups if "newcomer" in group} == {
        "ann__vs__newcomer",
        "bob__vs__newcomer",
        "human__vs__newcomer",
    }


def test_what_was_replaced_is_counted(study: Study) -> None:
    paired(study, per_matchup=4)
    made = make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}), seed=99)
    assert made.replaced > 0
    assert made.kept + made.replaced == 12


def test_onboarding_pairings_survive_making_pairings_anew(study: Study, tmp_path: Path) -> None:
    path = published(tmp_path / "pairings.jsonl")
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    import_pairings(study, path)
    made = make_pairings(study, settings=change_pairing(study, {"per_matchup": 4, "leave_out": ["human"]}))
    assert made.onboarding == 1
    assert set(made.matchups) == {"ann__vs__bob"}, "dialogues for onboarding are not compared besides"


def test_a_published_file_comes_back_as_it_was(tmp_path: Path) -> None:
    study = new_study(tmp_path / "p", seed=1)
    source = published(tmp_path / "pairings.jsonl")
    made = import_pairings(study, source)
    assert (dict(made.matchups), made.onboarding) == ({"kv__vs__pe": 1}, 1)
    out = tmp_path / "out.jsonl"
    assert export_pairings(study, out) == 2
    ours = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    theirs = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    assert ours == theirs


def test_bringing_in_the_same_file_twice_changes_nothing(tmp_path: Path) -> None:
    study = new_study(tmp_path / "p", seed=1)
    source = published(tmp_path / "pairings.jsonl")
    import_pairings(study, source)
    before = {path: path.read_bytes() for path in study.folder.rglob("*.jsonl")}
    import_pairings(study, source)
    assert {path: path.read_bytes() for path in study.folder.rglob("*.jsonl")} == before


def test_a_bad_line_brings_nothing_in(tmp_path: Path) -> None:
    study = new_study(tmp_path / "p", seed=1)
    source = published(tmp_path / "pairings.jsonl", speakers_to_eval=["kv", "nobody"])
    with pytest.raises(FormatError, match="line 2"):
        import_pairings(study, source)
    assert not study.items_path.exists()
    assert not list((study.folder / "dialogues").iterdir())
    made = import_pairings(study, source, skip_bad=True)
    assert (len(made.left_out), made.onboarding, dict(made.matchups)) == (1, 1, {})


def test_export_says_which_dialogue_is_gone(study: Study, tmp_path: Path) -> None:
    paired(study, per_matchup=4)
    (study.folder / "dialogues" / "ann.jsonl").unlink()
    with pytest.raises(DesignError, match="'ann-0' first"):
        export_pairings(study, tmp_path / "out.jsonl")


def test_an_illegal_change_is_named(study: Study) -> None:
    with pytest.raises(DesignError, match="per_matchup"):
        change_pairing(study, {"per_matchup": 0})


def test_a_bad_extra_field_brings_nothing_in(tmp_path: Path) -> None:
    """Lists that can be read can be too deep to be written a level further in."""
    study = new_study(tmp_path / "study", seed=1)
    side = (
        '{"speakers": ["%s", "human"], "dialogue": [{"id": "human", "text": "?"}, {"id": "%s", "text": "!"}]}'
    )
    levels = sys.getrecursionlimit()
    while True:  # as deep as can be read
        levels -= 1
        try:
            json.loads("[" * levels + "]" * levels)
            break
        except RecursionError:
            continue
    for depth in range(levels, levels - 60, -1):
        line = (
            '{"speakers_to_eval": ["a", "b"], "dialogue_dicts": ['
            + side % ("a", "a")
            + ", "
            + side % ("b", "b")
            + '], "extra": '
            + "[" * depth
            + "]" * depth
            + "}"
        )
        (tmp_path / "pairings.jsonl").write_text(line + "\n")
        try:
            import_pairings(study, tmp_path / "pairings.jsonl")
        except DuologueError:
            assert not list(study_dialogues(study.folder))
            assert not study.items_path.exists()
        else:
            break
    assert len(list(study_dialogues(study.folder))) == 2
    assert len(list(read_items(study.items_path))) == 1


def test_half_a_surrogate_pair_in_an_extra_field_is_kept(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", seed=1)
    side = (
        '{"speakers": ["%s", "human"], "dialogue": [{"id": "human", "text": "?"}, {"id": "%s", "text": "!"}]}'
    )
    sides = f"{side % ('a', 'a')}, {side % ('b', 'b')}"
    line = f'{{"speakers_to_eval": ["a", "b"], "dialogue_dicts": [{sides}], "note": "\\ud800"}}\n'
    (tmp_path / "pairings.jsonl").write_text(line)
    import_pairings(study, tmp_path / "pairings.jsonl")
    (item,) = read_items(study.items_path)
    assert item.extras["published"] == {"dialogue_ids": None, "fields": {"note": "\ud800"}}


def test_pairings_with_turns_longer_than_the_study_allows_are_refused(tmp_path: Path) -> None:
    path = new_study(tmp_path / "p", seed=1).folder / "study.toml"
    path.write_text(path.read_text().replace("[study]", "[study]\nmax_turn_chars = 3"))
    study = load_study(path.parent)
    with pytest.raises(FormatError, match="a turn of at most 3 characters"):
        import_pairings(study, published(tmp_path / "pairings.jsonl"))
    assert not study.items_path.exists()


def test_pairings_that_annotators_hold_are_kept_with_their_matchup(study: Study) -> None:
    paired(study, per_matchup=4)
    before = list(read_items(study.items_path))
    handed = [item.id for item in before if item.group == "ann__vs__bob"]
    settings = change_pairing(study, {"per_matchup": 4})
    made = make_pairings(study, settings=settings, seed=99, in_use=handed)
    after = list(read_items(study.items_path))
    assert made.in_use > 0
    assert [item for item in after if item.group == "ann__vs__bob"] == [
        item for item in before if item.group == "ann__vs__bob"
    ]
    assert made.replaced > 0, "matchups that nobody has seen are made anew"


def test_making_the_same_pairings_again_replaces_nothing(study: Study) -> None:
    paired(study, per_matchup=4)
    before = study.items_path.read_bytes()
    handed = [item.id for item in read_items(study.items_path)]
    made = make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}), in_use=handed)
    assert (made.in_use, made.replaced) == (0, 0)
    assert study.items_path.read_bytes() == before


def test_pairings_that_were_made_here_go_out_with_their_own_ids(study: Study, tmp_path: Path) -> None:
    made = make_pairings(study, settings=change_pairing(study, {"per_matchup": 2}))
    assert export_pairings(study, tmp_path / "out.jsonl") == sum(made.matchups.values())
    again = new_study(tmp_path / "again", seed=1)
    assert import_pairings(again, tmp_path / "out.jsonl").matchups == made.matchups


def told(
    bot: str, number: int, kind: DialogueKind, judged: str, other: str, *, prefix: bool = True
) -> Dialogue:
    """A dialogue in which the bot is called by another name, or is not the first to be named."""
    turns = tuple(Turn((other, judged)[turn % 2], f"{bot} {number} {turn}") for turn in range(4))
    speakers = Speaker(other, bot if kind == "self-chat" else None), Speaker(judged, bot)
    return Dialogue(f"{bot}:{number}" if prefix else f"{bot}-{number}", bot, kind, judged, speakers, turns)


@pytest.mark.parametrize(
    ("kind", "judged", "other", "prefix"),
    [
        ("live-chat", "assistant", "user", True),
        ("live-chat", "assistant", "kv", True),
        ("live-chat", "assistant", "user", False),
        ("human-human", "anna", "ben", True),
        ("self-chat", "B", "A", True),
    ],
)
def test_exported_pairings_are_recognised_when_they_come_back(
    tmp_path: Path, kind: DialogueKind, judged: str, other: str, prefix: bool
) -> None:
    study = new_study(tmp_path / "s", seed=1)
    for bot in ("kv", "pe"):
        told_here = [told(bot, number, kind, judged, other, prefix=prefix) for number in range(6)]
        (study.folder / "dialogues").mkdir(exist_ok=True)
        write_dialogues(told_here, study.folder / "dialogues" / f"{bot}.jsonl")
    changes = {"per_matchup": 2, "onboarding": ("kv", "pe"), "onboarding_count": 1, "attention_count": 2}
    make_pairings(study, settings=change_pairing(study, changes))
    before = {path: path.read_bytes() for path in study.folder.rglob("*.jsonl")}
    export_pairings(study, tmp_path / "out.jsonl")
    made = import_pairings(study, tmp_path / "out.jsonl")
    assert (made.matchups, made.kept) == ({"kv__vs__pe": 2}, 5)
    assert (made.onboarding, made.attention) == (1, 2)
    assert {path: path.read_bytes() for path in study.folder.rglob("*.jsonl")} == before

    elsewhere = new_study(tmp_path / "elsewhere", seed=2)
    import_pairings(elsewhere, tmp_path / "out.jsonl")
    shown = {name for item in read_items(study.items_path) for name in item.dialogues}
    assert sorted(study_dialogues(elsewhere.folder), key=lambda one: one.id) == sorted(
        (one for one in study_dialogues(study.folder) if one.id in shown), key=lambda one: one.id
    )
    ours, theirs = (
        [(item.id, item.role, item.gold) for item in read_items(one.items_path)] for one in (study, elsewhere)
    )
    assert sorted(ours) == sorted(theirs)
    export_pairings(elsewhere, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("kept", "field"),
    [
        (3, "an object"),
        ({"id": "x", "kind": "live-chat", "judged": "A", "speakers": []}, "speakers"),
        ({"id": "x", "kind": "live-chat", "judged": "A", "speakers": [{"name": "A", "bot": 1}] * 2}, "bot"),
        ({"id": "x", "kind": "song", "judged": "A", "speakers": [{"name": "A"}, {"name": "B"}]}, "kind"),
    ],
)
def test_what_an_export_kept_of_a_dialogue_is_checked_when_it_comes_back(
    tmp_path: Path, kept: object, field: str
) -> None:
    source = published(tmp_path / "pairings.jsonl")
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    lines[1]["dialogue_dicts"][0]["duologue:dialogue"] = kept
    source.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(FormatError, match=rf"line 2.*{field}"):
        import_pairings(new_study(tmp_path / "p", seed=1), source)
