"""Build, run headless on a small data set."""

from pages._ui.work import jobs
from tests.pages.conftest import session_of, texts


def test_building_keeps_indexes_side_by_side(app):
    at = app("build.py")
    assert "Flat k-means, 20 clusters" in texts(at)
    field = next(n for n in at.number_input if n.label == "Clusters")
    field.set_value(31).run()
    next(b for b in at.button if b.label == "Build").click().run()
    jobs.wait(300)
    at.run()
    assert not at.exception
    assert "Flat k-means, 31 clusters" in texts(at)
    assert [i.n_clusters for i in session_of(at).kept if i.key == "flat-kmeans"] == [20, 31]
    at.button(key="drop 0").click().run()
    assert [i.n_clusters for i in session_of(at).kept if i.key == "flat-kmeans"] == [31]


def test_a_setting_that_cannot_be_is_said_in_the_form(app):
    at = app("build.py")
    next(s for s in at.selectbox if s.label == "Method").set_value("hierarchical-kmeans").run()
    next(t for t in at.text_input if t.label == "Sizes").set_value("3x5x8").run()
    assert not at.exception
    assert any("names 3 levels" in error.value for error in at.error)
    assert next(b for b in at.button if b.label == "Build").disabled
    next(t for t in at.text_input if t.label == "Sizes").set_value("a few").run()
    assert any("is no list of sizes" in error.value for error in at.error)
