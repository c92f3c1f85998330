"""A tree softmax beside an index, fitted when it is asked for."""

from pages._ui.parts import tree_softmax
from pages._ui.work import jobs
from tests.pages.conftest import texts


def test_a_tree_softmax_is_fitted_and_compared_on_request(app, monkeypatch):
    for name, number in (("ITEMS", 200), ("FITTED", 100), ("ASKED", 50)):
        monkeypatch.setattr(tree_softmax, name, number)
    at = app("methods.py")
    next(b for b in at.button if b.label.startswith("Fit one")).click().run()
    assert jobs.wait(300)
    at.run()
    assert not at.exception
    table = at.dataframe[0].value.set_index("model and search")
    tree, index = table.loc["Tree softmax, every leaf"], table.iloc[-2]
    assert tree["precision@10"] < 1
    assert tree["inner products a query"] == 199
    assert index.name.startswith("Flat k-means")
    assert index["precision@10"] >= tree_softmax.ENOUGH
    assert "50 held-out contexts" in texts(at)
