"""docs/how-to/serve-a-room.md, followed to its end: install, serve, proxy, copy, restore, upgrade.

What needs the machine's own root, or a package index, is left out by name. The rest is typed as it
stands, with folders, ports and the server's name put in place of the page's.
"""

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import venv
import zipfile
from collections.abc import Iterator
from configparser import RawConfigParser
from dataclasses import dataclass
from email.parser import Parser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.campaign.conftest import write_study
from tools.docs_blocks import blocks

from medassay.campaign.catalogues import shipped

pytestmark = pytest.mark.web
ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "how-to" / "serve-a-room.md").read_text(encoding="utf-8")
BLOCKS = {block.title: block.content for block in blocks(TEXT)}
SERVICE, COPY = "medassay-room.service", "medassay-copy.service"
UNITS = {
    Path(title).name: text for title, text in BLOCKS.items() if title.startswith("/etc/systemd")
}
PROXIES = {title: text for title, text in BLOCKS.items() if title.startswith("/etc/nginx")}
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", re.MULTILINE)
PATIENCE = 240
# Lines that are not typed here, and why.
NOT_TYPED = {
    "useradd": "makes an account of the machine",
    "pip download": "asks a package index",
    "--find-links": "installs what that gave; the packages of these tests are in its place",
    "systemctl daemon-reload": "the units are run by the test",
    "systemctl enable": "the units are run by the test",
}


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@dataclass
class Site:
    """A server as the page makes it, in a folder of its own."""

    home: Path
    port: int
    service: "subprocess.Popen[bytes] | None" = None

    @property
    def folder(self) -> Path:
        return self.home / "srv"

    def here(self, text: str) -> str:
        """Put this machine's folders and ports in place of the page's."""
        text = text.replace("/opt/medassay", str(self.home / "opt"))
        text = text.replace("/srv/medassay", str(self.folder)).replace("sudo -u medassay ", "")
        return text.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")

    def typed(self, title: str) -> str:
        """Type the lines of a block in a shell; give what it prints."""
        printed = ""
        due: list[str] = []
        for line in [*BLOCKS[title].splitlines(), "systemctl end"]:
            if any(words in line for words in NOT_TYPED):
                continue
            if line.startswith("systemctl"):
                printed += self._shell("\n".join(due))
                due = []
                self._systemctl(line.split()[1:])
            else:
                due.append(line)
        return printed

    def _shell(self, lines: str) -> str:
        wheel = "pip wheel --no-build-isolation --no-index --quiet"
        lines = self.here(lines).replace("python3 -m pip wheel", f"{sys.executable} -m {wheel}")
        done = subprocess.run(  # noqa: S603 - the lines of our own page
            ["bash", "-euo", "pipefail", "-c", lines], cwd=self.folder, text=True, check=False,  # noqa: S607 - typed in bash
            capture_output=True, env={**os.environ, "PIP_NO_COMPILE": "1", "PIP_NO_CACHE_DIR": "1"},
        )  # fmt: skip
        assert done.returncode == 0, f"{lines}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _systemctl(self, words: list[str]) -> None:
        if words == ["start", COPY]:
            assert self.start(COPY).wait(PATIENCE) == 0
        elif words == ["start", SERVICE]:
            self.serve()
        elif words == ["stop", SERVICE]:
            self.stop()
        else:
            assert words == ["end"]

    def command(self, unit: str) -> list[str]:
        """Read the words of ExecStart as systemd does."""
        line = self.unit(unit)["Service"]["ExecStart"]
        return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(self.here(line))]

    def unit(self, name: str) -> RawConfigParser:
        parser = RawConfigParser()
        parser.optionxform = str  # type: ignore[assignment, method-assign]
        parser.read_string(UNITS[name])
        return parser

    @property
    def log(self) -> str:
        return (self.home / "log").read_text(encoding="utf-8")

    def start(self, unit: str, *more: str) -> "subprocess.Popen[bytes]":
        service = self.unit(unit)["Service"]
        with (self.home / "log").open("wb") as log:
            return subprocess.Popen(  # noqa: S603 - the unit of our own page
                [*self.command(unit), *more], cwd=self.here(service["WorkingDirectory"]),
                umask=int(service["UMask"], 8), stdout=log, stderr=log,
                env={"PATH": os.environ["PATH"], "JOURNAL_STREAM": "8:1"},  # as systemd sets it
            )  # fmt: skip

    def serve(self, *more: str) -> None:
        """Start the service, and wait until it takes requests."""
        self.stop()
        self.service = self.start(SERVICE, "--port", str(self.port), *more)
        wait_for(self.port, self.service)

    def stop(self) -> None:
        if self.service is not None:
            self.service.send_signal(signal.SIGTERM)
            # As systemd reads it: ended by the signal that it sent, or well.
            assert self.service.wait(PATIENCE) in {0, -signal.SIGTERM}
            self.service = None


