"""Dialogues that began alike are paired, and no rule about pairings gives way for it."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from typer.testing import CliRunner

from duologue.acute import PairingSettings, change_pairing, make_pairings, pair_dialogues
from duologue.acute.design.describe import describe_acute
from duologue.acute.matching import NOTHING, Start, count_shared, likeness, starts_of
from duologue.acute.ranking.triples import rank_dialogues
from duologue.acute.report.methods import methods_paragraph
from duologue.cli.main import app
from duologue.dialogues import Dialogue, Json, Speaker, Turn
from duologue.protocols import Item, read_items
from duologue.reports import analyse_study
from duologue.stats import sign_test
from duologue.store import open_store
from duologue.studies import Study, load_study
from tests.acute.test_pairing import Head, heads
from tests.error_rates import STUDIES, why_refused
from tests.reports.judged_study import compared, load, sit
from tests.studies.conftest import edit, write_dialogues


def opened(*openers: int | None) -> list[Start]:
    return [(None, None, None, None if one is None else bytes([one])) for one in openers]


def paired(dialogues: list[Head], starts: dict[str, Start], **options: object) -> list[Item]:
    settings = PairingSettings.model_validate(options)
    return list(pair_dialogues(dialogues, settings, seed=7, starts=starts))


def shared(items: list[Item], starts: dict[str, Start]) -> int:
    return sum(likeness(*(starts.get(name, NOTHING) for name in item.dialogues)) for item in items)


def best_possible(first: list[Start], second: list[Start], count: int) -> float:
    """The most that ``count`` different, even pairs can share, as a linear programme."""
    rows, columns = len(first), len(second)
    worth = -np.array([likeness(one, other) for one in first for other in second])
    of_row = np.kron(np.eye(rows), np.ones(columns))
    of_column = np.kron(np.ones(rows), np.eye(columns))
    uses = np.vstack([of_row, of_column, -of_row, -of_column])
    most = [-(-count // rows)] * rows + [-(-count // columns)] * columns
    least = [-(count // rows)] * rows + [-(count // columns)] * columns
    total = np.ones((1, rows * columns))
    solved = linprog(worth, A_ub=uses, b_ub=[*most, *least], A_eq=total, b_eq=[count], bounds=(0, 1))
    assert solved.fun is not None
    return -float(solved.fun)


few = st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=1, max_size=9)


@given(few, few, st.data())
def test_pairs_stay_even_and_differ_and_share_what_they_can(
    first: list[int | None], second: list[int | None], data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, len(first) * len(second)))
    dialogues = heads(a=len(first), b=len(second))
    began = opened(*first), opened(*second)
    starts = dict(zip((head.id for head in dialogues), (*began[0], *began[1]), strict=True))
    items = paired(dialogues, starts, per_matchup=count)
    assert len({item.dialogues for item in items}) == count
    for side, bot in enumerate("ab"):
        uses = Counter(item.dialogues[side] for item in items)
        counts = [uses[head.id] for head in dialogues if head.bot == bot]
        assert max(counts) - min(counts) <= 1
    # Exchanges of two partners need not end in the very best: at most a tenth of the pairs is missing.
    assert shared(items, starts) >= best_possible(*began, count) - max(1, 0.1 * count)
    assert shared(items, starts) >= 0.999 * shared(paired(dialogues, {}, per_matchup=count), starts)


def test_partners_are_exchanged_until_nearly_all_is_shared_that_can_be() -> None:
    rng = np.random.default_rng(2)
    dialogues = heads(a=20, b=33)
    drawn = rng.integers(5, size=(53, 3))
    starts: dict[str, Start] = {
        head.id: (bytes([one]), None, bytes([two]), bytes([three]))
        for head, (one, two, three) in zip(dialogues, drawn.tolist(), strict=True)
    }
    items = paired(dialogues, starts, per_matchup=110)
    best = best_possible([starts[f"a-{n}"] for n in range(20)], [starts[f"b-{n}"] for n in range(33)], 110)
    assert shared(items, starts) >= 0.97 * best


@pytest.mark.parametrize("options", [{}, {"dialogue_once": "study"}, {"same_bot_share": 0.2}])
def test_where_nothing_is_shared_pairings_are_as_without(options: dict[str, object]) -> None:
    dialogues = heads(a=30, b=31, c=30)
    own = {head.id: start for head, start in zip(dialogues, opened(*range(91)), strict=True)}
    alike = dict.fromkeys(own, opened(1)[0])
    before = paired(dialogues, {}, per_matchup=11, **options)
    assert paired(dialogues, own, per_matchup=11, **options) == before
    assert paired(dialogues, alike, per_matchup=11, **options) == before


def test_where_every_opener_is_used_by_both_bots_all_pairs_share_it() -> None:
    dialogues = heads(a=200, b=200)
    starts = {head.id: opened(int(head.id.split("-")[1]))[0] for head in dialogues}
    assert shared(paired(dialogues, starts, per_matchup=110), starts) == 110
    assert shared(paired(dialogues, {}, per_matchup=110), starts) < 10


def test_more_in_common_goes_before_less() -> None:
    dialogues = heads(a=4, b=4)
    both = [(b"p", None, None, b"hi"), (b"p", None, None, b"yo"), (b"q", None, None, b"hi"), NOTHING]
    starts = dict(zip((head.id for head in dialogues), both + both[::-1], strict=True))
    items = paired(dialogues, starts, per_matchup=4)
    assert (
        count_shared(items, starts) == {"a__vs__b": {"persona": 3, "opener": 3}} or shared(items, starts) == 6
    )


def test_a_dialogue_shown_once_in_the_study_meets_one_that_began_alike() -> None:
    dialogues = heads(a=20, b=20, c=20)
    starts = {head.id: opened(int(head.id.split("-")[1]) % 20)[0] for head in dialogues}
    items = paired(dialogues, starts, per_matchup=10, dialogue_once="study")
    assert max(Counter(name for item in items for name in item.dialogues).values()) == 1
    assert shared(items, starts) >= 20


def test_pairs_of_one_bot_and_known_answers_are_drawn_as_before() -> None:
    dialogues = heads(a=12, b=12, w=12)
    starts = {head.id: opened(int(head.id.split("-")[1]) % 4)[0] for head in dialogues}
    options = {"per_matchup": 9, "same_bot": ["a"], "onboarding": ["b", "w"], "attention_count": 2}
    with_it, without = paired(dialogues, starts, **options), paired(dialogues, {}, **options)
    others = [item for item in with_it if item.group == "a__vs__a" or not item.is_judged]
    assert others == [item for item in without if item.group == "a__vs__a" or not item.is_judged]
    assert with_it != without


def test_rankings_show_dialogues_that_began_alike_just_as_evenly() -> None:
    dialogues = heads(a=20, b=20, c=20, d=20)
    starts = {head.id: opened(int(head.id.split("-")[1]) % 5)[0] for head in dialogues}
    settings = PairingSettings(per_matchup=20)
    ranked = [list(rank_dialogues(dialogues, settings, seed=3, starts=one)) for one in (starts, {})]
    shares = [sum(sum(counts.values()) for counts in count_shared(one, starts).values()) for one in ranked]
    assert len(ranked[0]) == len(ranked[1]) == 40
    assert shares[0] >= 0.6 * 40 > 0.2 * 40 > shares[1]
    uses = Counter(name for item in ranked[0] for name in item.dialogues)
    for bot in "abcd":
        counts = [uses[head.id] for head in dialogues if head.bot == bot]
        assert max(counts) - min(counts) <= 1
    assert list(rank_dialogues(dialogues, settings, seed=3, starts={})) == ranked[1]


def dialogue(
    name: str, *said: str, judged: int = 1, context: tuple[str, ...] = (), **extras: Json
) -> Dialogue:
    speakers = (f"{name}_1", f"{name}_2")
    turns = tuple(Turn(speakers[number % 2], text) for number, text in enumerate(said))
    return Dialogue(
        name, "ada", "self-chat", speakers[judged], tuple(map(Speaker, speakers)), turns, context, extras
    )


def test_what_the_judged_speaker_says_is_no_opener() -> None:
    said = [
        dialogue("a", "Hi!"),
        dialogue("b", " HI! "),
        dialogue("c", "Yo."),
        dialogue("d", "Hi!", judged=0),
    ]
    starts = starts_of(said)
    assert starts["a"] == starts["b"] != starts["c"]
    assert "d" not in starts


def test_personas_topics_and_prompts_are_read_wherever_they_are_kept() -> None:
    told = {"persona": ["i like tea."], "topic": "rain", "opener": "Hi!"}
    starts = starts_of(
        [
            dialogue("a", "Hi!", briefing=told),
            dialogue("b", "Hi!", judged=0, briefing=told),
            dialogue("c", "Hi!", briefing={"persona": ["i ski."]}, self_chat={"number": 1}),
            dialogue("d", "Hi!", context=("Be kind.",)),
        ]
    )
    assert starts["a"] == starts["b"]
    assert [likeness(starts["a"], starts[name]) for name in "bcd"] == [3, 0, 1]
    assert starts["c"][3] is None, "a self-chat held by us without an opener began by itself"


def test_what_all_dialogues_share_tells_nothing() -> None:
    assert starts_of(dialogue(name, "Hi!", context=("Be kind.",)) for name in "abc") == {}


def begin_alike(folder: Path) -> Study:
    """The second speaker is judged, and the first one begins with one of three openers."""
    for path in (folder / "dialogues").glob("*.jsonl"):
        lines = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            record = json.loads(line)
            record["judged"] = record["speakers"][1]["name"]
            record["turns"][0]["text"] = f"opener {number % 3}"
            lines.append(json.dumps(record) + "\n")
        path.write_text("".join(lines), encoding="utf-8")
    return load_study(folder)


def test_the_command_and_study_show_say_what_pairings_share(study: Study) -> None:
    begin_alike(study.folder)
    said = CliRunner().invoke(app, ["pairings", "make", str(study.folder), "-n", "5"]).output
    assert "ann against bob: 5 pairings (5 share their opener)" in said
    assert "ann against bob: 5 pairings (5 share their opener)" in "\n".join(describe_acute(study))
    as_json = ["pairings", "make", str(study.folder), "-n", "5", "--json"]
    found = json.loads(CliRunner().invoke(app, as_json).output)
    assert found["shared"]["ann__vs__bob"] == {"opener": 5}


@pytest.mark.parametrize(("match", "said"), [("auto", True), ("off", False)])
def test_the_methods_say_how_many_pairings_share_what(study: Study, match: str, said: bool) -> None:
    begin_alike(study.folder)
    chosen = edit(study, "[acute.pairings]", f'[acute.pairings]\nmatch = "{match}"')
    made = make_pairings(chosen, settings=change_pairing(chosen, {"per_matchup": 5}))
    total = sum(count["opener"] for count in made.shared.values())
    with open_store(chosen.database) as store:
        load(chosen, store)
        sit(chosen, store, lambda work: (work.item.bots[0], "so"))
        methods = methods_paragraph(compared(analyse_study(chosen, store)), chosen)
    assert (f"Of 15 pairings of dialogues, {total} share their opener." in methods) == said
    assert ("share their" in methods) == said


def test_matching_is_turned_off_by_its_key(study: Study) -> None:
    begin_alike(study.folder)
    on = make_pairings(study, settings=change_pairing(study, {"per_matchup": 5}))
    items = list(read_items(study.items_path))
    off = edit(study, "[acute.pairings]", '[acute.pairings]\nmatch = "off"')
    made = make_pairings(off, settings=change_pairing(off, {"per_matchup": 5}))
    assert on.shared["ann__vs__bob"] == {"opener": 5}
    assert sum(count["opener"] for count in made.shared.values()) < 13
    assert list(read_items(study.items_path)) != items


def test_a_word_that_is_no_setting_of_match_is_refused(study: Study) -> None:
    with pytest.raises(Exception, match=r"match"):
        edit(study, "[acute.pairings]", '[acute.pairings]\nmatch = "persona"')


def test_pairings_of_a_study_that_shares_nothing_say_nothing(study: Study) -> None:
    write_dialogues(study.folder, "ann", 6)
    made = make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    assert made.shared == {}
    assert "share" not in "\n".join(describe_acute(study))


@pytest.mark.slow
@pytest.mark.parametrize(("share", "is_same"), [(0.3, True), (0.1, False)])
def test_equal_bots_are_told_apart_no_more_often_than_promised(share: float, is_same: bool) -> None:
    """Openers that all bots have, or that each bot drew; they make a share of how good a dialogue is."""
    rng = np.random.default_rng(11)
    dialogues = heads(a=110, b=110)
    errors = 0
    for study in range(STUDIES):
        opener = np.tile(np.arange(110) % 20, 2) if is_same else rng.integers(20, size=220)
        ease = rng.normal(0, (share * 0.58) ** 0.5, 20)[opener]
        quality = ease + rng.normal(0, ((1 - share) * 0.58) ** 0.5, 220)
        good = {head.id: float(one) for head, one in zip(dialogues, quality, strict=True)}
        starts = {head.id: opened(int(one))[0] for head, one in zip(dialogues, opener, strict=True)}
        pairs = pair_dialogues(dialogues, PairingSettings(per_matchup=110), seed=study, starts=starts)
        ahead = np.array([good[one] - good[other] for one, other in (pair.dialogues for pair in pairs)])
        wins = int((ahead + rng.normal(size=110) > 0).sum())
        errors += sign_test(wins, 110 - wins).p_value < 0.05
    assert why_refused(errors) == ""
