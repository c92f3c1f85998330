"""An index from a file, put in use."""

import json

import pytest

from mips_core.studies.tuning import as_dict
from pages._ui.tune.answer import answer_of
from pages._ui.work import results, upload_copy
from tests.pages.build_page import files_of, open_file, said, saved, visit
from tests.pages.conftest import MAIN
from tests.pages.data_page import read_on, session_of, texts


@pytest.mark.parametrize("with_items", [True, False])
def test_an_index_of_the_data_in_use_is_used_as_it_is(request, temporary, with_items):
    content = saved(with_items=with_items)
    at = visit(index="flat-kmeans:n_clusters=9", effort="2")
    kept, builds = session_of(at).kept, request.getfixturevalue("builds")
    open_file(at, content)
    session = session_of(at)
    assert (session.index.n_clusters, session.seed, session.effort) == (31, 5, 4)
    assert session.kept == [*kept, session.index]
    asked = session.measurement_of(session.index)
    assert asked.built.took == r"opened from mine\.mips"
    assert asked.evaluation is not None
    assert builds == []
    assert "mine.mips is open. Flat k-means, 31 clusters, 4 probes, seed 5." in said(at)
    assert "31 clusters · opened from mine.mips" in said(at)
    assert list(temporary.glob(f"{upload_copy.PREFIX}*")) == []
    visit(seed="5")  # to others the file means nothing
    assert len(builds) == 1


def test_a_seed_that_queries_cannot_have_is_refused():
    at = visit()
    files = files_of(at)
    object.__setattr__(files.stored, "seed", 2**31 + 1)
    results.forget_all()
    open_file(at, files.saved().getvalue())
    assert "seed is 2147483649, outside 0 to" in at.error[0].value.replace("\\", "")
    assert session_of(at).seed == 0


def test_how_long_an_opened_index_took_to_build_is_not_known():
    content = saved()
    at = visit(seed="5", index="flat-kmeans:n_clusters=9")
    open_file(at, content)
    at.switch_page(str(MAIN.parents[1] / "tune.py")).run()
    read_on(at)
    assert "built in an unknown time" in texts(at)
    answer = answer_of(session_of(at))
    text = json.dumps(as_dict(answer), allow_nan=False)
    assert '"seconds": null' in text
