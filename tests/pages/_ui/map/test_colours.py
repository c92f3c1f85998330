"""What the colours of the points say."""

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.groups.projection import crowding
from pages._ui.map.colours import MOST_COLOURED, MOST_KINDS
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.map_page import a_map, held, message, widget


def test_colours_say_what_was_chosen():
    at = a_map(map="colour=norm")
    session = session_of(at)
    norms = np.linalg.norm(session.dataset.items.astype(float), axis=1)
    assert held(message(at)["colouring"]["values"]) == pytest.approx(norms)
    at = a_map(map="colour=answers")
    truth = session.measurement_of(session.index).evaluation.truth
    answers = np.bincount(truth.ids[:, :10].ravel(), minlength=400)
    told = message(at)["colouring"]
    assert held(told["values"]).tolist() == answers.tolist()
    assert (told["low"], told["high"]) == (1.0, answers.max())  # a log scale cannot begin at 0
    assert (told["below"], told["above"], told["log"]) == (True, False, True)
    assert "of 400 queries" in texts(at)
    at = a_map(map="colour=missed", effort="2")
    values = held(message(at)["colouring"]["values"])
    assert np.isnan(values).tolist() == (answers == 0).tolist()
    missed = session.measurement_of(session.index).evaluation.ranks[:, :10] > 1
    assert np.nansum(values) == missed.sum()
    assert "2 probes" in texts(at)
    at = a_map(map="colour=score,follow=yes", query="item 5")
    scores = session.dataset.items.astype(float) @ session.dataset.items[5]
    assert held(message(at)["colouring"]["values"]) == pytest.approx(scores, rel=1e-4)
    at = a_map(map="colour=score")  # without a query there are no scores
    assert message(at)["colouring"]["kind"] == "groups"


@pytest.mark.parametrize(
    ("clusters", "colour", "kind", "offers"),
    [
        (MOST_COLOURED, "group", "groups", ["Cluster", "Density"]),
        (MOST_COLOURED, "other", "values", ["Cluster", "Density"]),
        (MOST_COLOURED + 1, "group", "values", ["Density", "Cluster"]),
        (MOST_COLOURED + 1, "other", "groups", ["Density", "Cluster"]),
    ],
)
def test_clusters_beyond_what_colours_tell_apart_give_way_to_density(
    clusters, colour, kind, offers
):
    at = a_map(index=f"flat-kmeans:n_clusters={clusters}", map=f"layout=pca,colour={colour}")
    told = message(at)
    assert told["colouring"]["kind"] == kind
    assert widget(at.selectbox, "Colour by").options[: len(offers)] == offers
    if kind == "values":
        places = held(told["layout"]["places"]).reshape(-1, 2)
        assert held(told["colouring"]["values"]).tolist() == crowding(places).tolist()


def test_labels_colour_where_they_repeat(use):
    data = small_dataset()
    labels = [f"kind {i % 40 if i % 3 else 0}" for i in range(400)]
    use(Dataset(data.items, labels=labels, name="kinds"))
    at = a_map(map="colour=label")
    assert "Label" in widget(at.selectbox, "Colour by").options
    told = message(at)["colouring"]
    assert told["kind"] == "kinds"
    assert len(told["names"]) == MOST_KINDS + 1
    assert told["names"][0] == "kind 0"
    values = held(told["values"])
    named = [told["names"][value] for value in values]
    assert all(name in (label, "other") for name, label in zip(named, labels, strict=True))
    assert "other" in named
