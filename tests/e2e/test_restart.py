"""A page that stays open while its server is killed and started again."""

import re
from contextlib import contextmanager

import numpy as np
import pytest

from mips_core.data import folder
from pages._ui.work import earlier
from tests.e2e.harness import FEW, ROOT, AppPage, Server

APP = ROOT / "app.py"
OWN_SERVER = True  # one for each test, which is killed
pytestmark = pytest.mark.browser
FOUND = re.compile(r"this index finds ([\d.]+)%")
KEY = re.compile(r"&key=[^&]+")  # of an upload: it, or its proof, ends with the server


@pytest.fixture
def films(tmp_path):
    """A file of 2,000 vectors in the data folder."""
    path = tmp_path / "folder" / "films.npy"
    path.parent.mkdir()
    np.save(path, np.random.default_rng(0).normal(size=(2_000, 12)).astype(np.float32))
    return path


@contextmanager
def opened(browser, tmp_path):
    """A page of its own on a server of its own."""
    with Server(APP, tmp_path / "log.txt") as server:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        yield AppPage(context.new_page(), server.url), server
        context.close()


def use_upload(app, path):
    app.goto("data?index=flat-kmeans&" + FEW)
    app.page.get_by_text("Upload", exact=True).first.click()
    app.page.locator("input[type=file]").set_input_files(str(path))
    return use(app)


def use(app):
    """Press the button once it can be; returns the address when it tells of the data."""
    button = app.page.get_by_role("button", name="Use this data")
    app.press(button.and_(app.page.locator(":enabled")), app.page.get_by_text("✓ films.npy is"))
    app.idle()
    return app.until(lambda: app.page.url, lambda url: "from=" in url)


def searched(app, name):
    app.page.locator(".st-key-context").get_by_text(name).first.wait_for(timeout=60_000)


def share_found(app):
    """What the sentence over the curve says, once it is measured."""
    texts = lambda: app.page.locator("body").inner_text()  # noqa: E731
    return app.until(lambda: FOUND.findall(texts()), seconds=120)


def address_of(app):
    """Of the page, without the key of an upload."""
    return KEY.sub("", app.page.url)


def test_data_index_and_curve_are_there_again_at_the_same_address(browser, tmp_path, films):
    with opened(browser, tmp_path) as (app, server):
        use_upload(app, films)
        app.press(app.page.get_by_text("See the trade-off"), app.page.get_by_text("Precision@10"))
        before = share_found(app)
        [place] = (tmp_path / "cache" / "earlier").glob("?" * 32)

        def files():
            return {path.name: path.stat().st_ino for path in place.iterdir()}

        app.idle(quiet=1_000)
        whole = {"data", "about.json"}
        kept = app.until(files, lambda names: whole < names.keys() and len(names) > 5)
        address = address_of(app)
        app.restart(server)
        searched(app, "films")
        assert share_found(app) == before
        assert address_of(app) == address
        assert app.page.get_by_text("no longer in memory").count() == 0
        measured = kept.keys() - {"about.json"}
        assert len(measured) > 3
        assert {name: files().get(name) for name in measured} == {n: kept[n] for n in measured}
        app.assert_clean()


def test_what_is_gone_is_named_and_a_file_of_the_data_folder_is_opened_again(
    browser, tmp_path, films, monkeypatch
):
    monkeypatch.setenv(earlier.VARIABLE, "0")
    monkeypatch.setenv(folder.VARIABLE, str(films.parent))
    with opened(browser, tmp_path) as (app, server):
        use_upload(app, films)
        address = address_of(app)
        app.restart(server)
        gone = app.page.get_by_text("films.npy 2,000 × 12 (93.9 kB) is no longer in memory")
        gone.wait_for()
        assert address_of(app) == address
        methods = app.page.get_by_role("link", name="Methods", exact=True)
        app.press(methods, app.page.get_by_role("heading", name="Methods", exact=True))
        gone.wait_for()
        app.until(lambda: address_of(app).partition("?")[2], address.partition("?")[2])
        app.press(
            app.page.get_by_role("button", name="Open the files again"),
            app.page.get_by_text("Folder", exact=True),
        )
        app.page.get_by_text("Folder", exact=True).first.click()
        app.page.get_by_role("combobox").last.fill("films")
        app.page.get_by_role("option").first.click()
        app.page.keyboard.press("Escape")
        app.page.get_by_role("button", name="Read this file").click()
        use(app)
        assert gone.count() == 0
        app.restart(server)
        searched(app, "films")
        assert gone.count() == 0
        assert app.page.url.partition("data=")[2][:32] == address.partition("data=")[2][:32]
        app.assert_clean()
