"""Serving a study loads no package that only analysis and reports need."""

import sys
from pathlib import Path

from tests.processes import finished

SCRIPT = """
import sys
from pathlib import Path

from starlette.testclient import TestClient

from duologue.server import create_app
from duologue.store import fetch_judgments, invite_annotators
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.server.visits import Visitor

study = make_study(Path(sys.argv[1]))
with prepared_store(study) as store:
    (invitation,) = store.run(invite_annotators(1))
    with TestClient(create_app(study, store), follow_redirects=False) as client:
        visitor = Visitor(client, invitation.token)
        assert visitor.submit(visitor.consent()).status_code == 303
        assert client.get("/healthz").status_code == 200
    assert len(tuple(store.stream(fetch_judgments()))) == 1
print(" ".join(sys.modules))
"""


def test_an_answer_is_taken_without_scipy_and_matplotlib(tmp_path: Path) -> None:
    done = finished([sys.executable, "-c", SCRIPT, tmp_path / "study"])
    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "starlette" in loaded
    assert not {"scipy", "matplotlib", "pandas", "pyarrow"} & loaded
