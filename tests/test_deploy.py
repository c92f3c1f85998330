"""What runs the app elsewhere: health means that visitors are let in; what is named is there."""

import importlib.util
import re
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import yaml

from tests.test_setup import ROOT, text

HEALTH = ROOT / "deploy/healthcheck.py"


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"deploy/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server():
    """Answers any request by `status` and `body`, and keeps what it was asked."""

    class Answer(BaseHTTPRequestHandler):
        status, body, asked = 200, b"<script>", None

        def do_GET(self):
            Answer.asked = self.headers
            self.send_response(self.status)
            self.end_headers()
            self.wfile.write(self.body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Answer, str(server.server_port)
        server.shutdown()
        thread.join()


def health(port, **environment):
    return subprocess.run(
        [sys.executable, "-I", "-S", HEALTH], capture_output=True, text=True, check=False,
        env={"STREAMLIT_SERVER_PORT": port, **environment}, timeout=30,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (200, b"<script>", ""),
        (403, b"<script>", "Nobody is let in: 403"),
        (503, b"<script>", "Nobody is let in: 503"),
        (200, b"another", "not the app"),
    ],
)
def test_it_is_healthy_where_a_visitor_is_let_in(server, status, body, reason):
    answer, port = server
    answer.status, answer.body = status, body
    ended = health(port, STREAMLIT_SERVER_ALLOWED_HOSTS="*.example.org mips.example.org")
    assert ended.returncode == bool(reason), ended.stderr
    assert reason in ended.stderr
    assert answer.asked["host"] == "mips.example.org"
    assert answer.asked["accept"] == "text/html"


def test_where_nobody_answers_it_is_not(server):
    answer, port = server
    assert health(port).returncode == 0
    assert answer.asked["host"] == "localhost"
    ended = health("1")
    assert ended.returncode == 1
    assert "Nobody answers" in ended.stderr


def test_all_that_is_written_goes_below_one_folder(tmp_path, monkeypatch):
    start = loaded("start")
    kernels, state, called = tmp_path / "image", tmp_path / "state", []
    (kernels / "here").mkdir(parents=True)
    (kernels / "image").write_text("1")
    (state / "data").mkdir(parents=True)
    for variable in (*start.PLACES, "MIPS_DATA_DIR"):
        monkeypatch.setenv(variable, "")
    monkeypatch.delenv("MIPS_DATA_DIR")
    monkeypatch.setenv("MIPS_STATE", str(state))
    monkeypatch.setattr(start, "KERNELS", kernels)
    monkeypatch.setattr(start.os, "execv", lambda *command: called.append(command))
    start.main()
    assert (state / "kernels/here").is_dir()
    assert start.os.environ["NUMBA_CACHE_DIR"] == str(state / "kernels")
    assert start.os.environ["MIPS_DATA_DIR"] == str(state / "data")
    assert called[0][0].endswith("mips-explorer")
    (state / "kernels/own").touch()
    start.main()
    assert (state / "kernels/own").is_file()
    (kernels / "image").write_text("2")  # a newer image: what the older compiled goes
    start.main()
    assert not (state / "kernels/own").exists()


def test_the_image_is_made_of_files_that_are_there_and_runs_without_rights():
    lines = text("deploy/Dockerfile.dockerignore").splitlines()
    for name in (line[1:] for line in lines if line.startswith("!")):
        assert list(ROOT.glob(name)), name
    recipe = text("deploy/Dockerfile")
    assert re.search(r"^USER 1000", recipe, re.MULTILINE)
    assert "HEALTHCHECK" in recipe
    assert recipe.count("VOLUME") == 1
    app, proxy = yaml.safe_load(text("deploy/compose.yaml"))["services"].values()
    assert app["read_only"]
    assert "ports" not in app
    assert proxy["ports"]
    assert "basic_auth" in text("deploy/Caddyfile")


def test_a_space_names_what_it_is():
    front = text("deploy/space/README.md").split("---")[1]
    assert yaml.safe_load(front)["sdk"] == "docker"
    assert yaml.safe_load(front)["app_port"] == 8501


@pytest.mark.parametrize("path", sorted(ROOT.glob(".github/workflows/*.yml")), ids=lambda p: p.name)
def test_workflows_ask_for_little_and_end(path):
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert told["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 45 for job in told["jobs"].values())
    for name in re.findall(r"\b(?:tests|deploy|benchmarks)/[\w/.]+", path.read_text()):
        assert (ROOT / name).exists(), name


def test_what_is_cited_is_this_version():
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    cited = yaml.safe_load(text("CITATION.cff"))
    assert cited["version"] == version
    assert "arXiv:1507.05910" in str(cited["references"])
