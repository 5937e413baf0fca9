import csv
import io
import json
import re
from collections.abc import Callable

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from duologue.store import (
    Store,
    ensure_secret,
    exclude_judgments,
    fetch_annotators,
    fetch_assignment,
    fetch_judgments,
    fetch_leases,
    fetch_progress,
    invite_annotators,
    note_fact,
)
from duologue.studies import Study
from tests.server.visits import Visitor, text_of

Serve = Callable[..., tuple[TestClient, Store]]


class Researcher:
    """A signed-in researcher's browser."""

    def __init__(self, client: TestClient, store: Store) -> None:
        self.client, self.store = client, store
        answer = client.post("/researcher/sign-in", data={"key": store.run(ensure_secret("researcher"))})
        assert answer.status_code == 303

    def page(self, path: str = "") -> str:
        answer = self.client.get(f"/researcher{path}")
        assert answer.status_code == 200
        return answer.text

    def act(self, path: str, **fields: str) -> Response:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.page())
        assert found
        return self.client.post(f"/researcher{path}", data={"csrf_token": found[1], **fields})


@pytest.fixture
def researcher(client: TestClient, store: Store) -> Researcher:
    return Researcher(client, store)


def judge_all(visitor: Visitor, **fields: str) -> None:
    page = visitor.consent()
    while 'name="assignment"' in page.text:
        page = visitor.submit(page, script=True, **fields)


def judge_well(visitor: Visitor, store: Store) -> None:
    """Judge everything, for the better bot in onboarding and for side 1 else."""
    page = visitor.consent()
    while 'name="assignment"' in page.text:
        found = re.search(r'name="assignment" value="([^"]+)"', page.text)
        assert found
        assignment = store.run(fetch_assignment(visitor.token, found[1]))
        side = (
            assignment.order.index(int(str(assignment.item.gold or 0))) + 1
            if assignment.item.is_onboarding
            else 1
        )
        page = visitor.submit(page, script=True, choice=str(side))


def test_the_overview_counts_what_is_done_wanted_aside_and_leased(
    researcher: Researcher, visitor: Visitor, store: Store
) -> None:
    visitor.submit(visitor.submit(visitor.consent(), script=True), script=True)
    row = next(line for line in researcher.page().split("<tr>") if "ann against bob" in line)
    numbers = re.findall(r'<td class="number">(\d+)</td>', row)
    (progress,) = store.run(fetch_progress())
    assert [int(number) for number in numbers] == [
        progress.done,
        progress.wanted,
        progress.excluded,
        progress.leased,
    ]
    assert progress.wanted == 4


def test_win_rates_stay_hidden_until_the_planned_number(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2, rest="[annotators]\nmax_judgments = 2\n")
    researcher = Researcher(client, store)
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    page = visitor.submit(visitor.consent(), script=True)
    assert "hidden until n = 2" in researcher.page()
    assert " %</b>" not in researcher.page()
    visitor.submit(page, script=True)
    assert "hidden until n" not in researcher.page()
    assert " %</b>" in researcher.page()


def test_a_sequential_study_shows_its_rates_with_an_interval_that_stays_valid(serve: Serve) -> None:
    client, store = serve(onboarding=0, rest='[stopping]\nrule = "sequential"\n')
    researcher = Researcher(client, store)
    assert "nothing yet" in researcher.page()
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent())
    page = text_of(researcher.page())
    assert "valid however often one looks" in page
    assert "together is 95 %" in page
    assert re.search(r"ann \d+ to \d+ %", page)
    assert "hidden until" not in page


