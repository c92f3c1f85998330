"""Map, run headless: a picture of whatever data there is, and what is said where little is."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import Dataset, rng_for
from mips_core.data.classifier import layer_items, layer_queries
from pages._ui.map import downloads
from pages._ui.map.scene import scene_of
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.map_page import (
    a_map,
    do,
    fits,  # noqa: F401
    held,
    message,
    runs,
    settled,
    table,
)

CASES = {
    "one": [[1, 2]],
    "two": [[1, 2], [3, 4]],
    "three": [[1, 2], [3, 4], [0, 1]],
    "five": np.eye(5),
    "equal": np.ones((9, 3)),
    "zeros": [[0, 0], [0, 0], [1, 2], [2, 1], [0, 0], [5, 5]],
    "one column": np.arange(1, 12)[:, None],
    "one huge": np.vstack([np.eye(7), 1e6 * np.ones((1, 7))]),
}


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
@pytest.mark.parametrize("case", CASES)
def test_small_and_odd_data_has_a_picture(use, case, metric):
    X = np.asarray(CASES[case], np.float32)
    use(Dataset(X, name=case))
    at = a_map(metric=metric, map="follow=yes,colour=missed,outlines=hull", query="item 0", k="100")
    assert not at.error
    told = message(at)
    assert told["n"] == len(X)
    assert np.isfinite(held(told["layout"]["places"])).all()
    assert len(held(told["norms"])) == len(X)
    assert held(told["norms"]) == pytest.approx(np.linalg.norm(X.astype(float), axis=1))
    scene = scene_of(session_of(at))
    assert len(downloads._page(scene).getvalue()) > 1000
    for space in ("cosine", "given"):
        session_of(at).states["map"] = replace(session_of(at).states["map"], space=space)
        at = settled(at.run())
        assert np.isfinite(held(message(at)["layout"]["places"])).all()


def test_a_softmax_layer_is_mapped(use):
    rng = rng_for(0, "layer")
    items = layer_items(rng.normal(size=(300, 5)).astype(np.float32), rng.normal(size=300))
    queries = layer_queries(rng.normal(size=(20, 5)).astype(np.float32))
    use(Dataset(items, queries, name="layer", logits=True))
    at = do(a_map(map="follow=yes,colour=score", query="item 4"), selected=runs([1, 2]))
    assert message(at)["colouring"]["label"] == "Logit"
    logits = items[[1, 2]].astype(float) @ np.r_[items[4, :-1], 1]
    assert table(at)["logit"].to_numpy() == pytest.approx(logits, rel=1e-5)


def test_a_zero_query_and_hostile_labels(use):
    label = "<script>alert(1)</script> **x** {effort} $y$"
    X = np.vstack([np.zeros((1, 6)), small_dataset().items]).astype(np.float32)
    use(Dataset(X, labels=[label] * 401, name="hostile"))
    at = a_map(map="follow=yes,colour=label", query="item 0")
    assert "is zero" in " ".join(warning.value for warning in at.warning)
    assert message(at)["followed"] is None
    at = do(a_map(map="follow=yes", query="item 3"), focus=0, selected=runs([3]))
    assert message(at)["followed"]["name"] == label
    assert table(at)["label"].tolist() == [label]
    assert "<script>" not in texts(at) + " ".join(s.value for s in at.subheader)
