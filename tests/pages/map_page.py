"""The Map page as tests drive it: opened, settled, told what a browser does."""

import time
from itertools import count

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mips_core.groups.projection import Layout, pca_layout
from mips_core.groups.projection.run import framed
from pages._ui.elements import blobs
from pages._ui.map import page, places
from pages._ui.parts import map_space
from pages._ui.work import jobs
from tests.pages.conftest import MAIN
from tests.pages.wire_reader import unpack

SERIAL = count(1)


def opened(**address):
    """The Map page of a new visitor, with no more measured than it asks for."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": ["none"], **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / "map.py"))
    return at.run()


def settled(at):
    """The page once everything is there."""
    assert jobs.wait(300)
    at.run()
    assert jobs.wait(300)  # what hangs on what came first
    assert not at.exception
    return at.run()


def a_map(**address):
    return settled(opened(**address))


def message(at):
    """What the map is told; None where there is none."""
    found = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "mips_map"]
    return unpack(found[0].bytes) if found else None


def held(blob):
    """What a block holds."""
    data = blobs._KEPT[blob["address"].rpartition("/")[2]]
    return np.frombuffer(data, "<" + np.dtype(blob["type"]).str[1:])


def do(at, **done):
    """What the browser says was done on the map."""
    told = message(at)
    level = told["levels"][told["level"]]["of"]["address"] if told["levels"] else None
    search = told["followed"] and told["followed"]["opened"]["address"]
    about = {"topic": told["topic"], "level": level, "search": search, "serial": next(SERIAL)}
    at.session_state[page.ELEMENT] = {"choice": {**about, **done}}
    return at.run()


def runs(items):
    """Items as the browser writes them: one bit for each."""
    import base64

    bits = np.zeros(max(items) + 1, np.uint8)
    bits[items] = 1
    return base64.b64encode(b"\1" + np.packbits(bits, bitorder="little").tobytes()).decode()


def widget(elements, label):
    return next(e for e in elements if e.label.startswith(label))


def progress(at):
    """What the lines of progress say."""
    return " ".join(e.proto.text for e in at.get("progress"))


def until(at, said):
    """The page once its progress says this."""
    deadline = time.monotonic() + 20
    while said not in progress(at):
        assert time.monotonic() < deadline, progress(at)
        at.run()
    return at


def table(at):
    return at.dataframe[0].value


@pytest.fixture(autouse=True)
def fits(monkeypatch):
    """A layout that comes at once in the place of UMAP's; what it was asked for."""
    asked = []

    def project(dataset, recipe, reduction, progress):
        asked.append((recipe, reduction))
        rows = map_space.Space(recipe, reduction).rows(dataset)
        xy = framed(pca_layout(rows))
        progress(0.5, "UMAP, epoch 120 of 200", Layout(xy, "umap", False, epoch=120, epochs=200))
        return Layout(-xy, "umap", note="all settled", epoch=200, epochs=200)

    monkeypatch.setattr(places, "project", project)
    return asked
