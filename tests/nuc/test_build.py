"""From a corpus to items: never the truth twice, no leak from its dialogue, split by dialogue, seeded."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duologue.dialogues import (
    SPLITS,
    Dialogue,
    NextTurnItem,
    Speaker,
    Turn,
    pool_candidates,
    read_next_turns,
    read_pool,
    write_dialogues,
)
from duologue.errors import DesignError, FormatError, NewerFormat
from duologue.metrics import plain_words
from duologue.nuc import BuildOptions, BuiltTask, Cleaning, Corpus, build_task
from duologue.nuc.building.cleaning import read_phrases
from duologue.nuc.building.context import CONTEXT_RULES, context_length, context_lengths
from duologue.nuc.building.lengths import ReplyLengths
from tests.strategies import with_files

WORDS = ["tea", "rain", "music", "summer", "river", "bread", "snow", "train", "paper", "garden", "box", "red"]


def dialogue(key: str, *texts: str, names: tuple[str, str] = ("A", "B")) -> Dialogue:
    turns = tuple(Turn(names[number % 2], text) for number, text in enumerate(texts))
    speakers = tuple(map(Speaker, names))
    return Dialogue(key, "people", "human-human", names[0], speakers, turns)


def made_up(count: int, *, turns: int = 8) -> list[Dialogue]:
    return [
        dialogue(
            f"d{number}",
            *(
                " ".join(
                    WORDS[(number * 5 + turn * 7 + word * (number + 1)) % 12] for word in range(1 + turn % 4)
                )
                + f" {number}.{turn}"
                for turn in range(2 + number % turns)
            ),
        )
        for number in range(count)
    ]


def built(
    folder: Path, dialogues: Sequence[Dialogue], options: BuildOptions, *, name: str = "c"
) -> tuple[BuiltTask, list[NextTurnItem]]:
    write_dialogues(dialogues, folder / f"{name}.jsonl")
    task = build_task([Corpus(name, (folder / f"{name}.jsonl",))], folder / "out", options=options)
    return task, [item for path in task.files.values() for item in read_next_turns(path)]


@settings(with_files, max_examples=10)
@given(
    said=st.lists(
        st.lists(st.sampled_from(["ok", "OK!", "no", "why", "hm", "tea"]), min_size=2, max_size=8),
        min_size=8,
        max_size=20,
    ),
    seed=st.integers(0, 9),
    false=st.sampled_from(["uniform", "confusing"]),
)
def test_no_false_reply_says_what_the_truth_says_or_is_from_its_dialogue(
    tmp_path: Path, said: list[list[str]], seed: int, false: str
) -> None:
    dialogues = [dialogue(f"d{n}", *texts[:-1], f"{texts[-1]} {n % 3}") for n, texts in enumerate(said)]
    options = BuildOptions(seed=seed, false=false, false_replies=2, shares={"test": 1.0})  # type: ignore[arg-type]
    try:
        _, items = built(tmp_path, dialogues, options)
    except DesignError:
        return
    by_id = {one.id: one for one in dialogues}
    for item in items:
        assert len({plain_words(text) for text in item.candidates}) == 3
        assert item.sources[item.truth] == item.dialogue
        assert item.sources.count(item.dialogue) == 1
        texts = [turn.text for turn in by_id[item.dialogue].turns]
        shown = [turn.text for turn in item.context]
        assert texts[: len(shown) + 1] == [*shown, item.true_reply]
        for source, text in zip(item.sources, item.candidates, strict=True):
            assert text in [turn.text for turn in by_id[source].turns]


def test_a_dialogue_and_what_is_said_in_it_is_in_one_split_only(tmp_path: Path) -> None:
    dialogues = made_up(300)
    options = BuildOptions(per_dialogue=3, shares={"train": 0.6, "valid": 0.2, "test": 0.2})
    _, items = built(tmp_path, dialogues, options)
    where: dict[str, set[str]] = {}
    for item in items:
        for source in item.sources:
            where.setdefault(source, set()).add(item.split)
    assert {len(splits) for splits in where.values()} == {1}
    assert {item.split for item in items} == set(SPLITS)
    assert len({item.id for item in items}) == len(items) > 600


def test_the_same_seed_gives_the_same_items_and_another_one_others(tmp_path: Path) -> None:
    dialogues = made_up(150)
    first = built(tmp_path, dialogues, BuildOptions(seed=1))[1]
    assert built(tmp_path, dialogues, BuildOptions(seed=1))[1] == first
    assert built(tmp_path, dialogues, BuildOptions(seed=2))[1] != first


def test_the_same_context_with_other_candidates_is_another_item(tmp_path: Path) -> None:
    """Or scores of one task would be taken for those of the other, candidate by candidate."""
    dialogues = made_up(150)
    uniform = {i.id: i for i in built(tmp_path, dialogues, BuildOptions())[1]}
    confusing = {i.id: i for i in built(tmp_path, dialogues, BuildOptions(false="confusing"))[1]}
    both = uniform.keys() & confusing.keys()
    assert {i.dialogue for i in uniform.values()} == {i.dialogue for i in confusing.values()}
    assert len(both) < len(uniform) / 2
    assert all(uniform[key].candidates == confusing[key].candidates for key in both)


def test_contexts_and_splits_do_not_depend_on_the_rest_of_the_corpus(tmp_path: Path) -> None:
    dialogues = made_up(150)
    small = {i.dialogue: i for i in built(tmp_path, dialogues[:100], BuildOptions(false_replies=1))[1]}
    large = {i.dialogue: i for i in built(tmp_path, dialogues[::-1], BuildOptions(false_replies=1))[1]}
    assert all(
        large[key].split == item.split and large[key].context == item.context for key, item in small.items()
    )


def test_every_reply_of_the_corpus_can_be_a_candidate_without_those_of_the_same_dialogue(
    tmp_path: Path,
) -> None:
    dialogues = made_up(30)
    task, items = built(tmp_path, dialogues, BuildOptions(false="all", shares={"test": 1.0}))
    pool = read_pool(task.files["test"], items[0])
    assert len({plain_words(text) for text in pool}) == len(pool)
    by_id = {one.id: one for one in dialogues}
    for item in items:
        candidates, truth = pool_candidates(item, pool)
        own = {turn.text for turn in by_id[item.dialogue].turns}
        assert candidates[truth] == by_id[item.dialogue].turns[len(item.context)].text
        assert own & set(candidates) == {candidates[truth]}
    assert task.corpora[0].lengths is None
    (task.folder / items[0].pool).write_text('"one"\n')
    with pytest.raises(FormatError, match="at least"):
        read_pool(task.files["test"], items[-1])
    (task.folder / items[0].pool).write_text("7\n")
    with pytest.raises(FormatError, match="JSON text"):
        read_pool(task.files["test"], items[-1])


def test_several_corpora_and_at_most_so_many_items_of_each(tmp_path: Path) -> None:
    for name in ("movies", "tweets"):
        write_dialogues(
            [dialogue(f"{name}{n}", "hi", f"{name} {n}", f"so {n}") for n in range(40)],
            tmp_path / f"{name}.jsonl",
        )
    corpora = [Corpus(name, (tmp_path / f"{name}.jsonl",)) for name in ("movies", "tweets")]
    steps: list[str] = []
    task = build_task(
        corpora,
        tmp_path / "out",
        options=BuildOptions(items=5, shares={"test": 1.0}),
        on_step=lambda step, done, total: steps.append(step),
    )
    items = list(read_next_turns(task.files["test"]))
    assert [item.corpus for item in items] == ["movies"] * 5 + ["tweets"] * 5
    assert all(source.startswith(item.corpus) for item in items for source in item.sources)
    assert "movies: reading" in steps
    assert json.loads((tmp_path / "out" / "build.json").read_text())["options"]["items"] == 5
    with pytest.raises(DesignError, match="two corpora"):
        build_task([corpora[0], corpora[0]], tmp_path / "out")


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    dialogues = [
        *made_up(20),
        dialogue("alone", "only this"),
        dialogue("again", *(turn.text for turn in made_up(20)[7].turns)),
        dialogue("rude", "hello", "you DAMN fool"),
    ]
    options = BuildOptions(
        false_replies=1, shares={"test": 1.0}, cleaning=Cleaning(offensive=frozenset({"damn"}))
    )
    task, items = built(tmp_path, dialogues, options)
    assert sorted(task.corpora[0].left_out.values()) == [1, 1, 1]
    assert len(items) == 20
    assert task.corpora[0].dialogues == 23


def test_people_and_addresses_are_hidden_and_hashtags_stay(tmp_path: Path) -> None:
    said = "@bob see http://x.org/a?b=1. Or ask quinn77, Ada Lovelace or mail q@x.org #ubuntu"
    dialogues = [dialogue("d", "hey", said, names=("quinn77", "user")), *made_up(9)]
    names = Cleaning(known_names=frozenset({"ada lovelace"}))
    _, items = built(tmp_path, dialogues, BuildOptions(false_replies=1, shares={"test": 1.0}, cleaning=names))
    hidden = "@user see [link]. Or ask [name], [name] or mail [e-mail] #ubuntu"
    assert [item.true_reply for item in items if item.dialogue == "d"] == [hidden]
    open_ = Cleaning(mentions=False, links=False, names=False)
    _, items = built(tmp_path, dialogues, BuildOptions(false_replies=1, shares={"test": 1.0}, cleaning=open_))
    assert [item.true_reply for item in items if item.dialogue == "d"] == [said]


def test_true_and_false_replies_are_equally_long(tmp_path: Path) -> None:
    task, _ = built(tmp_path, made_up(400), BuildOptions(shares={"test": 1.0}))
    lengths = task.corpora[0].lengths
    assert lengths is not None
    assert abs(lengths.true.mean - lengths.false.mean) < 0.15
    assert not lengths.gives_away


def test_a_length_that_gives_the_answer_away_is_seen() -> None:
    tally = ReplyLengths()
    assert tally.comparison() is None
    for _ in range(50):
        tally.add(["one", "one two three", "one two"], 1)
    found = tally.comparison()
    assert found is not None
    assert (found.longest, found.shortest, found.gives_away) == (1.0, 0.0, True)


@pytest.mark.parametrize("rule", CONTEXT_RULES)
@given(turns=st.integers(2, 40), u=st.floats(0, 1, exclude_max=True), most=st.integers(1, 20))
def test_a_context_leaves_a_reply_and_keeps_to_the_limit(rule: str, turns: int, u: float, most: int) -> None:
    length = context_length(turns, u, rule=rule, most=most)  # type: ignore[arg-type]
    assert 1 <= length <= min(most, turns - 1)
    assert length in context_lengths(turns, u, 2, rule=rule, most=most)  # type: ignore[arg-type]


def test_context_lengths_of_the_ubuntu_corpus_are_uniform_from_two_up() -> None:
    drawn = [context_length(30, (n + 0.5) / 500, rule="ubuntu", most=6) for n in range(500)]
    assert {length: drawn.count(length) for length in set(drawn)} == dict.fromkeys(range(2, 7), 100)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (BuildOptions(max_context=0), "max_context"),
        (BuildOptions(shares={"train": 0.5}), "must make 1"),
        (BuildOptions(vectors=Path("v.txt")), "confusing"),
        (BuildOptions(), "too few"),
    ],
)
def test_what_cannot_be_built_is_refused(tmp_path: Path, options: BuildOptions, says: str) -> None:
    with pytest.raises(DesignError, match=says):
        built(tmp_path, made_up(5), options)


def test_a_corpus_without_replies_gives_no_item(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="no item"):
        built(tmp_path, [dialogue("d", "alone")], BuildOptions())


def test_bad_records_are_refused_or_listed(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    write_dialogues(made_up(30), path)
    path.write_text(path.read_text() + "{broken\n")
    with pytest.raises(FormatError):
        build_task([Corpus("c", (path,))], tmp_path / "new" / "out")
    assert not (tmp_path / "new").exists()
    options = BuildOptions(shares={"test": 1})
    task = build_task([Corpus("c", (path,))], tmp_path / "out", skip_bad=True, options=options)
    assert len(task.corpora[0].bad) == 1


def test_an_earlier_build_stays_until_another_one_is_complete(tmp_path: Path) -> None:
    first, _ = built(tmp_path, made_up(30), BuildOptions(shares={"valid": 0.5, "test": 0.5}))
    before = {path.name: path.read_bytes() for path in first.folder.iterdir()}
    with pytest.raises(DesignError, match="too few"):
        built(tmp_path, made_up(5), BuildOptions())
    assert {path.name: path.read_bytes() for path in first.folder.iterdir()} == before
    built(tmp_path, made_up(30), BuildOptions(shares={"test": 1}))
    assert {path.name for path in first.folder.iterdir()} == {"build.json", "test.jsonl"}


def test_a_file_that_does_not_say_whose_dialogues_these_are_is_a_corpus(tmp_path: Path) -> None:
    lines = [
        json.dumps({"messages": [{"role": r, "content": f"{r} {n}"} for r in ("user", "assistant")]})
        for n in range(9)
    ]
    (tmp_path / "o.jsonl").write_text("\n".join(lines))
    options = BuildOptions(shares={"test": 1})
    task = build_task([Corpus("o", (tmp_path / "o.jsonl",))], tmp_path / "out", options=options)
    assert task.corpora[0].items == {"test": 9}


def test_items_say_which_speaker_each_persona_line_is_about(tmp_path: Path) -> None:
    told = "1 your persona: i like tea.\n2 partner's persona: i ski.\n"
    chats = [f"{told}3 hi {n}\thello {n}\n4 tea {n} ?\tyes {n}\n" for n in range(6)]
    chats += [f"{told}3 __SILENCE__\tgood day {n}\n4 and you {n} ?\tfine {n}\n" for n in range(6)]
    (tmp_path / "c.txt").write_text("".join(chats))
    options = BuildOptions(shares={"test": 1})
    task = build_task([Corpus("c", (tmp_path / "c.txt",))], tmp_path / "out", options=options)
    items = list(read_next_turns(task.files["test"]))
    assert {item.background for item in items} == {("your persona: i like tea.", "partner's persona: i ski.")}
    about = {item.context[0].text.split()[0]: item.about for item in items}
    assert about == {"hi": ("B", "A"), "good": ("A", "B")}  # whoever speaks first is A


def test_nobody_knows_whom_the_persona_lines_of_other_corpora_are_about(tmp_path: Path) -> None:
    dialogues = [
        replace(dialogue(f"d{n}", f"hi {n}", f"yes {n}"), context=("your persona: i ski.",)) for n in range(9)
    ]
    _, items = built(tmp_path, dialogues, BuildOptions(shares={"test": 1}))
    assert {(item.background, item.about) for item in items} == {(("your persona: i ski.",), ())}


def test_confusing_replies_are_the_most_alike(tmp_path: Path) -> None:
    dialogues = [dialogue(f"d{n}", "hi", f"{WORDS[n % 4]} {WORDS[n % 4]} number {n}") for n in range(24)]
    options = BuildOptions(false="confusing", shares={"test": 1})
    _, items = built(tmp_path, dialogues, options)
    assert len(items) == 24
    assert all(len({text.split()[0] for text in item.candidates}) == 1 for item in items)
    vectors = tmp_path / "v.txt"
    vectors.write_text(
        "\n".join(
            " ".join([word, *(str(int(k == at)) for at in range(4))]) for k, word in enumerate(WORDS[:4])
        )
    )
    _, items = built(
        tmp_path, dialogues, BuildOptions(false="confusing", shares={"test": 1}, vectors=vectors)
    )
    assert all(len({text.split()[0] for text in item.candidates}) == 1 for item in items)


def test_lists_of_words_have_comments_and_at_least_one_word(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# these\nDamn\n  holy   cow \n\n")
    assert read_phrases(path) == {"damn", "holy cow"}
    path.write_text("# none\n")
    with pytest.raises(FormatError, match="one a line"):
        read_phrases(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(FormatError, match="UTF-8"):
        read_phrases(path)


GOOD = {
    "id": "i",
    "corpus": "c",
    "split": "test",
    "dialogue": "d",
    "context": [{"speaker": "A", "text": "hi"}],
    "candidates": ["a", "b"],
    "truth": 1,
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": ""}, "id"),
        ({"split": "dev"}, "split"),
        ({"truth": 2}, "truth"),
        ({"truth": True}, "truth"),
        ({"candidates": ["a"]}, "candidates"),
        ({"candidates": [1, 2]}, "candidates"),
        ({"sources": ["x"]}, "sources"),
        ({"context": []}, "context"),
        ({"context": [{"speaker": "A"}]}, "turn 1"),
        ({"context": ["hi"]}, "turn 1"),
        ({"background": ["tea"], "about": ["A", "B"]}, "about: expected as many as lines of background"),
        ({"pool": "p", "truth": -1}, "truth"),
        ({"pool": "p", "left_out": ["x"]}, "left_out"),
    ],
)
def test_a_line_that_is_no_item_is_named(tmp_path: Path, change: dict[str, object], says: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"format": "duologue.next-turns/1"}\n' + json.dumps(GOOD | change) + "\n")
    with pytest.raises(FormatError, match=f"line 2.*{says}"):
        list(read_next_turns(path))


def test_a_file_of_something_else_and_ids_that_come_twice_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    for text, error in (
        ("", FormatError),
        ('{"format": "x"}\n', FormatError),
        ('{"format": "duologue.next-turns/9"}\n', NewerFormat),
        ('{"format": "duologue.next-turns/1"}\n' + 2 * (json.dumps(GOOD) + "\n"), FormatError),
    ):
        path.write_text(text)
        with pytest.raises(error):
            list(read_next_turns(path))


@pytest.mark.parametrize("false", ["uniform", "confusing"])
def test_a_corpus_in_which_all_say_the_same_has_no_false_replies(tmp_path: Path, false: str) -> None:
    dialogues = [dialogue(f"d{n}", f"hi {n}", "Ok." if n % 2 else "ok") for n in range(12)]
    options = BuildOptions(false=false, shares={"test": 1})  # type: ignore[arg-type]
    with pytest.raises(DesignError, match="no item"):
        built(tmp_path, dialogues, options)
    assert not (tmp_path / "out" / "test.jsonl").exists()


def test_rare_replies_are_spread_over_the_items_where_draws_find_too_few(tmp_path: Path) -> None:
    """All say "ok" but four: an item takes the next of these from where it begins, not always the first."""
    rare = {60: "tea", 160: "rain", 260: "bread", 360: "snow"}
    dialogues = [dialogue(f"d{n}", f"hi {n}", rare.get(n, "ok")) for n in range(400)]
    _, items = built(tmp_path, dialogues, BuildOptions(false_replies=1, shares={"test": 1}))
    counts = Counter(
        text for one in items if one.true_reply == "ok" for text in one.candidates if text != "ok"
    )
    assert counts.keys() == set(rare.values())
    assert max(counts.values()) < 0.5 * len(items)


def test_no_more_items_than_asked_for_and_a_small_pool(tmp_path: Path) -> None:
    options = BuildOptions(items=4, per_dialogue=3, false="confusing", pool=5, shares={"test": 1})
    _, items = built(tmp_path, made_up(60), options)
    assert len(items) == 4
    assert len({text for item in items for text in item.candidates}) <= 5 + 4


def test_progress_is_told_while_items_are_made(tmp_path: Path) -> None:
    write_dialogues([dialogue(f"d{n}", f"hi {n}", f"yes {n}") for n in range(1_001)], tmp_path / "c.jsonl")
    steps: list[tuple[str, int, int]] = []
    build_task(
        [Corpus("c", (tmp_path / "c.jsonl",))],
        tmp_path / "out",
        options=BuildOptions(shares={"test": 1}),
        on_step=lambda *step: steps.append(step),
    )
    assert steps[-1] == ("c, test", 1_000, 1_001)


def test_a_reply_that_several_give_is_one_candidate_of_a_whole_corpus(tmp_path: Path) -> None:
    dialogues = [dialogue(f"d{n}", f"hi {n}", "Ok." if n % 2 else "ok", f"so {n}") for n in range(4)]
    task, items = built(tmp_path, dialogues, BuildOptions(false="all", shares={"test": 1}, max_context=1))
    assert read_pool(task.files["test"], items[0]) in (("ok",), ("Ok.",))
    assert [item.truth for item in items] == [0] * 4


def test_names_of_many_speakers_are_hidden() -> None:
    for number in range(1_010):
        name = f"quinn{number}x"
        talk = dialogue("d", "hey", "hello", names=(name, "user"))
        assert Cleaning().anonymous(talk).clean(f"So, {name.upper()}!") == "So, [name]!"