def test_blocking_needs_a_reason_and_sets_judgments_aside(
    researcher: Researcher, visitor: Visitor, store: Store
) -> None:
    judge_well(visitor, store)
    annotator = store.run(fetch_annotators())[0].id
    assert researcher.act(f"/annotators/{annotator}/block", reason=" ").status_code == 422
    assert not store.run(fetch_annotators())[0].is_blocked
    assert researcher.act(f"/annotators/{annotator}/block", reason="always the same side").status_code == 303
    assert store.run(fetch_annotators())[0].is_blocked
    assert store.run(fetch_progress())[0].done == 0
    assert "Onboarding right" in researcher.page(f"/annotators/{annotator}")
    (other,) = store.run(invite_annotators(1))
    assert "Onboarding right" not in researcher.page(f"/annotators/{other.annotator}")
    assert "always the same side" in researcher.page("/annotators")
    assert "always the same side" in researcher.page("/judgments")
    assert "You cannot go on in this study" in visitor.open().text
    assert researcher.act(f"/annotators/{annotator}/unblock", reason="it was me").status_code == 303
    assert store.run(fetch_progress())[0].done == 3


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        (
            "",
            "What they judged stays in the verdicts, because the plan declares no rule for blocked",
        ),
        (
            '[screening]\nresearcher_rules = ["blocked"]\n',
            "What they judged is excluded from the verdicts: the plan declares this rule (blocked).",
        ),
    ],
)
def test_blocking_says_what_it_does_under_this_plan(serve: Serve, rest: str, said: str) -> None:
    client, store = serve(rest=rest)
    desk, visitor = Researcher(client, store), Visitor(client, store.run(invite_annotators(1))[0].token)
    (annotator,) = store.run(fetch_annotators())
    place = f"/annotators/{annotator.id}"
    before = text_of(desk.page(place))
    assert "They get no more work. They have judged nothing." in before
    assert not [
        word for word in ("verdicts", "asked in their place", "judgments are excluded") if word in before
    ]
    judge_well(visitor, store)
    assert said in text_of(desk.page(place))
    keys = [one.id for one in store.stream(fetch_judgments())]
    store.run(exclude_judgments(keys, rule="late", reason="a test", by="duologue"))
    assert "They get no more work. All that they judged is excluded already." in text_of(desk.page(place))


def test_the_pages_say_what_the_analysis_does_with_a_blocked_annotator(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=3, rest="[annotators]\nmax_judgments = 3\n")
    desk, visitor = Researcher(client, store), Visitor(client, store.run(invite_annotators(1))[0].token)
    judge_well(visitor, store)
    (annotator,) = store.run(fetch_annotators())
    assert "of the excluded judgments" not in text_of(desk.page())
    desk.act(f"/annotators/{annotator.id}/block", reason="rude")
    said = text_of(desk.page())
    assert (
        "3 of the excluded judgments count in the verdicts all the same: a researcher excluded them, and the "
        "plan declares no such rule. Their places were opened again, so more judgments than planned can "
        "count, and the report also shows the verdicts without them." in said
    )
    assert (
        "What the block had excluded fills its places again, and counts; where another judgment has taken"
        in (text_of(desk.page(f"/annotators/{annotator.id}")))
    )


def test_an_annotator_of_whom_nothing_counts_is_not_active(
    researcher: Researcher, visitor: Visitor, store: Store
) -> None:
    judge_well(visitor, store)
    (annotator,) = store.run(fetch_annotators())
    assert annotator.state == "finished"
    keys = [one.id for one in store.stream(fetch_judgments()) if one.id]
    store.run(exclude_judgments(keys[:-1], rule="researcher", reason="a test", by="me"))
    assert store.run(fetch_annotators())[0].state == "finished"
    store.run(exclude_judgments(keys, rule="researcher", reason="a test", by="me"))
    assert store.run(fetch_annotators())[0].state == "all excluded"
    for path in ("/annotators", f"/annotators/{annotator.id}"):
        page = researcher.page(path)
        assert '<span class="tag bad">all excluded</span>' in page
        assert ">finished<" not in page


def test_titles_are_names_and_not_ids(serve: Serve) -> None:
    client, store = serve()
    desk = Researcher(client, store)
    named, unnamed, idle = store.run(invite_annotators(3, labels=["Ada", "", ""]))
    judge_well(Visitor(client, unnamed.token), store)
    judge_well(Visitor(client, named.token), store)
    titles = {
        named.annotator: "Ada",
        unnamed.annotator: "Annotator 1",
        idle.annotator: "Annotator without judgments",
    }
    for key, title in titles.items():
        page = desk.page(f"/annotators/{key}")
        assert f"<h1>{title}</h1>" in page
        assert f"<title>{title} · " in page
        assert f"<code>{key}</code>" in page
    numbers = {one.id: one.number for one in store.run(fetch_annotators())}
    assert numbers == {named.annotator: 2, unnamed.annotator: 1, idle.annotator: None}


