"""Links of an earlier state of the app mean what they meant: to the words, and to a visitor."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest

from mips_core import INDEXES
from mips_core.base.params import plain_values
from mips_core.data.queries import QueryRecipe
from pages._ui.compare.runs_link import wanted_of_all
from pages._ui.state.links import Link, link_of, words_of
from pages._ui.state.session import DEFAULT_DATA, DEFAULT_INDEXES, DEFAULT_K, DEFAULT_METHODS

WRITTEN = Path(__file__).parents[1] / "written_before" / "links.json"
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
    """What a Link and a Session both hold."""
    names = ("data", "K", "position", "effort", "show", "metric", "query")
    return {
        **{name: getattr(link, name) for name in names},
        "recipe": listed(link.recipe),
        "indexes": [listed(index) for index in indexes],
        "methods": list(link.methods),
        **in_states(link.states),
    }


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
    indexes = tuple(INDEXES[key]() for key in DEFAULT_INDEXES)
    recipe = QueryRecipe()
    usual = Link(DEFAULT_DATA, recipe, DEFAULT_K, indexes, 0, 0, "best", DEFAULT_METHODS)
    read = link_of(words(link), usual)
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
