"""The Data page in a browser: upload, look, use; refusals; other content under the same name."""

import json
import re
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from tests.e2e.harness import ROOT

APP = ROOT / "app.py"
pytestmark = pytest.mark.browser
HOSTILE = ["<b>bold</b>", "$x^2$", "a|b", "<img src=x onerror=alert(1)>", "[link](http://x.test)"]


def numbers(n, d=6, seed=1):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def save_csv(path, labels, X):
    lines = [",".join(["title", *(f"v{j}" for j in range(X.shape[1]))])]
    pairs = zip(labels, X.tolist(), strict=True)
    lines += [
        ",".join([json.dumps(label, ensure_ascii=False), *map(str, row)]) for label, row in pairs
    ]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def upload(app, tmp_path):
    """The Data page, ready for a file; call with a name and an array, or with a path."""
    app.goto("data")
    app.page.get_by_text("Upload", exact=True).first.click()
    app.page.get_by_text("Upload a file to see here").wait_for()

    def send(file, X=None, which=0):
        path = file
        if X is not None:  # in a new folder: Chromium ignores a path that it has sent already
            path = Path(mkdtemp(dir=tmp_path)) / file
            np.save(path, X)
        app.page.locator("input[type=file]").nth(which).set_input_files(path)
        app.page.get_by_text(path.name, exact=True).first.wait_for()

    return send


def searched(app, start):
    """Wait until the context bar names the data so."""
    button = app.page.locator(".st-key-context button").first
    app.until(button.inner_text, lambda text: text.startswith(start))


def understood(app):
    cells = app.page.locator('[data-testid="stTable"] td').all_inner_texts()
    return dict(zip(cells[::2], cells[1::2], strict=True))


def understood_as(app, name, start):
    """Wait until the account says this of the data."""
    app.until(lambda: understood(app).get(name, ""), lambda value: value.startswith(start))


def use(app):
    """Press the button, and wait until the page and the address tell of it; returns the address."""
    before = app.page.url
    app.page.get_by_role("button", name="Use this data").click()
    app.until(lambda: app.page.url, lambda url: url != before)
    app.page.get_by_text("is searched now").wait_for()
    return app.page.url


def refused(app, words):
    """Wait until the page refuses a file with these words and shows none."""
    alert = app.page.locator('[data-testid="stAlertContentError"]')
    end = re.compile(r"Your current data is unchanged\.\s*$")
    alert.filter(has_text=words).filter(has_text=end).wait_for()
    app.page.locator('[data-testid="stTable"]').wait_for(state="detached")


def remove_file(app):
    app.page.locator('[data-testid="stFileUploader"] button[aria-label^="Remove"]').first.click()


def test_an_array_is_shown_then_used(app, upload):
    upload("mine.npy", numbers(300))
    understood_as(app, "Items", "300")
    app.drawn(1)
    app.until(lambda: sum(app.figures()[0]["traces"][0]["y"]), 300)
    app.page.get_by_text("Not used yet.").wait_for()
    searched(app, "GloVe 6B words")
    use(app)
    searched(app, "mine 300 × 6")
    app.page.get_by_text("✓ mine is searched now").wait_for()
    app.until(app.page.get_by_role("button", name="Use this data").is_disabled)
    app.page.get_by_role("link", name="See the trade-off").click()
    app.page.get_by_role("heading", name="Trade-off").wait_for()
    searched(app, "mine 300 × 6")
    app.idle()
    app.assert_clean()


def test_a_table_with_hostile_labels(app, upload, tmp_path):
    X = numbers(len(HOSTILE))
    X[0] *= 80
    upload(save_csv(tmp_path / "hostile.csv", HOSTILE, X))
    understood_as(app, "Labels", "“<b>bold</b>”, “$x^2$”, “a|b”")
    app.drawn(1)
    warning = app.page.locator('[data-testid="stAlertContentWarning"]')
    warning.filter(has_text="(row 0, “<b>bold</b>”").wait_for()
    app.until(lambda: app.figures()[0]["annotations"], ["row 0"])
    cells = app.page.locator('[data-testid="stDataFrame"] [role="gridcell"]')
    app.until(lambda: set(HOSTILE) <= set(cells.all_text_contents()))  # the grid draws late
    assert app.page.locator(".stMain .katex, .stMain img").count() == 0
    use(app)
    app.assert_clean()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("bad.npy", np.array([[1], [2, 3]], dtype=object), "stored as a pickle"),
        ("one.npy", numbers(1), "one vector only"),
        ("ragged.csv", b"1,2,3\n4,5\n6,7,8\n", "ragged.csv cannot be read"),
    ],
    ids=["pickle", "one vector", "ragged"],
)
def test_a_refusal_in_place(app, upload, tmp_path, name, content, words):
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.save(path, content)
    upload(path)
    refused(app, words)
    searched(app, "GloVe 6B words")
    app.page.get_by_role("button", name="Keep GloVe 6B words").click()
    app.page.locator('[data-testid="stAlertContentError"]').wait_for(state="detached")
    app.until(app.page.get_by_text(name).count, 0)
    app.assert_clean()


def test_other_content_under_the_same_name_then_a_bad_file_then_none(app, upload, tmp_path):
    first, second = numbers(400), numbers(400)
    second[123, 4] = 1e6
    upload("same.npy", first)
    use(app)
    upload("same.npy", second)
    app.page.get_by_text("Not used yet.").wait_for()
    warning = app.page.locator('[data-testid="stAlertContentWarning"]')
    warning.filter(has_text="One norm is").wait_for()
    use(app)  # other content has another address
    bad = tmp_path / "bad.csv"
    bad.write_text("1,2,3\n4,5\n6,7,8\n")
    upload(bad)
    refused(app, "bad.csv")
    remove_file(app)
    app.page.locator('[data-testid="stAlertContentError"]').wait_for(state="detached")
    app.until(app.page.locator('[data-testid="stFileUploader"]').count, 1)
    searched(app, "same 400 × 6")
    app.assert_clean()


def test_removing_a_file_that_was_not_used(app, upload):
    upload("mine.npy", numbers(300))
    understood_as(app, "Items", "300")
    remove_file(app)
    app.page.locator('[data-testid="stTable"]').wait_for(state="detached")
    app.page.get_by_text("Upload a file to see here").wait_for()
    app.assert_clean()


def test_two_items_go_everywhere(app, upload):
    upload("two.npy", numbers(2, 2))
    use(app)
    searched(app, "two 2 × 2")
    app.page.get_by_text("Leave out a query's own row").click()
    link = use(app)
    app.goto("trade-off" + link[link.index("?") :])
    searched(app, "two 2 × 2")
    app.assert_clean()


def test_a_link_shows_the_upload_to_another_visitor(app, upload, browser):
    upload("shared.npy", numbers(50, seed=4))
    link = use(app)
    other = browser.new_context()
    page = other.new_page()
    page.goto(link)
    page.locator(".st-key-context button").first.get_by_text("shared").wait_for()
    other.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits(app, upload, scheme, width):
    upload("mine.npy", numbers(300))
    understood_as(app, "Items", "300")
    app.drawn(1)
    app.idle()
    assert not app.overflows()
    app.page.get_by_text("Items with noise").click()
    app.page.get_by_label("Noise", exact=True).wait_for()
    app.idle()
    assert not app.overflows()
    app.assert_clean()