def test_the_pages_have_users_words_and_no_column_for_an_only_arm(
    researcher: Researcher, visitor: Visitor, serve: Serve
) -> None:
    visitor.open()
    visitor.consent()
    for path in ("/annotators", "/leases", "/codes"):
        page = researcher.page(path)
        assert not re.search(r"Leases|Leased|Came by|Median s<|>Arm<|<td>lab<", page)
    assert "Recruited via" in researcher.page("/annotators")
    assert "personal link" in researcher.page("/annotators")


def test_erasing_an_annotator_leaves_no_name_and_no_text(
    researcher: Researcher, visitor: Visitor, store: Store
) -> None:
    judge_all(visitor, reason="my very own words")
    annotator = store.run(fetch_annotators())[0].id
    assert "Ada" in researcher.page("/annotators")
    assert researcher.act(f"/annotators/{annotator}/withdraw", reason="asked for it").status_code == 303
    assert "Ada" not in researcher.page("/annotators")
    assert "withdrawn" in researcher.page("/annotators")
    assert visitor.open().status_code in (404, 410)
    assert "my very own words" not in researcher.client.get("/researcher/judgments.csv").text
    assert "Delete them" not in researcher.page(f"/annotators/{annotator}")


def test_whoever_erases_an_annotator_hears_of_copies_that_hold_them_still(
    researcher: Researcher, visitor: Visitor, store: Store, study: Study
) -> None:
    annotator = store.run(fetch_annotators())[0].id
    (study.folder / "study.db.moved_20260101_000000").touch()
    assert "moved_2026" not in researcher.page(f"/annotators/{annotator}")
    researcher.act(f"/annotators/{annotator}/withdraw", reason="asked for it")
    page = researcher.page(f"/annotators/{annotator}")
    assert "Delete them from the study&#39;s folder" in page or "Delete them from the study's folder" in page
    assert "<code>study.db.moved_20260101_000000</code>" in page


def test_links_are_made_copied_and_revoked(researcher: Researcher, store: Store) -> None:
    assert researcher.act("/links", labels="Ada\n\n Grace ").status_code == 303
    assert [annotator.label for annotator in store.run(fetch_annotators())] == ["Ada", "Grace"]
    assert researcher.act("/links", count="3").status_code == 303
    assert len(store.run(fetch_annotators())) == 5
    first = store.run(fetch_annotators())[0]
    link = f"http://testserver/a/{first.token}"
    assert f'data-copy="{link}"' in researcher.page("/links")
    assert researcher.act(f"/annotators/{first.id}/revoke").status_code == 303
    assert researcher.client.get(f"/a/{first.token}").status_code == 410
    assert researcher.act(f"/annotators/{first.id}/unrevoke").status_code == 303
    assert researcher.client.get(f"/a/{first.token}").status_code == 200


@pytest.mark.parametrize("count", ["0", "1001", "-1", "many", "²", "9" * 5000, "1e3", "1.5"])
def test_a_number_of_links_that_cannot_be_is_refused(
    researcher: Researcher, store: Store, count: str
) -> None:
    answer = researcher.act("/links", count=count)
    assert answer.status_code == 422
    assert "from 1 to 1000" in answer.text
    assert store.run(fetch_annotators()) == ()


@pytest.mark.parametrize("labels", ["x" * 2001, "\n".join(["x"] * 1001)])
def test_the_links_page_has_the_limits_of_the_api(
    researcher: Researcher, client: TestClient, store: Store, labels: str
) -> None:
    answer = researcher.act("/links", labels=labels)
    assert answer.status_code == 422
    assert "at most 1000 names of at most 2000 characters" in answer.text
    key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    asked = client.post("/api/annotators", json={"labels": labels.split("\n")}, headers=key)
    assert asked.status_code == 422
    assert store.run(fetch_annotators()) == ()


