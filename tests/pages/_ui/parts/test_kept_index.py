"""The choice of the index under the slider."""

from pages._ui.work import jobs
from tests.pages.conftest import session_of


def test_choosing_another_index_and_view_lasts_and_is_in_the_address(app):
    at = app("tradeoff.py")
    at.selectbox(key="under slider flat-kmeans:n_clusters=20").select_index(1).run()
    at.segmented_control(key="show").set_value("built").run()
    jobs.wait(300)
    at.run()
    assert not at.exception
    assert session_of(at).index.key == "hierarchical-kmeans"
    at = app("home.py")
    assert (session_of(at).position, session_of(at).show) == (1, "built")
