"""The map to take away."""

import numpy as np
import pandas as pd
import pytest

from pages._ui.map import downloads
from pages._ui.map.scene import scene_of
from tests.pages.conftest import session_of
from tests.pages.map_page import a_map, do, runs, table


def test_a_selection_is_listed_and_taken_away():
    at = do(a_map(), selected=runs([3, 20, 31]), how="lasso")
    session = session_of(at)
    assert table(at)["row"].tolist() == [3, 20, 31]
    assert table(at)["label"].tolist() == ["word 3", "word 20", "word 31"]
    norms = np.linalg.norm(session.dataset.items[[3, 20, 31]].astype(float), axis=1)
    assert table(at)["norm"].to_numpy() == pytest.approx(norms)
    truth = session.measurement_of(session.index).evaluation.truth
    counts = np.bincount(truth.ids[:, :10].ravel(), minlength=400)[[3, 20, 31]]
    assert table(at)["times an answer"].tolist() == counts.tolist()
    assert "3 items selected" in [s.value for s in at.subheader]
    scene = scene_of(session)
    text = downloads._listed_csv(scene, scene.selected).getvalue().decode()
    assert text.splitlines()[1].startswith("word 3,3,")
    kept = pd.read_parquet(downloads._listed_parquet(scene, scene.selected))
    assert kept["row"].tolist() == [3, 20, 31]
    assert kept[["x", "y"]].to_numpy() == pytest.approx(scene.layout.xy[[3, 20, 31]])
    at = do(at)  # nothing is selected any more
    assert list(table(at).columns)[:3] == ["cluster", "number", "items"]
