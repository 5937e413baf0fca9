"""Simulated annotators chat with real bots over real pages; the server runs in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from duologue.bots import builtin_bot, openers, self_chats
from duologue.demo import MEANS, make_talk
from duologue.dialogues import write_dialogues
from duologue.errors import DesignError
from duologue.likert.rehearsal import LikertRehearsal
from duologue.rehearsal import KindResult, Rehearsal, rehearse
from duologue.rehearsal.copy import copy_study
from duologue.server import create_app, prepare_study, served
from duologue.store import REHEARSAL, ChatSummary, fetch_chat, fetch_chats, note_fact, open_store
from duologue.studies import Study, draw_items, load_study, new_study

pytestmark = pytest.mark.usefixtures("forked_servers")

ANNOTATORS = 20
"""Enough for one of every kind."""

TRUE_MEANS = {bot: mean for bot, mean in MEANS.items() if bot != "smollm2"}


@contextmanager
def serving(study: Study) -> Iterator[str]:
    """A copy of the study, served for a rehearsal."""
    draw_items(study)
    copy = copy_study(study, seed=7, annotators=ANNOTATORS)
    with open_store(copy.database) as store:
        store.run(note_fact(REHEARSAL, "{}"))
        prepare_study(copy, store)
        with served(create_app(copy, store)) as address:
            yield address


def rehearsed(
    study: Study, *, annotators: int = ANNOTATORS, means: dict[str, float] | None = None
) -> Rehearsal:
    with serving(study) as address:
        stated = {"mean": [f"{bot}={mean}" for bot, mean in (means or {}).items()]}
        return rehearse(
            study.folder, annotators=annotators, stated=stated, base_url=address, with_report=False
        )


def chats_of(rehearsal: Rehearsal) -> tuple[ChatSummary, ...]:
    with open_store(load_study(rehearsal.folder).database) as store:
        return store.run(fetch_chats())


def kind(rehearsal: Rehearsal, name: str) -> KindResult:
    return next(result for result in rehearsal.kinds if result.kind == name)


def changed(study: Study, *changes: tuple[str, str]) -> Study:
    text = study.text
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    return load_study(study.folder)


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    """Of a study in which items may be skipped, which nobody who is simulated does."""
    study = make_talk(tmp_path_factory.mktemp("talk") / "study").study
    return rehearsed(changed(study, ("[annotators]\n", "[annotators]\nskips = 2\n")), means=TRUE_MEANS)


def test_every_kind_came_and_the_rules_held(rehearsal: Rehearsal) -> None:
    assert [result.kind for result in rehearsal.kinds] == list(LikertRehearsal.mix)
    assert [rule for rule in rehearsal.rules if not rule.has_held] == []


def test_careful_annotators_chat_with_every_bot_and_all_they_rated_counts(rehearsal: Rehearsal) -> None:
    careful = kind(rehearsal, "careful")
    assert careful.endings == {"thanks": careful.annotators}
    assert careful.judgments == careful.counted == 3 * careful.annotators
    assert careful.flagged == 0


def test_every_chat_of_a_spammer_is_flagged(rehearsal: Rehearsal) -> None:
    spammer = kind(rehearsal, "spammer")
    assert spammer.flagged == spammer.judgments == 3 * spammer.annotators


def test_one_who_leaves_half_way_leaves_a_chat_open(rehearsal: Rehearsal) -> None:
    (leaving,) = (walk for walk in rehearsal.walks if walk.annotator.kind == "leaves-half-way")
    states = Counter(chat.state == "ended" for chat in chats_of(rehearsal) if chat.annotator == leaving.id)
    assert leaving.ending == "left"
    assert states == {True: 1, False: 1}


def test_what_was_said_twice_is_there_once(rehearsal: Rehearsal) -> None:
    (clicking, *_) = (walk for walk in rehearsal.walks if walk.annotator.kind == "double-clicker")
    with open_store(load_study(rehearsal.folder).database) as store:
        stored = {
            key: tuple(
                turn.text for turn in store.run(fetch_chat(clicking.token, key)).turns if turn.is_annotator
            )
            for key in clicking.said
        }
    assert stored == clicking.said
    assert clicking.sent == 2 * clicking.saved


def test_the_bots_are_chatted_with_equally_often(rehearsal: Rehearsal) -> None:
    chats = Counter(chat.bot for chat in chats_of(rehearsal))
    assert set(chats) == set(TRUE_MEANS)
    assert max(chats.values()) - min(chats.values()) <= 1


def test_the_order_of_the_planted_means_is_recovered(rehearsal: Rehearsal) -> None:
    found = {(one.record["first"], one.record["second"]): one for one in rehearsal.recoveries}
    assert len(found) == len(rehearsal.recoveries) == 3
    assert "wrong" not in {one.finding for one in found.values()}
    assert found["companion", "parrot"].finding == "recovered"  # the first has the higher mean
    assert found["companion", "parrot"].record["true_means"] == [3.4, 1.5]


def test_people_who_chat_with_each_other_both_rate(tmp_path: Path) -> None:
    study = changed(
        new_study(tmp_path / "study", protocol="likert", seed=3),
        ("human_partner = false", "human_partner = true"),
        ("chats_per_bot = 235", "chats_per_bot = 8"),
        ("min_exchanges = 4", "min_exchanges = 1"),
        ("max_exchanges = 6", "max_exchanges = 2"),
    )
    done = rehearsed(study, annotators=6)
    assert [rule for rule in done.rules if not rule.has_held] == []
    between = [chat for chat in chats_of(done) if chat.bot == "human" and chat.ending == "complete"]
    assert len(between) >= 4
    assert len(between) % 2 == 0


def test_nobody_waits_for_a_partner_when_nobody_else_is_there(tmp_path: Path) -> None:
    study = changed(
        new_study(tmp_path / "study", protocol="likert", seed=3),
        ("human_partner = false", "human_partner = true"),
        ('# bots = ["companion"]  ', 'bots = ["companion"]  '),
        ("min_exchanges = 4", "min_exchanges = 1"),
        ("max_exchanges = 6", "max_exchanges = 1"),
    )
    done = rehearsed(study, annotators=1)
    assert [walk.ending for walk in done.walks] == ["nobody-came"]
    assert [rule for rule in done.rules if not rule.has_held] == []


def test_the_partner_of_one_who_leaves_is_let_go_with_credit(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", protocol="likert", seed=3)
    before, _, rest = study.text.partition("[[bots]]")
    people_only = f"{before}[chat]{rest.partition('[chat]')[2]}"
    (study.folder / "study.toml").write_text(people_only, encoding="utf-8")
    done = rehearsed(
        changed(
            load_study(study.folder),
            ("human_partner = false", "human_partner = true"),
            ("min_exchanges = 4", "min_exchanges = 3"),
            ("max_exchanges = 6", "max_exchanges = 3"),
        )
    )
    assert [rule for rule in done.rules if not rule.has_held] == []
    assert kind(done, "leaves-half-way").endings == {"left": 1}
    assert sum(result.credited for result in done.kinds) == 1
    assert sum(result.endings.get("thanks", 0) for result in done.kinds) == ANNOTATORS - 1


def test_annotators_whose_bot_fails_are_let_go_with_credit(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", protocol="likert", seed=3)
    (study.folder / "broken.py").write_text("def answer(messages):\n    raise OSError('no')\n")
    study = changed(
        study,
        ('name = "parrot"\nkind = "builtin"', 'name = "broken"\nkind = "python"\ncall = "broken:answer"'),
        ("min_exchanges = 4", "min_exchanges = 1"),
        ("max_exchanges = 6", "max_exchanges = 1"),
    )
    done = rehearsed(study, annotators=4)
    assert [rule for rule in done.rules if not rule.has_held] == []
    assert {walk.ending for walk in done.walks} == {"thanks"}
    failed = [chat for chat in chats_of(done) if chat.bot == "broken"]
    assert {chat.ending for chat in failed} == {"bot-failed"}
    assert {len(chat.failures) for chat in failed} == {3}
    assert sum(result.credited for result in done.kinds) == len(failed)


def test_several_questions_and_personas_are_rehearsed_screen_by_screen(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", protocol="likert", seed=3)
    personas = '{"persona": "i like tea.", "partner_persona": "i have a dog."}\n{"persona": "i climb."}\n'
    (study.folder / "personas.jsonl").write_text(personas, encoding="utf-8")
    study = changed(
        study,
        ('# personas = "', 'personas = "'),
        ("persona_detection = false", "persona_detection = true"),
        ('reason = "optional"', 'reason = "required"'),
        (
            "[screening]",
            '[[likert.questions]]\nname = "enjoyment"\ntext = "Fun?"\nlabels = ["No", "So so", "Yes"]\n'
            '[[likert.questions]]\nname = "sense"\ntext = "Sense?"\nlabels = ["No", "Yes"]\n[screening]',
        ),
        ("min_exchanges = 4", "min_exchanges = 1"),
        ("max_exchanges = 6", "max_exchanges = 1"),
    )
    done = rehearsed(study)
    assert [rule for rule in done.rules if not rule.has_held] == []
    assert kind(done, "never-a-reason").endings == {"refused": 1}
    assert kind(done, "never-a-reason").judgments == 0
    careful = kind(done, "careful")
    assert careful.endings == {"thanks": careful.annotators}
    assert {one.record["question"] for one in done.recoveries} == {
        "enjoyment",
        "sense",
    }


def test_finished_dialogues_are_rated_without_a_chat(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", protocol="likert", seed=3)
    for bot in ("parrot", "companion"):
        chats = asyncio.run(self_chats([builtin_bot(bot)], 12, exchanges=2, openers=openers(), seed=3))
        write_dialogues(chats, study.folder / "dialogues" / f"{bot}.jsonl")
    done = rehearsed(
        changed(study, ('source = "live"', 'source = "dialogues"')),
        means={"companion": 4.0, "parrot": 1.0},
    )
    assert [rule for rule in done.rules if not rule.has_held] == []
    assert chats_of(done) == ()
    assert sum(result.counted for result in done.kinds) >= 22  # all, but what those who left hold
    assert [one.finding for one in done.recoveries] == ["recovered"]


def test_a_mean_of_an_unknown_bot_leaves_an_earlier_rehearsal_alone(tmp_path: Path) -> None:
    study = make_talk(tmp_path / "study").study
    earlier = copy_study(study, seed=7, annotators=1).folder / "study.db"
    earlier.write_bytes(b"")
    with pytest.raises(DesignError, match="'oracle'"):
        rehearse(study.folder, stated={"mean": ["oracle=2"]})
    assert earlier.exists()
