"""Modules become one script: all that is imported is there, also in a circle, and nothing else."""

import re

import pytest

from pages._ui.elements import element_file, serve
from pages._ui.elements.element_file import IMPORT, _bundled
from tests.mips_core.figures.page_files import unpacked

CIRCLE = {
    "a.js": 'import { late, Late } from "./b.js"\nexport const here = (x) => late(x)\n'
    "export default function render() { return here(1) }\n",
    "b.js": 'import { here } from "./a.js"\nexport function late(x) { return x + 1 }\n'
    "export class Late { there() { return here(1) } }\n",
}


@pytest.fixture
def modules(monkeypatch, tmp_path):
    """A way to have other files than ours."""

    def take(**texts):
        book = {}
        for name, text in texts.items():
            book[name] = tmp_path / name
            book[name].write_text(text)
        monkeypatch.setattr(serve, "files", lambda: book)
        _bundled.cache_clear()
        element_file._text.cache_clear()

    yield take
    _bundled.cache_clear()
    element_file._text.cache_clear()


@pytest.mark.parametrize("module", ["chart.js", "learn.js"])
def test_each_module_stands_once_before_those_that_need_it(module):
    script = _bundled(module, ())
    names = re.findall(r'^modules\["([\w.]+)"\] = ', script, re.MULTILINE)
    assert len(names) == len(set(names))
    assert names[-1] == module
    ours = script[script.index("const modules") :]
    assert not re.search(r"^\s*(import|export)\b|import\.meta|\bimport\(", ours, re.MULTILINE)
    for name in names:
        for _, wanted in IMPORT.findall(element_file._text(name)):
            assert wanted in names
    every = "\n".join(map(element_file._text, names))
    assert len(re.findall(r"^import ", every, re.MULTILINE)) == len(IMPORT.findall(every))


def test_a_circle_calls_functions_when_they_are_there(modules):
    modules(**CIRCLE)
    script = _bundled("a.js", ())
    assert 'const here = (...all) => modules["a.js"].here(...all)' in script
    assert 'const { late, Late } = modules["b.js"]' in script
    assert "return { here, render, default: render }" in script
    modules(**CIRCLE | {"b.js": CIRCLE["b.js"].replace("{ here }", "{ other }")})
    with pytest.raises(ValueError, match=r"other of a\.js"):
        _bundled("a.js", ())


def test_text_around_the_element_is_text():
    page = element_file.element_file("<b>", "plain", "chart.js", b"12", above="<i>", below="&")
    outside, program, data = unpacked(page)
    assert "<h1>&lt;b&gt;</h1><p>&lt;i&gt;</p>" in outside
    assert data == b"12"
    assert "data: window.pageData" in program
    assert "--st-text-color:#18202B" in outside
    assert "None" not in outside