def test_the_block_form_has_the_limits_of_the_api(
    researcher: Researcher, client: TestClient, store: Store
) -> None:
    annotator = store.run(invite_annotators(1))[0].annotator
    for reason in ("", " ", "x" * 2001):
        assert researcher.act(f"/annotators/{annotator}/block", reason=reason).status_code == 422
    key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    path = f"/api/annotators/{annotator}/block"
    for reason in ("", "  ", "x" * 2001):
        assert client.post(path, json={"reason": reason}, headers=key).status_code == 422
    assert not store.run(fetch_annotators())[0].is_blocked
    assert researcher.act(f"/annotators/{annotator}/block", reason="x" * 2000).status_code == 303
    assert store.run(fetch_annotators())[0].is_blocked


def test_the_open_link_is_shown_when_the_study_allows_one(serve: Serve, researcher: Researcher) -> None:
    assert "Open link" not in researcher.page("/links")
    client, store = serve(rest="[annotators]\nopen_link = true\n")
    assert f"/open/{store.run(ensure_secret('open-link'))}" in Researcher(client, store).page("/links")


def test_a_lease_can_be_released(researcher: Researcher, serve: Serve) -> None:
    client, store = serve(onboarding=0)
    other = Researcher(client, store)
    assert "Nobody is judging anything" in other.page("/leases")
    Visitor(client, store.run(invite_annotators(1, labels=["Ada"]))[0].token).consent()
    (lease,) = store.run(fetch_leases())
    assert "Ada" in other.page("/leases")
    assert other.act(f"/leases/{lease.assignment}/release").status_code == 303
    assert store.run(fetch_leases()) == ()
    assert other.act("/leases/made-up/release").status_code == 404


def test_an_onboarding_item_is_in_progress(researcher: Researcher, visitor: Visitor, store: Store) -> None:
    figure = re.compile(r"<dt>In progress</dt><dd>(\d+)</dd>")
    assert figure.findall(researcher.page()) == ["0"]
    visitor.consent()
    assert figure.findall(researcher.page()) == ["1"]
    (lease,) = store.run(fetch_leases())
    page = researcher.page("/leases")
    assert f'data-key="{lease.assignment}"' in page
    assert "Nobody is judging anything" not in page
    assert researcher.act(f"/leases/{lease.assignment}/release").status_code == 303
    assert figure.findall(researcher.page()) == ["0"]


