"""Search, run headless: what is asked, what is shown of it, and what cannot be asked."""

import time

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from mips_core import INDEXES, Dataset, exact_top_k
from mips_core.data.classifier import layer_items, layer_queries
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.softmax import probabilities
from pages._ui.parts.question import choice
from pages._ui.search import softmax
from pages._ui.text.widgets import plain
from pages._ui.work import jobs, measurement
from tests.pages.conftest import MAIN, small_dataset
from tests.pages.test_pages import session_of, texts
from tests.pages.test_wire import unpack


def opened(**address):
    """The Search page of a new visitor, with no more measured than it asks for."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": ["none"], **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / "search.py"))
    return at.run()


def search(**address):
    """The same once everything is there."""
    at = opened(**address)
    for _ in range(2):  # what is known of the index, then what is known of the query
        assert jobs.wait(60)
        at.run()
    return at


def words(at):
    """All text of the page, warnings too."""
    return " ".join([texts(at), *(warning.value for warning in at.warning)])


def told(at):
    """What the element with the answers was given; None where there is none."""
    assert not at.exception
    protos = [e.proto for e in at.get("bidi_component")]
    found = [unpack(p.bytes) for p in protos if p.component_name == "mips_answers"]
    return found[0] if found else None


def tables(at):
    """The true answers, and what was returned, as the browser writes them."""
    said = told(at)
    now, shares = said["at"], said["returnedShares"]
    returned = [item for item in said["returned"][now] if item >= 0]
    ranks = {item: f"✓ {rank}" for rank, item in enumerate(said["true"], 1)}
    others = ["= equal score" if right else "✕ not true" for right in said["right"][now]]
    true = items(said, said["true"], said["trueShares"])
    found = items(said, returned, None if shares is None else shares[now])
    true["answer"] = ["✓ found" if hit else "✕ missed" for hit in said["found"][now]]
    true["found from"] = said["since"]
    pairs = zip(returned, others, strict=False)  # fewer may be returned than were asked for
    found["true rank"] = [ranks.get(item, other) for item, other in pairs]
    return true, found


def items(said, places, shares):
    known = said["items"]
    columns = {"row": known["rows"][places], said["measure"]: known["values"][places]}
    if known["labels"]:
        columns["label"] = [known["labels"][place] for place in places]
    if shares is not None:
        columns["probability"] = shares[: len(places)]
    return pd.DataFrame(columns)


def slider(at):
    """Where the slider of efforts stands, and its last effort."""
    said = told(at)
    return said["efforts"][said["at"]], said["efforts"][-1]


def move(at, effort):
    """Move it, as the browser would."""
    serial = time.monotonic()
    at.session_state["search answers"] = {"choice": {"value": effort, "serial": serial}}
    return at.run()


def widget(elements, label):
    return next(e for e in elements if e.label.startswith(label))


def test_a_first_query_is_asked_at_once():
    at = search()
    true, returned = tables(at)
    dataset = with_queries(small_dataset(), QueryRecipe())
    expected = exact_top_k(dataset.items, dataset.queries[:1], 10)[0]
    assert true["row"].tolist() == expected.tolist()
    assert true["label"].tolist() == [f"word {row}" for row in expected]
    scores = dataset.items[expected] @ dataset.queries[0]
    assert true["Inner product"].to_numpy() == pytest.approx(scores, rel=1e-5)
    hits = (true["answer"] == "✓ found").sum()
    assert told(at)["found"][told(at)["at"]].sum() == hits
    assert told(at)["words"]["saves"].startswith(
        "**{name}.** Opening **{effort} of {live} clusters**"
    )
    assert set(true["row"][true["answer"] == "✓ found"]) == set(true["row"]) & set(returned["row"])
    ranks = returned["true rank"][returned["row"].isin(true["row"])]
    assert [f"✓ {true.index[true['row'] == row][0] + 1}" for row in returned["row"][ranks.index]] \
        == ranks.tolist()  # fmt: skip


def test_effort_is_shared_and_changes_what_is_found():
    at = search(effort="2")
    true, _ = tables(at)
    assert slider(at) == (2, 20)
    late = [since.split()[0] for since in true["found from"]]
    assert [mark == "✓ found" for mark in true["answer"]] == [int(since) <= 2 for since in late]
    assert session_of(move(at, 20)).effort == 20
    assert at.query_params["effort"] == "20"
    true, _ = tables(at)
    assert set(true["answer"]) == {"✓ found"}
    assert told(at)["speedup"][told(at)["at"]] < told(at)["savesFrom"]


def test_a_move_to_what_is_no_effort_is_none():
    at = search(effort="2")
    for effort in (21, 0, "3", None, [3]):
        assert slider(move(at, effort)) == (2, 20)
    assert slider(move(at, 3)) == (3, 20)


def test_another_page_moves_the_slider_after_it_was_moved_here():
    at = move(search(effort="2"), 20)
    session_of(at).effort = 7
    assert slider(at.run()) == (7, 20)


def test_another_seed_may_leave_fewer_efforts():
    at = search(index=["flat-kmeans:n_clusters=300"], effort="300")
    before, _ = slider(at)
    for seed in range(1, 4):
        at.number_input(key="context seed 0").set_value(seed).run()  # its key stays
        assert jobs.wait(60)
        true, _ = tables(at.run())
        effort, most = slider(at)
        assert effort == most
        assert set(true["answer"]) == {"✓ found"}
    assert before != 300  # empty clusters were dropped


@pytest.mark.parametrize("key", INDEXES)
def test_every_index_can_be_asked(key):
    at = search(index=[key])
    true, returned = tables(at)
    assert len(true) == 10
    assert session_of(at).index.label.split()[0] in at.selectbox[0].options[0]
    hits = (true["answer"] == "✓ found").sum()
    assert sum(rank.startswith("✓") for rank in returned["true rank"]) == hits
    said = told(at)
    assert sum(part["cost"] for part in said["parts"]) == pytest.approx(said["cost"])
    steps = said["walk"]["steps"]
    assert steps[-1]["soFar"] == f"{said['cost'][said['at']]:,.0f}"
    assert len(said["why"]) == 10
    assert (said["ranks"] is None) != session_of(at).index.opens_groups


def test_a_query_is_chosen_by_number_and_the_link_has_it():
    at = search()
    widget(at.number_input, "Query, 0 to 399").set_value(7).run()
    first = tables(at)[0]["row"].tolist()
    assert at.query_params["query"] == "query 7"
    again = search(query="query 7")
    assert tables(again)[0]["row"].tolist() == first
    assert told(again)["name"].startswith("Query 7 ")


def test_an_item_is_found_by_its_label():
    at = search(query="item 0")
    widget(at.text_input, "Find by label").set_value("WORD 12").run()
    matches = widget(at.selectbox, "Matches")
    assert session_of(at).query == "item 12"
    assert matches.options[:2] == ["word 12 · 12", "word 120 · 120"]
    assert matches.label == "Matches, 11"
    matches.set_value(121).run()
    assert session_of(at).query == "item 121"
    assert told(at)["name"] == "Row 121 “word 121”"
    widget(at.number_input, "Row").set_value(5).run()
    assert session_of(at).query == "item 5"
    assert widget(at.selectbox, "Matches").value is None
    widget(at.text_input, "Find by label").set_value("word").run()
    assert widget(at.selectbox, "Matches").label == "Matches, first 50 of 400"


def test_an_unknown_label_is_said_and_the_query_stays():
    at = search(query="item 3")
    widget(at.text_input, "Find by label").set_value("<b>*none*</b>").run()
    tables(at)
    assert f"No label holds “{plain('<b>*none*</b>')}”" in texts(at)
    assert session_of(at).query == "item 3"


def test_changing_to_items_starts_at_the_first():
    at = search(query="query 9")
    widget(at.segmented_control, "Ask with").set_value("item").run()
    tables(at)
    assert session_of(at).query == "item 0"
    assert widget(at.number_input, "Row, 0 to 399").value == 0


@pytest.mark.parametrize("query", ["query 400", "item 4000", "item -1", "<script>", "item ٣"])
def test_a_link_to_what_is_not_there_says_so(query):
    at = search(query=query)
    tables(at)
    assert "is not there" in texts(at)
    assert "400 queries in use and 400 items" in texts(at)
    assert told(at)["name"].startswith("Query 0 ")


def test_users_are_found_by_their_label(use):
    rated = small_dataset(queries=small_dataset(n=30).items)
    use(Dataset(rated.items, rated.queries, name="rated",
                query_labels=[f"user {100 + i}" for i in range(30)]))  # fmt: skip
    at = search()
    widget(at.text_input, "Find by label").set_value("user 117").run()
    tables(at)
    position = int(session_of(at).query.split()[1])
    assert session_of(at).dataset.query_labels[position] == "user 117"
    assert (session_of(at).dataset.queries[position] == rated.queries[17]).all()
    assert "label" not in tables(at)[0]  # the items have none
    widget(at.segmented_control, "Ask with").set_value("item").run()
    assert not [box for box in at.text_input if box.label == "Find by label"]


def test_own_rows_are_left_out_where_the_recipe_says_so():
    at = search(queries="rows 400 0.1 yes", query="item 5", k="100")
    assert 5 not in tables(at)[0]["row"].tolist()
    at = search(queries="rows 400 0.1 no", query="item 5", k="100")
    assert 5 in tables(at)[0]["row"].tolist()


def test_equal_scores_are_marked_and_counted(use):
    """Of four items that tie, the longest are scored first, and the lowest rows are true."""
    X = np.array([[1, 0], [1, 0], [1, 9], [1, 8], [0, 1]], np.float32)
    use(Dataset(X, np.array([[1, 0]], np.float32), name="ties"))
    true, returned = tables(at := search(index=["largest-norm"], effort="2", k="2"))
    assert true["row"].tolist() == [0, 1]
    assert true["answer"].tolist() == ["✕ missed"] * 2
    assert returned["row"].tolist() == [2, 3]
    assert returned["true rank"].tolist() == ["= equal score"] * 2
    said = told(at)
    assert (said["ties"][said["at"]], said["loss"][said["at"]]) == (1, 0)


@pytest.mark.parametrize(
    ("metric", "column"), [("cosine", "Cosine"), ("euclidean", "Euclidean distance")]
)
def test_scores_are_those_of_the_metric(metric, column):
    at = search(metric=metric, query="item 5")
    true, _ = tables(at)
    X = small_dataset().items.astype(float)
    if metric == "cosine":
        unit = X / np.linalg.norm(X, axis=1, keepdims=True)
        expected = np.sort(unit @ unit[5])[::-1][:10]
    else:
        expected = np.sort(np.linalg.norm(X - X[5], axis=1))[:10]
    assert true[column].to_numpy() == pytest.approx(expected, abs=1e-4)
    assert true["row"][0] == 5


@pytest.fixture
def layer(use):
    rng = np.random.default_rng(0)
    items = layer_items(rng.normal(size=(1500, 5)).astype(np.float32), rng.normal(size=1500))
    queries = layer_queries(rng.normal(size=(20, 5)).astype(np.float32))
    return use(Dataset(items, queries, name="layer", logits=True))


def test_a_layer_shows_probabilities_of_the_whole_denominator(layer):
    at = search()
    true, returned = tables(at)
    query = session_of(at).dataset.queries[0]
    logits = layer.items.astype(float) @ query
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    assert true["probability"].to_numpy() == pytest.approx(shares[true["row"]], rel=1e-6)
    assert returned["probability"].to_numpy() == pytest.approx(shares[returned["row"]], rel=1e-6)
    assert true["Logit"].is_monotonic_decreasing
    note = told(at)["notes"][told(at)["at"]]
    assert "Softmax does not change the ranking" in note
    assert "the sum over all 1,500 classes" in note


def test_a_layer_shows_probabilities_of_an_estimated_denominator(layer):
    at = search()
    exact = tables(at)[0]["probability"].tolist()
    at.segmented_control(key="search denominator").set_value("sample").run()
    true, returned = tables(at)
    query = session_of(at).dataset.queries[0]
    ids = returned["row"].to_numpy()
    found = probabilities(layer.items, query, ids, sample=softmax.SAMPLE, seed=0)
    assert returned["probability"].tolist() == found.values.tolist()
    assert true["probability"].tolist() == exact
    note = told(at)["notes"][told(at)["at"]]
    assert f"{len(ids)} classes returned and 1,000 of the {1500 - len(ids):,} others" in note
    assert f"standard error is {found.standard_error:.2%}" in note


def test_a_zero_query_is_said_to_rank_nothing(use):
    Q = np.array([[0, 0], [1, 2]], np.float32)
    use(Dataset(np.array([[1, 2], [0, 0], [3, 1]], np.float32), Q, name="zeros"))
    at = search(query="query 0")
    zero = int(np.flatnonzero(~session_of(at).dataset.queries.any(axis=1))[0])
    at = search(query=f"query {zero}")
    assert f"Query {zero} is zero" in words(at)
    assert told(at) is None
    at = search(query="item 1")
    assert "Row 1 is zero" in words(at)
    at = search(query=f"query {1 - zero}")
    assert len(tables(at)[0]) == 3


@pytest.mark.parametrize("key", INDEXES)
def test_a_single_item_can_be_searched(use, key):
    use(Dataset(np.array([[1, 2]], np.float32), name="one"))
    at = search(index=[key])
    assert len(tables(at)[0]) == 1


def test_a_single_item_has_no_answer_where_its_row_is_left_out(use):
    use(
        Dataset(
            np.array([[1, 2]], np.float32),
            name="one",
            queries=np.array([[1, 2]]),
            query_rows=np.array([0]),
        )
    )
    at = search(queries="own 1 0 no")
    assert not at.exception
    assert "There is no other item" in words(at)


def test_hostile_labels_stay_text(use):
    label = "<script>alert(1)</script> **x** [a](javascript:b) $y$"
    use(Dataset(small_dataset().items, labels=[label] * 400, name="hostile"))
    at = search(query="item 0")
    assert tables(at)[0]["label"].tolist() == [label] * 10
    assert told(at)["name"] == f"Row 0 “{label}”"
    assert label not in texts(at)


def test_a_build_under_way_is_shown_and_can_be_cancelled(monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.3, "round 3 of at most 12")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at = opened()
        deadline = time.monotonic() + 10
        while "cancel build" not in [b.key for b in at.button] and time.monotonic() < deadline:
            at.run()
        for job in jobs.of(session_of(at).owner):
            if job is not session_of(at).measurement_of(session_of(at).index).job:
                jobs.cancel(job)
        at.button(key="cancel build").click().run()
        assert jobs.wait(5)
        at.run()
        assert "cancelled" in texts(at)
        assert told(at) is None
    at.button(key="rebuild").click().run()
    assert jobs.wait(60)
    at.run()
    assert len(tables(at)[0]) == 10


def test_more_labels_than_can_be_listed_are_searched(use):
    labels = [f"label {i:06}" for i in range(100_000)]
    X = np.random.default_rng(0).normal(size=(100_000, 2)).astype(np.float32)
    use(Dataset(X, labels=labels, name="many"))
    at = search(query="item 0", index=["largest-norm"], queries="rows 5 0.1 no")
    widget(at.text_input, "Find by label").set_value("099").run()
    found = widget(at.selectbox, "Matches")
    assert len(found.options) == choice.LISTED
    assert session_of(at).query == f"item {next(i for i, w in enumerate(labels) if '099' in w)}"
