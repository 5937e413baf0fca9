"""A whole study over HTTP, every byte kept: nothing unblinds anybody, nothing illegal is stored."""

from __future__ import annotations

import asyncio
import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import httpx2
import numpy as np
import pytest

from duologue.acute import make_pairings
from duologue.acute.rehearsal import AcuteRehearsal
from duologue.acute.rehearsal.preferences import draw_preferences
from duologue.demo import human_dialogues
from duologue.dialogues import Dialogue, Speaker, import_dialogues, write_dialogues
from duologue.rehearsal.answers import Knowledge
from duologue.rehearsal.kinds import draw_annotators
from duologue.rehearsal.pages import Form, read_page
from duologue.rehearsal.walk import Walk, walk_pages
from duologue.server import create_app, prepare_study, served
from duologue.store import (
    Invitation,
    Store,
    fetch_items,
    fetch_judgments,
    invite_annotators,
    open_store,
    revoke_link,
)
from duologue.studies import Study, load_study, new_study
from tests.waiting import PATIENCE

_letters = random.Random(20)
BOTS = ["".join(_letters.choices(string.ascii_lowercase, k=16)) for _ in range(4)]
"""Names nobody would write by chance, so that finding one means it leaked."""
GOOD, BAD, BETTER, WORSE = BOTS


@dataclass
class Traffic:
    """Every response, headers and body, and every address that was asked for."""

    seen: list[bytes] = field(default_factory=list)

    async def keep(self, response: httpx2.Response) -> None:
        await response.aread()
        head = "\n".join(f"{name}: {value}" for name, value in response.headers.multi_items())
        self.seen.append(f"{response.url}\n{head}\n\n".encode() + response.content)

    @property
    def all(self) -> bytes:
        return b"\n".join(self.seen).lower()


@dataclass(frozen=True)
class Served:
    """A study that was walked through from start to end, and is still served."""

    study: Study
    store: Store
    address: str
    traffic: Traffic
    walks: tuple[Walk, ...]