def wait_for(port: int, running: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"nothing listens: {running.args!r}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Build, install, and draw up the campaign."""
    site = Site(tmp_path_factory.mktemp("server"), free_port())
    site.folder.mkdir()
    (site.folder / "requirements").symlink_to(ROOT / "requirements")
    for name in ("src", "pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        (site.folder / name).symlink_to(ROOT / name)
    site.typed("build")
    # What the page installs with --find-links: the packages of these tests, without medassay.
    venv.create(site.home / "opt")
    [packages] = (site.home / "opt").glob("lib/python*/site-packages")
    (packages / "tested.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n", encoding="utf-8")
    pip = site.home / "opt" / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{pip.parent}/python" -m pip "$@"\n', encoding="utf-8")
    pip.chmod(0o755)
    site.typed("install")
    write_study(site.folder / "my-study")
    site._shell(
        "/opt/medassay/bin/medassay campaign create my-study --raters rater-1,rater-2 > told.txt"
    )
    yield site
    site.stop()


@pytest.fixture
def serving(site: Site) -> Iterator[Site]:
    try:
        site.serve()
        yield site
    finally:
        site.stop()


def health(site: Site) -> dict[str, str]:
    printed: dict[str, str] = json.loads(site.typed("health"))
    return printed


def test_each_line_that_is_not_typed_is_on_the_page() -> None:
    assert [words for words in NOT_TYPED if words not in TEXT] == []


def test_the_lock_pins_all_that_the_wheel_needs_as_it_was_tested(site: Site) -> None:
    [wheel] = (site.folder / "wheels").glob("medassay-*.whl")
    with zipfile.ZipFile(wheel) as inside:
        [name] = [name for name in inside.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(inside.read(name).decode())
    lock = (site.folder / "wheels" / "room.lock").read_text(encoding="utf-8")
    pinned = {canonicalize_name(name): at for name, at in PINNED.findall(lock)}
    for line in metadata.get_all("Requires-Dist", []):
        need = Requirement(line)
        extras = ("", "web", "postgres")
        if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras):
            assert need.specifier.contains(pinned[canonicalize_name(need.name)]), line
    web = (ROOT / "requirements" / "web.lock").read_text(encoding="utf-8")
    tested = {canonicalize_name(name): at for name, at in PINNED.findall(web)}
    assert {name: tested.get(name) for name in pinned} == pinned
    assert lock.count("--hash=sha256:") >= len(pinned)


def test_systemd_finds_no_fault_in_the_units(site: Site) -> None:
    if (analyze := shutil.which("systemd-analyze")) is None:
        pytest.skip("NOT TESTED: the units, which need systemd-analyze: apt-get install systemd")
    folder = site.home / "units"
    folder.mkdir()
    for name, text in UNITS.items():
        (folder / name).write_text(site.here(text), encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - systemd's own program
        [analyze, "verify", *folder.iterdir()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_service_serves_and_its_log_holds_no_link(serving: Site) -> None:
    assert "https://ward.example/ratings" in serving.log
    assert "/in#" not in serving.log
    assert health(serving) == {"room": "open", "version": version("medassay")}
    links = serving.typed("links")
    for name in ("rater-1", "rater-2", "lead", "reviewer"):
        assert re.search(rf"{name}: https://ward\.example/ratings/in#\S+", links), name
    room = serving.folder / "my-study" / "campaigns" / "main" / "room.db"
    assert room.stat().st_mode & 0o077 == 0


def link_of(site: Site, name: str) -> str:
    command = f"/opt/medassay/bin/medassay campaign invite my-study {name}"
    printed = site._shell(f"{command} --url https://ward.example/ratings")
    found = re.search(rf"{name}: \S+/in#(\S+)", printed)
    assert found
    return found[1]


class Account(BaseHTTPRequestHandler):
    """A sign-on server: it knows whom the cookie `account` names, and lets nobody else in."""

    def do_GET(self) -> None:
        account = re.search(r"account=(\S+)", self.headers.get("cookie", ""))
        self.send_response(202 if account else 401)
        if account:
            self.send_header("X-Auth-Request-User", account[1])
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Browser:
    """Somebody who asks the proxy over TLS, and keeps what it sets."""

    port: int
    trusted: Path

    def __post_init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def ask(
        self, path: str, body: str | None = None, **headers: str
    ) -> "tuple[http.client.HTTPResponse, str]":
        context = ssl.create_default_context(cafile=self.trusted)
        line = http.client.HTTPSConnection("127.0.0.1", self.port, context=context)
        line.sock = context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port)), server_hostname="ward.example"
        )
        sent = {"Host": "ward.example", **headers}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        line.request("GET" if body is None else "POST", path, body, sent)
        answer = line.getresponse()
        text = answer.read().decode()
        for cookie in answer.headers.get_all("set-cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        line.close()
        return answer, text


@dataclass
class Nginx:
    """nginx with a configuration of the page, in a folder of its own."""

    port: int
    trusted: Path

    def browser(self) -> Browser:
        return Browser(self.port, self.trusted)


AT_ROOT = "at the root"
"""The first proxy of the page, changed as its next line says."""


@pytest.fixture(params=[*PROXIES, AT_ROOT])
def proxied(
    serving: Site, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Nginx, Site, str]]:
    """Put nginx before the service, with a certificate of its own."""
    programs = [shutil.which(name) for name in ("nginx", "openssl")]
    if None in programs:
        pytest.skip("NOT TESTED: the proxy, which needs: apt-get install nginx openssl")
    conf = PROXIES[next(iter(PROXIES)) if request.param == AT_ROOT else request.param]
    if "single sign-on" in request.param:
        serving.serve("--sign-on", "X-Remote-User@127.0.0.1")
    elif request.param == AT_ROOT:
        assert "`location / {` and `--url https://rate.ward.example`" in TEXT
        conf = conf.replace("location /ratings/ {", "location / {")
        serving.serve("--url", "https://ward.example")
    sign_on = ThreadingHTTPServer(("127.0.0.1", 0), Account)
    threading.Thread(target=sign_on.serve_forever, daemon=True).start()
    key, certificate, port = tmp_path / "ward.key", tmp_path / "ward.pem", free_port()
    subprocess.run(  # noqa: S603 - a certificate for the test
        [str(programs[1]), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=ward.example", "-addext", "subjectAltName=DNS:ward.example",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    conf = serving.here(conf).replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    conf = conf.replace("127.0.0.1:4180", f"127.0.0.1:{sign_on.server_port}")
    conf = conf.replace("/etc/ssl", str(tmp_path))
    # Its workers may be another account, which cannot look into the tests' folder.
    with tempfile.TemporaryDirectory() as own:
        paths = "".join(
            f"{kind}_temp_path {own}/{kind};" for kind in
            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )  # fmt: skip
        whole = f"daemon off;pid {own}/pid;error_log stderr;events {{}}"
        whole += f"http {{access_log {own}/log;{paths}\n{conf}\n}}"
        file = tmp_path / "nginx.conf"
        file.write_text(whole, encoding="utf-8")
        command = [str(programs[0]), "-c", str(file), "-p", own]
        with subprocess.Popen(command) as running:  # noqa: S603 - the proxy of our own page
            try:
                wait_for(port, running)
                yield Nginx(port, certificate), serving, request.param
            finally:
                running.terminate()
        assert "/lead" not in Path(own, "log").read_text(encoding="utf-8")
    sign_on.shutdown()
    sign_on.server_close()


def test_the_proxy_of_the_page_lets_in_whom_it_should(proxied: tuple[Nginx, Site, str]) -> None:
    nginx, site, which = proxied
    signs_on, under = "single sign-on" in which, "" if which == AT_ROOT else "/ratings"
    stranger, lead = nginx.browser(), nginx.browser()
    forged = {"X-Remote-User": "lead"}
    if signs_on:
        assert stranger.ask(f"{under}/lead", **forged)[0].status == 401
        # An account that is nobody's here gets no name, even where the browser sends one.
        stranger.cookies["account"] = "eve@ward.example"
        lead.cookies["account"] = "head@ward.example"
    answer, _ = stranger.ask(f"{under}/lead", **forged)
    assert (answer.status, answer.headers["location"]) == (303, f"{under}/in")
    if not signs_on:
        token = link_of(site, "lead")
        answer, _ = lead.ask(f"{under}/in", f"token={token}", Origin="https://ward.example")
        assert (answer.status, answer.headers["location"]) == (303, f"{under}/")
    answer, page = lead.ask(f"{under}/lead")
    assert answer.status == 200
    assert "rater-1" in page
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf
    answer, text = lead.ask(f"{under}/lead/status", f"csrf={csrf[1]}&status=open&why=")
    assert (answer.status, answer.headers["location"]) == (303, f"{under}/lead"), text
    answer, _ = lead.ask(f"{under}/static/room.css")
    assert answer.status == 200
    assert ("__Secure-room" if under else "__Host-room") in lead.cookies


def rate_one(site: Site) -> None:
    """Give the first label of the first rater, as their browser does."""
    home = "http://127.0.0.1"
    line = http.client.HTTPConnection("127.0.0.1", site.port)

    def ask(path: str, body: object = None, **headers: str) -> tuple[http.client.HTTPResponse, str]:
        sent = None if body is None else body if isinstance(body, str) else json.dumps(body)
        line.request(
            "GET" if body is None else "POST", path, sent, {"Host": "127.0.0.1", **headers}
        )
        answer = line.getresponse()
        return answer, answer.read().decode()

    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": home}
    answer, _ = ask("/in", f"token={link_of(site, 'rater-1')}", **form)
    cookie = answer.headers.get_all("set-cookie", [])[0].partition(";")[0]
    _, page = ask("/rate", Cookie=cookie)
    start = json.loads(re.findall(r'id="start">(.*?)</script>', page)[0])
    own = {"Cookie": cookie, "X-CSRF": start["csrf"], "Content-Type": "application/json"}
    answer, text = ask("/api/consent", {"version": start["information"]["version"]}, **own)
    assert answer.status == 200, text
    task = json.loads(ask("/api/now", Cookie=cookie)[1])["task"]
    said = [
        {"client": f"0f0f0f0f-0000-4000-8000-{place:012}", "code": task["code"],
         "dimension": question["id"], "about": about["about"],
         "label": question["labels"][0]["label"]}
        for place, (question, about) in enumerate(
            (question, about) for question in task["questions"] for about in question["about"]
        )
    ]  # fmt: skip
    answer, text = ask("/api/said", {"said": said}, **own)
    assert all(receipt["saved"] for receipt in json.loads(text)["receipts"]), text
    line.close()


def test_a_copy_is_restored_and_an_upgrade_keeps_all_that_was_given(serving: Site) -> None:
    assert serving.start(COPY).wait(PATIENCE) == 0
    rate_one(serving)
    # What was exported since is no part of a copy: a copy without it shows that it lacks.
    serving._shell("/opt/medassay/bin/medassay campaign export my-study")
    drill = serving.typed("drill")
    assert re.search(r"rater-1 +12 +0 ", drill), drill
    time.sleep(1)  # a copy is named by its second
    # The hour's copy is taken while the service runs; the drill leaves the study as it was.
    assert serving.start(COPY).wait(PATIENCE) == 0
    copies = sorted((serving.folder / "copies").glob("room-*.db"))
    assert copies
    assert copies[-1].stat().st_mode & 0o077 == 0
    drill = serving.typed("drill")
    assert re.search(r"rater-1 +12 +1 ", drill), drill
    assert not (serving.folder / "drill").exists()
    time.sleep(1)  # a copy is named by its second
    # What is installed has the same version as the wheel, and other files.
    [installed] = (serving.home / "opt").glob("lib/python*/site-packages/medassay/web/pages.py")
    built = installed.read_bytes()
    installed.write_bytes(built + b"# older\n")
    serving.typed("upgrade")
    assert installed.read_bytes() == built
    assert len(list((serving.folder / "copies").glob("room-*.db"))) == len(copies) + 1
    status = serving._shell("/opt/medassay/bin/medassay campaign status my-study")
    assert re.search(r"rater-1 +12 +1 ", status), status


def test_the_browsers_on_the_page_are_those_that_the_door_names() -> None:
    named = shipped().texts["en"]("needs.which")
    for browser in re.findall(r"(?:Chrome or Edge|Firefox|Safari) \d+", named):
        assert browser in TEXT
