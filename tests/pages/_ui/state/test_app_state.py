"""A visitor's session and the address it is opened from."""

from types import SimpleNamespace

from streamlit.runtime.state import SessionState

from mips_core.data.queries import QueryRecipe
from pages._ui.state import app_state
from pages._ui.work import uploads
from tests.pages.conftest import session_of, small_dataset, texts


def test_an_address_reopens_its_view(app):
    at = app(
        "tradeoff.py", k="5", seed="4", effort="3", show="built", queries="noisy 60 0.2 yes",
        index=["flat-kmeans:n_clusters=9", "hierarchical-kmeans:n_levels=1"], at="1",
    )  # fmt: skip
    session = session_of(at)
    assert (session.K, session.seed, session.effort, session.show) == (5, 4, 3, "built")
    assert session.recipe == QueryRecipe("noisy", 60, 0.2, True, 4)
    assert [i.key for i in session.kept] == ["flat-kmeans", "hierarchical-kmeans"]
    assert session.position == 1


def test_an_address_of_uploaded_data_finds_it_or_names_it(app):
    held = small_dataset(n=50)
    uploads.hold(held)
    assert session_of(app(data=held.fingerprint)).source is held


def test_an_address_of_data_that_is_gone_keeps_the_rest(app):
    at = app("tradeoff.py", data="ab" * 16, k="3")
    session = session_of(at)
    assert session.missing == "ab" * 16
    assert "is no longer in memory" in texts(at)
    assert session.K == 3
    assert not at.exception


def test_what_who_left_waited_for_ends_with_their_session(monkeypatch):
    left = []
    monkeypatch.setattr(app_state.jobs, "leave", lambda owner, begun: left.append((owner, begun)))
    monkeypatch.setattr(app_state.earlier, "is_open", lambda: True)
    state = SessionState()  # Streamlit's own, as a session that ends has it
    app_state.leave(SimpleNamespace(session_state=state))  # it had drawn nothing yet
    state["session"] = SimpleNamespace(owner="me")
    app_state.leave(SimpleNamespace(session_state=state))
    assert left == [("me", True)]
