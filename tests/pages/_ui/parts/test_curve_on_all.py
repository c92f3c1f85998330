"""Trade-off, where the data are a sample of vectors in parts."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from mips_core import INDEXES
from mips_core.base import limits
from mips_core.base.progress import silent
from mips_core.scale.write_parts import write_parts
from pages._ui.work import jobs, parts_data
from tests.pages.conftest import session_of, small_dataset

PAGE = "tradeoff.py"


@pytest.fixture
def at(app, tmp_path, monkeypatch):
    """Trade-off of a sample of 150 of 400."""
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 4 * 6 * 150)
    manifest = write_parts([("X", small_dataset().items)], tmp_path / "words", rows=90)
    file = SimpleNamespace(name="manifest.json", private="", path=lambda: manifest.path)
    source = parts_data.opened_parts([file], silent).dataset
    session = session_of(app("guide.py", settle=False))
    session.use(source, source.fingerprint, replace(session.recipe, count=30))
    session.indexes = [INDEXES["flat-kmeans"](n_clusters=9), INDEXES["pca-tree"]()]
    session.show, session.methods = "built", ["flat-kmeans"]
    return app(PAGE)


def words(at):
    return " ".join(markdown.value for markdown in [*at.markdown, *at.caption])


def test_the_curve_on_all_is_measured_when_asked_and_told_apart(at):
    assert not at.exception
    assert "On all 400 vectors" in [header.value for header in at.subheader]
    assert "of the sample of 150" in words(at)
    assert "*Measure on all* builds **" in words(at)
    assert "python -m mips_core parts clean FOLDER" in words(at)
    assert "Thick line: on all" not in words(at)
    at.button(key="on all").click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    assert "Thick line: on all 400" in words(at)
    assert "**, built on all 400 by " in words(at)
    assert "*Measure on all*" not in words(at)
    assert "Thin line: on the sample of 150" in words(at)
    session_of(at).position = 1
    at.run()
    assert "cannot be built on vectors in parts" in words(at)
    assert "Thick line: on all" not in words(at)
    assert "on all" not in {button.key for button in at.button}
