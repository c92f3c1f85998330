"""One index on two data sets: both are measured, drawn together, and their sizes told."""

from mips_core import INDEXES
from mips_core.data.queries import QueryRecipe
from pages._ui.compare import runs_comparison, two_sets
from pages._ui.work import jobs
from tests.pages.conftest import session_of, small_dataset, texts

LINK = {"compare": "view=sets", "index": "flat-kmeans:n_clusters=7", "method": "flat-kmeans"}


def page(app, settled=True):
    """The tab, with another data set left open."""
    at = app("compare.py", settle=False, **LINK)
    session = session_of(at)
    other = small_dataset(n=90, name="other")
    shipped, data = session.source, session.data
    session.use(other, other.fingerprint, QueryRecipe(count=40))
    session.use(shipped, data, QueryRecipe(count=50))
    at.run()
    if settled:
        assert jobs.wait(60)
        at.run()
    assert not at.exception
    return at


def test_with_one_set_open_it_says_how_to_open_another(app):
    at = app("compare.py", settle=False, **LINK)
    assert "Only one data set is open" in texts(at)
    assert not at.exception


def test_both_curves_stand_in_one_picture_with_their_sizes(app, monkeypatch):
    drawn = []
    monkeypatch.setattr(runs_comparison, "chart", lambda figure, **_: drawn.append(figure))
    at = page(app)
    lines = drawn[-1]["data"]
    names = [line.get("name") or "" for line in lines]
    named = [name.split("  ")[1] for name in names if "  " in name]
    assert named == ["small", "other"]
    bands = [line for line in lines if line.get("fill")]
    assert len(bands) == 2
    said = texts(at).replace("\\", "")
    assert "They were measured on different data. So they stand side by side" in said
    table = at.dataframe[0].value
    told = "small: 400 items, 50 queries, 7 clusters; other: 90 items, 40 queries, 7 clusters."
    assert f"Flat k-means on both. {told}" in said
    assert list(table["queries"]) == [50, 40]


def test_rules_give_each_set_its_own_numbers(app):
    at = page(app, settled=False)
    session = session_of(at)
    rule = INDEXES["flat-kmeans"]()
    session.indexes, session.position = [rule], 0
    both = two_sets._both(session, session.open.sets[0])
    assert [m.index for m in both] == [rule.explicit(400), rule.explicit(90)]
    assert both[0].index != both[1].index
    assert {m.seed for m in both} == {session.seed}