def said_by(bot: str) -> list[Dialogue]:
    """The same harmless dialogues as if ``bot`` had had them, under its own name."""
    return [
        replace(
            dialogue,
            id=f"{bot}-{number}",
            bot=bot,
            judged=f"{bot}_2",
            speakers=(Speaker(f"{bot}_1", bot), Speaker(f"{bot}_2", bot)),
            turns=tuple(replace(turn, speaker=turn.speaker.replace("human", bot)) for turn in dialogue.turns),
        )
        for number, dialogue in enumerate(human_dialogues())
    ]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("traffic")
    study = new_study(folder / "study", seed=3)
    for bot in BOTS:
        write_dialogues(said_by(bot), folder / f"{bot}.jsonl")
        import_dialogues([folder / f"{bot}.jsonl"], study.folder)
    text = study.text.replace('per_matchup = "plan"', "per_matchup = 24").replace(
        'matchups = "all" ',
        f'matchups = [["{GOOD}", "{BAD}"]]\nonboarding = ["{BETTER}", "{WORSE}"]\nonboarding_count = 12 ',
    )
    (study.folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(study.folder)
    make_pairings(study)
    return study


@pytest.fixture(scope="module")
def walked(study: Study) -> Iterator[Served]:
    with open_store(study.database) as store:
        prepare_study(study, store)
        with served(create_app(study, store)) as address:
            traffic = Traffic()
            walks = asyncio.run(walk_everybody(study, store, address, traffic))
            yield Served(study, store, address, traffic, walks)


async def walk_everybody(study: Study, store: Store, address: str, traffic: Traffic) -> tuple[Walk, ...]:
    preferences = draw_preferences([GOOD, BAD], rng=np.random.default_rng(1))
    coming = draw_annotators(20, seed=1, mix=AcuteRehearsal.mix)
    async with httpx2.AsyncClient(
        base_url=address,
        follow_redirects=True,
        event_hooks={"response": [traffic.keep]},
        trust_env=False,
        timeout=PATIENCE,
    ) as client:
        walks = [
            await walk_pages(
                one,
                invitation,
                client=client,
                store=store,
                knowledge=Knowledge(study, AcuteRehearsal(), preferences),
            )
            for one, invitation in zip(coming, store.run(invite_annotators(len(coming))), strict=True)
        ]
        for path in sorted(set(re.findall(rb'(?:href|src)="(/static/[^"]+)"', traffic.all))):
            await client.get(path.decode())
        await client.get("/a/no-such-link")
        await client.get("/")
    return tuple(walks)


def test_the_traffic_is_that_of_a_whole_study(walked: Served) -> None:
    assert sum(walk.saved for walk in walked.walks) > 20
    assert b"comparison 1 of 2" in walked.traffic.all
    assert b"your completion code" in walked.traffic.all
    assert walked.traffic.all.count(b"text/javascript") >= 1


@pytest.mark.parametrize("bot", BOTS)
def test_no_bot_is_named_in_any_byte(walked: Served, bot: str) -> None:
    assert bot.encode() not in walked.traffic.all


def test_no_gold_answer_and_no_onboarding_flag_is_in_any_byte(walked: Served) -> None:
    for word in (b"onboarding", b"is_correct", b'"gold"', b"__vs__"):
        assert word not in walked.traffic.all


def test_no_id_of_the_study_is_in_any_byte(walked: Served) -> None:
    ids = {item.id for item in walked.store.stream(fetch_items())} | {
        judgment.id for judgment in walked.store.stream(fetch_judgments())
    }
    ids |= {judgment.annotator for judgment in walked.store.stream(fetch_judgments())}
    assert [one for one in ids if one.lower().encode() in walked.traffic.all] == []


# What must be refused


@dataclass
class Visitor:
    """Somebody with a link of their own and a comparison in front of them."""

    client: httpx2.Client
    invitation: Invitation
    form: Form

    def send(self, **changes: str | None) -> int:
        """Send the form with some fields changed or left out; the status of the answer."""
        fields = {**self.form.hidden, "choice": "1", "reason": "fine"} | changes
        data = {name: value for name, value in fields.items() if value is not None}
        return self.client.post(self.form.action, data=data).status_code


@pytest.fixture
def visitor(walked: Served) -> Iterator[Visitor]:
    with httpx2.Client(
        base_url=walked.address, follow_redirects=True, trust_env=False, timeout=PATIENCE
    ) as client:
        visitor = arrive(client, walked.store)
        yield visitor
    walked.store.run(revoke_link(visitor.invitation.annotator))  # a place was kept for them


def arrive(client: httpx2.Client, store: Store) -> Visitor:
    invitation = store.run(invite_annotators(1))[0]
    consent = read_page(client.get(f"/a/{invitation.token}").text).form
    assert consent is not None
    form = read_page(client.post(consent.action).text).form
    assert form is not None
    assert form.is_question
    return Visitor(client, invitation, form)


def stored(store: Store, annotator: str) -> int:
    return sum(judgment.annotator == annotator for judgment in store.stream(fetch_judgments()))


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"choice": None}, 422),
        ({"choice": ""}, 422),
        ({"choice": "3"}, 422),
        ({"choice": "tie"}, 422),
        ({"choice": "1, 2"}, 422),
        ({"choice": GOOD}, 422),
        ({"reason": "x" * 10_001}, 422),
        ({"reason": "nul \0 byte"}, 422),
        ({"reason": "x" * 300_000}, 413),
        ({"assignment": None}, 404),
        ({"assignment": "somebody-elses"}, 404),
    ],
)
def test_a_bad_submission_is_refused_and_nothing_is_stored(
    walked: Served, visitor: Visitor, changes: dict[str, str | None], status: int
) -> None:
    assert visitor.send(**changes) == status
    assert stored(walked.store, visitor.invitation.annotator) == 0
    assert visitor.send() == 200
    assert stored(walked.store, visitor.invitation.annotator) == 1


def test_the_assignment_of_somebody_else_is_refused(walked: Served, visitor: Visitor) -> None:
    other = arrive(visitor.client, walked.store)
    assert visitor.send(assignment=other.form.hidden["assignment"]) == 404
    assert stored(walked.store, visitor.invitation.annotator) == 0
    assert stored(walked.store, other.invitation.annotator) == 0


def test_an_answer_changed_afterwards_leaves_the_first_one(walked: Served, visitor: Visitor) -> None:
    assert visitor.send(choice="1", reason="first") == 200
    assert visitor.send(choice="2", reason="second") == 200
    given = [
        one for one in walked.store.stream(fetch_judgments()) if one.annotator == visitor.invitation.annotator
    ]
    assert [(one.answer["side"], one.reason) for one in given] == [(1, "first")]


def test_a_link_that_was_withdrawn_stores_nothing_more(walked: Served, visitor: Visitor) -> None:
    walked.store.run(revoke_link(visitor.invitation.annotator))
    assert visitor.send() == 410
    assert stored(walked.store, visitor.invitation.annotator) == 0
