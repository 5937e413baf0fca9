from tests.server.visits import Visitor


def test_what_is_not_a_form_is_refused(visitor: Visitor) -> None:
    answer = visitor.client.post(f"/a/{visitor.token}/submit", json={"choice": "1"})
    assert answer.status_code == 415


def test_a_form_that_cannot_be_read_is_refused(visitor: Visitor) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for content in (b"reason=%ff%fe", b"\xff\xfe", b"&".join(b"a=1" for _ in range(300))):
        answer = visitor.client.post(f"/a/{visitor.token}/submit", content=content, headers=kind)
        assert answer.status_code == 400
