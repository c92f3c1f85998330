"""Every method has a picture, and a new build draws the stored one."""

import re

import pytest

from mips_core import INDEXES
from mips_core.figures.styles import METHODS, ROLES, tokens
from pages._ui.parts import method_picture
from pages._ui.parts.method_picture import colours, drawn, path_of, picture_of


@pytest.mark.parametrize("key", list(INDEXES))
def test_a_method_has_the_picture_that_is_drawn_of_it(key):
    advice = f"python -m pages._ui.parts.method_picture {key}"
    assert picture_of(key), f"{key} has no picture yet: {advice}"
    assert picture_of(key) == drawn(INDEXES[key]), f"its picture is of other code: {advice}"


def test_pictures_know_their_colours_in_both_themes():
    style = colours()
    for key in INDEXES:
        used = set(re.findall(r"var\(--([\w-]+)\)", picture_of(key)))
        assert used <= {*METHODS, *ROLES}
        assert {key, "hit", "query"} <= used
        for name in used:
            light, dark = (tokens(mode)[name] for mode in ("light", "dark"))
            assert f"--{name}: light-dark({light}, {dark})" in style


def test_no_stored_picture_belongs_to_a_method_that_is_gone():
    stored = {path.name for path in method_picture.FOLDER.glob("method_*.svg")}
    assert stored == {path_of(key).name for key in INDEXES}


def test_a_method_without_a_picture_is_shown_without(monkeypatch, tmp_path, app):
    monkeypatch.setattr(method_picture, "FOLDER", tmp_path)
    assert picture_of("flat-kmeans") == ""
    at = app("methods.py", settle=False)
    assert not at.exception
    assert len(at.subheader) >= len(INDEXES)
