"""Links of an earlier state of the app mean what they meant: to the words, and to a visitor."""

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest

from mips_core import INDEXES
from mips_core.base.params import plain_values
from mips_core.data.queries import QueryRecipe
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.reductions import PadToSphere
from pages._ui.compare.runs_link import wanted_of_all
from pages._ui.state.links import origin_of, take, words_of
from pages._ui.state.map_state import MapState
from pages._ui.state.page_states import (
    CompareState,
    RobustnessState,
    SearchState,
    TuneState,
)
from pages._ui.state.report_state import ReportState
from pages._ui.state.session import DEFAULT_DATA, DEFAULT_INDEXES, DEFAULT_METHODS, Session
from pages._ui.work.uploads import DataOrigin
from tests.pages.conftest import small_dataset

WRITTEN = Path(__file__).parents[3] / "written_before" / "links.json"
EXPECTED = json.loads(WRITTEN.read_text(encoding="utf-8"))
LINKS = EXPECTED["links"]
NAMES = [f"{at}-{link['page'] or 'home'}" for at, link in enumerate(LINKS)]


def listed(spec):
    """The values of a spec as JSON has them, key first where it is an index."""
    values = {name: [*v] if isinstance(v, tuple) else v for name, v in plain_values(spec).items()}
    return {"key": spec.key, **values} if hasattr(spec, "key") else values


def in_states(states):
    """What links hold of what pages ask, as `page.name`."""
    values = {}
    for page, state in states.items():
        texts = {name: getattr(state, name) for name in ("title", "note") if hasattr(state, name)}
        values |= {f"{page}.{name}": value for name, value in (listed(state) | texts).items()}
    return values


def common(link, indexes):
    """What a link holds of a session."""
    names = ("data", "K", "position", "effort", "show", "metric", "query")
    return {
        **{name: getattr(link, name) for name in names},
        "recipe": listed(link.recipe),
        "indexes": [listed(index) for index in indexes],
        "methods": list(link.methods),
        **in_states(link.states),
    }


def usual_session(data=DEFAULT_DATA):
    """What is asked of `data` before anything was chosen."""
    indexes = [INDEXES[key]() for key in DEFAULT_INDEXES]
    methods = list(DEFAULT_METHODS)
    source = small_dataset(queries=small_dataset(n=30).items)
    return Session(source, data, QueryRecipe(), indexes=indexes, methods=methods)


def wanted(text):
    """The runs that a link asks for."""
    return [
        {
            "index": listed(run.index),
            "seed": run.seed,
            "ks": list(run.ks),
            "source": run.source,
            "recipe": None if run.recipe is None else listed(run.recipe),
            "metric": run.metric,
            "name": run.name,
        }
        for run in wanted_of_all(text)
    ]


def words(link):
    return parse_qs(link["query"], keep_blank_values=True)


@pytest.mark.parametrize("link", LINKS, ids=NAMES)
def test_the_words_of_a_link_mean_what_they_meant(link):
    read = usual_session(words(link).get("data", [DEFAULT_DATA])[0])
    take(read, words(link))
    values = {**common(read, read.indexes), "runs": wanted(read.states["runs"].shown)}
    assert values == EXPECTED["usual"] | link["view"]
    assert urlencode(words_of(read), doseq=True) == link.get("written", link["query"])


@pytest.mark.parametrize("link", LINKS, ids=NAMES)
def test_a_visitor_who_opens_it_finds_what_was_there(app, link):
    at = app(settle=False, **words(link))
    assert not at.exception
    session = at.session_state["session"]
    expected = EXPECTED["usual"] | EXPECTED["usual_session"] | link["view"] | link["session"]
    del expected["runs"]
    assert {**common(session, session.kept), "missing": session.missing} == expected
    address = {name: at.query_params[name] for name in at.query_params}
    assert urlencode(address, doseq=True) == link.get("again", link["query"])


class TestLinks:
    def chosen(self, methods):
        session = usual_session("glove")
        session.recipe, session.K = QueryRecipe("noisy", 77, 0.25, True, 3), 17
        session.indexes = [
            FlatKMeans(n_clusters=9, reduction=PadToSphere()), HierarchicalKMeans(n_levels=3)
        ]  # fmt: skip
        session.position, session.effort, session.show = 1, 12, "built"
        session.methods, session.metric, session.query = methods, "cosine", "item 3"
        session.states |= {
            "robustness": RobustnessState(50, 0.1, "clean", "relative"), "compare": CompareState(),
            "tune": TuneState("budget", inner_products=700), "search": SearchState(False),
            "map": MapState("pca", follow=True, names=False, apart=0.25),
            "report": ReportState("slider", "Words, 50% off & more", "One\ntwo = <b>ü</b>, #3"),
        }  # fmt: skip
        return session

    @pytest.mark.parametrize("methods", [["flat-kmeans"], []])
    def test_a_view_survives_its_link(self, methods):
        session, again = self.chosen(methods), usual_session("glove")
        take(again, words_of(session))
        assert common(again, again.indexes) == common(session, session.indexes)
        assert again.efforts == session.efforts

    def test_a_link_that_says_nothing_changes_nothing(self):
        session, usual = usual_session(), usual_session()
        take(session, {})
        assert common(session, session.indexes) == common(usual, usual.indexes)

    @pytest.mark.parametrize(
        "words",
        [
            {"k": ["-3"]}, {"k": ["9" * 50]}, {"index": ["nothing"]}, {"effort": ["ten"]},
            {"index": ["flat-kmeans:n_clusters=1e9"]}, {"index": ["flat-kmeans:n_clusters"]},
            {"at": ["7"]}, {"queries": ["rows many"]}, {"queries": ["'; drop"]}, {"seed": ["٣"]},
            {"show": ["<b>"]}, {"method": ["<b>"]}, {"metric": ["hamming"]}, {"metric": []},
            {"robustness": ["sigma=9"]}, {"tune": ["known"]}, {"compare": ["a=b=c,"]},
            {"title": [], "note": [""]}, {"map": ["follow=perhaps"]}, {"map": ["layout=tsne"]},
        ],
    )  # fmt: skip
    def test_nonsense_in_a_link_leaves_the_defaults(self, words):
        session, usual = usual_session(), usual_session()
        take(session, words)
        assert common(session, session.indexes) | {"position": 0} == common(usual, usual.indexes)


ORIGIN = DataOrigin("films <b>", 9_724, 150, ("ratings.csv", "a, b=c.csv"), 2_483_723, True, "x|y")


def test_a_link_tells_of_data_that_did_not_ship():
    session = usual_session("ab" * 16)
    session.missing, session.lost = "ab" * 16, ORIGIN
    words = parse_qs(urlencode(words_of(session), doseq=True), keep_blank_values=True)
    assert origin_of(words) == ORIGIN
    session.lost = replace(ORIGIN, files=tuple(f"{i}.csv" for i in range(500)), name="n" * 900)
    told = origin_of(words_of(session))
    assert (told.files, len(told.name)) == ((), 60)
    assert origin_of(words_of(usual_session())) is None
    session.lost = replace(ORIGIN, folder=False, published="movielens-10m")
    assert origin_of(words_of(session)) == session.lost


NONSENSE = (
    "x",
    "1x1 1 elsewhere",
    "1x1 1 set:",
    "1x1 1 set:../a",
    "-1x2 3 upload",
    "٣x1 1 upload",
    "1x1 1 upload\n",
)


@pytest.mark.parametrize("told", [[], *([text] for text in NONSENSE)])
def test_nonsense_about_data_is_not_told(told):
    assert origin_of({"from": told}) is None