def test_the_judgments_can_be_downloaded(researcher: Researcher, visitor: Visitor, store: Store) -> None:
    judge_all(visitor, reason='a "quoted", reason\nof two lines')
    answer = researcher.client.get("/researcher/judgments.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="judgments.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 4
    assert {row["reason"] for row in rows} == {'a "quoted", reason\nof two lines'}
    assert {row["winner"] for row in rows} <= {"ann", "bob"}
    lines = researcher.client.get("/researcher/judgments.jsonl").text.splitlines()
    assert [json.loads(line)["judgment"] for line in lines] == [row["judgment"] for row in rows]
    assert researcher.client.get("/researcher/judgments.xls").status_code == 422


def test_an_unknown_annotator_is_refused_with_a_page(researcher: Researcher) -> None:
    assert researcher.client.get("/researcher/annotators/nobody").status_code == 404
    answer = researcher.act("/annotators/nobody/block", reason="why not")
    assert answer.status_code == 404
    assert "there is no annotator" in text_of(answer.text)


def test_a_rehearsal_is_marked_on_every_page(researcher: Researcher, store: Store) -> None:
    assert "rehearsal" not in researcher.page()
    store.run(note_fact("rehearsal", "60 annotators"))
    for path in ("", "/annotators", "/links", "/leases", "/judgments"):
        assert "This is a rehearsal" in researcher.page(path)


def test_names_of_annotators_and_bots_are_escaped(serve: Serve) -> None:
    client, store = serve(bots=("<i>one", "<b>two"))
    store.run(invite_annotators(1, labels=["<script>alert(1)</script>"]))
    researcher = Researcher(client, store)
    for path in ("", "/annotators", "/links"):
        page = researcher.page(path)
        assert "<script>alert" not in page
        assert "<i>one" not in page


def test_the_page_of_the_api_lists_every_operation(client: TestClient) -> None:
    page = client.get("/api/docs").text
    for path in ("/api/progress", "/api/annotators/{annotator}/block", "/api/judgments"):
        assert path in page


def test_completion_codes_are_listed_checked_and_downloaded(
    researcher: Researcher, visitor: Visitor, store: Store
) -> None:
    assert "Nobody has finished yet." in researcher.page("/codes")
    judge_well(visitor, store)
    code = store.run(fetch_annotators())[0].code
    page = researcher.page("/codes")
    assert f"<code>{code}</code>" in page
    assert "Ada" in page
    checked = researcher.page(f"/codes?codes={code.lower()}%0A%3Cb%3E,unknown1")
    assert "1 of 3 codes belong to somebody who has finished." in checked
    assert "Given more than once" not in checked
    twice = text_of(researcher.page(f"/codes?codes={code}%0A{code.lower()}"))
    assert "1 of 1 code belongs to somebody who has finished." in twice
    assert f"Given more than once, and counted once: {code}. Pay each code once." in twice
    assert "<code>&lt;b&gt;</code>" in checked
    assert "Nothing was found." in researcher.page("/codes?search=nobody")
    answer = researcher.client.get("/researcher/codes.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="codes.csv"'
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["code"], row["state"], row["label"], row["judgments"]) == (code, "finished", "Ada", "3")


def test_completion_codes_are_for_the_researcher_alone(client: TestClient) -> None:
    for path in ("/researcher/codes", "/researcher/codes.csv"):
        assert client.get(path).headers["location"] == "/researcher/sign-in"


def test_the_overview_is_found_with_a_slash_at_the_end(researcher: Researcher) -> None:
    answer = researcher.client.get("/researcher/")
    assert (answer.status_code, answer.headers["location"]) == (308, "/researcher")


def test_a_researchers_page_that_is_not_there_says_so_in_plain_words(researcher: Researcher) -> None:
    answer = researcher.client.get("/researcher/nowhere")
    assert answer.status_code == 404
    assert "There is no such page here." in answer.text
    assert "Not Found" not in answer.text
    assert 'href="/researcher">Back to the overview</a>' in answer.text


def test_pages_that_anybody_may_open_do_not_name_the_study(serve: Serve) -> None:
    client, store = serve()
    study = client.app.state.site.study  # type: ignore[attr-defined]
    for path in ("/", "/researcher/sign-in", "/api/docs", "/api/openapi.json", "/nowhere"):
        assert study.name not in client.get(path).text, path
    assert f"<title>{study.heading.title}</title>" in client.get("/").text
    assert f"<title>Overview · {study.name}</title>" in Researcher(client, store).page()


@pytest.mark.parametrize(
    ("reason", "has_tab", "said"),
    [
        ("off", False, "This study asks for no reason."),
        ("encouraged", True, "Nobody has given a reason yet."),
    ],
)
def test_reasons_have_a_page_where_they_are_asked_for(
    serve: Serve, reason: str, has_tab: bool, said: str
) -> None:
    client, store = serve(rest=f'[acute]\nreason = "{reason}"\n')
    desk = Researcher(client, store)
    assert ('href="/researcher/reasons"' in desk.page()) == has_tab
    assert said in desk.page("/reasons")


def test_columns_in_which_nobody_has_anything_are_left_out(serve: Serve) -> None:
    pages = {}
    for onboarding in (0, 1):
        client, store = serve(onboarding=onboarding)
        desk, visitor = Researcher(client, store), Visitor(client, store.run(invite_annotators(1))[0].token)
        judge_well(visitor, store)
        pages[onboarding] = {path: text_of(desk.page(path)) for path in ("/annotators", "/codes")}
    for path in ("/annotators", "/codes"):
        assert "Onboarding" not in pages[0][path]
        assert "Onboarding" in pages[1][path]
    assert re.search(r"Annotator\s*State\s*Recruited via", pages[0]["/annotators"])
