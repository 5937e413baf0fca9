"""The example files of docs/several-hosts, as far as the programs they are for are installed."""

import asyncio
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from duologue.store import open_store
from duologue.studies import Study
from tests.end_to_end.loaded_server import Load, Server, check_nothing_is_amiss
from tests.end_to_end.test_kill import invite
from tests.end_to_end.test_two_hosts import hosts, study
from tests.ports import reserved_port
from tests.processes import DUOLOGUE, finished, running
from tests.store.conftest import postgresql, quick_disk
from tests.waiting import PATIENCE, wait_until

__all__ = ["hosts", "postgresql", "quick_disk", "study"]

EXAMPLES = Path(__file__).parents[2] / "docs" / "several-hosts"


@pytest.fixture
def port() -> Iterator[int]:
    """The port of the proxy."""
    with reserved_port() as port:
        yield port


@pytest.fixture
def proxy(tmp_path: Path, hosts: tuple[Server, Server], port: int) -> Iterator[int]:
    """The port of an nginx in front of both hosts, as the example has it but for names and certificates."""
    if not shutil.which("nginx") or not shutil.which("openssl"):
        pytest.skip("nginx or openssl is not installed")
    folder = tmp_path / "nginx"
    (folder / "logs").mkdir(parents=True)
    folder.chmod(0o755)
    tmp_path.chmod(0o755)
    subject = ["-subj", "/CN=study.example.org", "-days", "1"]
    made = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    assert (
        finished(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *made]).returncode
        == 0
    )
    example = (
        _example("nginx.conf", hosts)
        .replace("443 ssl", f"127.0.0.1:{port} ssl")
        .replace("/etc/ssl/study.example.org", str(folder))
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; pid {folder}/pid; error_log {folder}/logs/error.log;\n"
        f"events {{}}\nhttp {{ access_log {folder}/logs/access.log;\n{example}\n}}\n"
    )
    with running(["nginx", "-p", folder, "-c", folder / "nginx.conf"], captures=False):
        wait_until(lambda: _status(f"https://127.0.0.1:{port}") == 200, "the proxy answers")
        yield port


@pytest.fixture
def caddy(tmp_path: Path, hosts: tuple[Server, Server], port: int) -> Iterator[str]:
    """The address of a Caddy in front of both hosts, as the example has it but for names and certificates."""
    if not shutil.which("caddy"):
        pytest.skip("caddy is not installed")
    address = f"localhost:{port}"
    example = _example("Caddyfile", hosts).replace("study.example.org {", f"{address} {{\n\ttls internal")
    settings = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    (tmp_path / "Caddyfile").write_text(settings + example)
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"]
    own = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with running(command, variables=own, captures=False):
        wait_until(lambda: _status(f"https://{address}") == 200, "the proxy answers")
        yield f"https://{address}"


def _example(name: str, hosts: tuple[Server, Server]) -> str:
    """An example with the addresses of hosts that are there."""
    example = (EXAMPLES / name).read_text(encoding="utf-8")
    for named, server in zip(("10.0.0.11:8000", "10.0.0.12:8000"), hosts, strict=True):
        example = example.replace(named, f"{server.host}:{server.port}")
    return example


def _status(address: str) -> int:
    try:
        return httpx2.get(f"{address}/healthz", verify=False, timeout=PATIENCE).status_code
    except httpx2.TransportError:
        return 0


@pytest.mark.postgres
@pytest.mark.slow
def test_behind_nginx_a_host_can_die_and_nobody_notices(
    study: Study, hosts: tuple[Server, Server], proxy: int
) -> None:
    _judge_while_a_host_dies(study, hosts, f"https://127.0.0.1:{proxy}")


@pytest.mark.postgres
@pytest.mark.slow
def test_behind_caddy_a_host_can_die_and_what_was_under_way_is_sent_again(
    study: Study, hosts: tuple[Server, Server], caddy: str
) -> None:
    """Caddy sends no form again by itself: whoever had sent one is told that it was not saved."""
    _judge_while_a_host_dies(study, hosts, caddy, passing=(502, 503))


def _judge_while_a_host_dies(
    study: Study, hosts: tuple[Server, Server], address: str, *, passing: tuple[int, ...] = (503,)
) -> None:
    load = Load(address, verifies=False, passing=passing)

    def kill(load: Load) -> None:
        load.wait_for(20)
        hosts[0].kill()

    asyncio.run(load.judge(invite(study), kill))
    with open_store(study.database) as store:
        check_nothing_is_amiss(study, store, load.acknowledged)


def test_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    unit = (EXAMPLES / "duologue.service").read_text(encoding="utf-8")
    (tmp_path / "duologue.service").write_text(unit.replace("/opt/duologue/bin/duologue", "/bin/true"))
    done = finished(["systemd-analyze", "verify", tmp_path / "duologue.service"])
    assert (done.returncode, done.stderr) == (0, "")


def test_command_of_the_unit_and_of_the_containers_is_one_that_serve_takes() -> None:
    unit = (EXAMPLES / "duologue.service").read_text(encoding="utf-8")
    services = _services()
    commands = [*re.findall(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE), services["one"]["command"]]
    known = finished([*DUOLOGUE, "serve", "--help"], variables={"COLUMNS": "200"}).stdout
    for command in commands:
        assert command.split()[0] == "serve"
        assert [option for option in re.findall(r"--[\w-]+", command) if option not in known] == []


def test_containers_are_ones_that_compose_takes(tmp_path: Path) -> None:
    compose = shutil.which("docker-compose")
    if not compose:
        pytest.skip("docker-compose is not installed")
    shutil.copy(EXAMPLES / "compose.yaml", tmp_path)
    told = finished([compose, "config"], folder=tmp_path)
    assert (told.returncode, "write it into the file .env" in told.stderr) == (1, True)
    (tmp_path / ".env").write_text("DATABASE_PASSWORD=secret\n", encoding="utf-8")
    done = finished([compose, "config"], folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "PGPASSWORD: secret" in done.stdout


def _services() -> dict[str, Any]:
    yaml: Any = pytest.importorskip("yaml")
    services: dict[str, Any] = yaml.safe_load((EXAMPLES / "compose.yaml").read_text(encoding="utf-8"))[
        "services"
    ]
    return services


def test_containers_depend_on_each_other_and_share_one_database() -> None:
    services = _services()
    assert services["one"] == services["two"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
