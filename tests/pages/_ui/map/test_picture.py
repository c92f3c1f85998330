"""What the browser is told of groups and of a search that is followed."""

import pytest

from mips_core import INDEXES
from mips_core.groups.typed_queries.one_query import question_of_item, true_answers
from pages._ui.map.scene import scene_of
from tests.mips_core.evaluation.asked_alone import ask
from tests.pages.conftest import session_of
from tests.pages.map_page import a_map, held, message, settled, widget


def test_groups_are_those_of_the_index():
    at = a_map(at="1", index=["flat-kmeans", "hierarchical-kmeans"], map="colour=other")
    told = message(at)
    session = session_of(at)
    built = session.measurement_of(session.index).built
    groups = session.index.searcher(built.structure).groups()
    assert [held(level["of"]).tolist() for level in told["levels"]] == [
        of.tolist() for of in groups
    ]
    assert told["level"] == len(groups) - 1
    assert told["colouring"] == {"kind": "groups", "label": "Cluster", "values": None, "names": [],
                                 "low": 0.0, "high": 1.0, "below": False, "above": False,
                                 "log": False, "reach": 1.0}  # fmt: skip
    widget(at.selectbox, "Level").set_value(1).run()
    assert message(settled(at))["level"] == len(groups) - 2


@pytest.mark.parametrize("key", INDEXES)
def test_every_index_is_mapped_and_a_search_of_it_followed(key):
    at = a_map(index=[key], map="follow=yes,colour=missed,outlines=dense", query="item 7", k="5")
    told = message(at)
    assert told["levels"]
    followed = told["followed"]
    assert followed["item"] == 7
    session = session_of(at)
    scene = scene_of(session)
    question = question_of_item(session.dataset, 7, 5, exclude_self=session.recipe.exclude_self)
    true = true_answers(session.dataset.items, question)
    answers = ask(scene.searcher, session.dataset.items, question, true, scene.effort)
    at_chosen = followed["chosen"]
    assert followed["found"][at_chosen].astype(bool).tolist() == answers.found.tolist()
    assert sum(c[at_chosen] for c in followed["costs"].values()) == pytest.approx(answers.cost)
    assert len(followed["why"]) == len(true.ids)
    assert sum(step["spent"] for step in followed["steps"]) == pytest.approx(answers.cost)
