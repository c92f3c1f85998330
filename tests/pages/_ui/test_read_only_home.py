"""Where neither the home nor the cache folder can be written, the app comes up all the same."""

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.e2e.harness import ROOT, Server


def first_page(server):
    """What a browser is sent of the first page."""
    message = BackMsg()
    message.rerun_script.query_string = "method=flat-kmeans"
    with connect(f"ws://127.0.0.1:{server.port}/_stcore/stream", max_size=None) as page:
        page.send(message.SerializeToString())
        while (sent := ForwardMsg.FromString(page.recv(timeout=60))).WhichOneof("type"):
            yield sent
            if sent.WhichOneof("type") == "script_finished":
                return


def test_the_first_page_comes_without_an_error(monkeypatch, tmp_path):
    (tmp_path / "cache").write_text("a file in the place of a folder, even for root")
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, "/proc/none")  # nor can root make it
    with Server(ROOT / "app.py", tmp_path / "log.txt") as server:
        sent = list(first_page(server))
        elements = [one.delta.new_element for one in sent if one.WhichOneof("type") == "delta"]
        assert len(elements) > 5
        assert [one.exception.message for one in elements if one.HasField("exception")] == []
    assert "Traceback" not in server.log()
