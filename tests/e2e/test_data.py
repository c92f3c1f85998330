"""The Data page in a browser: upload, look, correct, use; refusals; ratings; what is taken away."""

import contextlib
import json
import os
import re
from pathlib import Path
from tempfile import mkdtemp

import h5py
import numpy as np
import pytest

from mips_core.data.folder import VARIABLE
from tests.e2e.harness import ROOT, NotInTime

APP = ROOT / "app.py"
OWN_SERVER = True  # with a data folder
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


@pytest.fixture(scope="module", autouse=True)
def data_folder(tmp_path_factory):
    """The data folder of the server, which starts after this."""
    root, before = tmp_path_factory.mktemp("folder"), os.environ.get(VARIABLE)
    (root / "inner").mkdir()
    np.save(root / "base.npy", numbers(40))
    np.save(root / "inner" / "queries.npy", numbers(7, seed=2))
    os.environ[VARIABLE] = str(root)
    yield root
    del os.environ[VARIABLE]
    if before is not None:
        os.environ[VARIABLE] = before


@pytest.fixture
def upload(app, tmp_path):
    """The Data page, ready for files; call with a name and an array, or with paths."""
    app.goto("data")
    app.page.get_by_text("Upload", exact=True).first.click()
    app.page.get_by_text("Here you see how files are understood").wait_for()

    def send(*files):
        paths = list(files)
        if isinstance(files[0], str):  # in a new folder: Chromium ignores a path sent already
            paths = [Path(mkdtemp(dir=tmp_path)) / files[0]]
            np.save(paths[0], files[1])
        inputs = app.page.locator("input[type=file]")
        app.until(inputs.count, 1)  # after an upload an empty one takes its place
        inputs.set_input_files(paths)
        for path in paths:
            app.page.get_by_text(f"{path.name} · ").first.wait_for()

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
    drafted = app.page.get_by_text("Not used yet.")
    drafted.wait_for()
    for _ in range(3):  # the draft may change under the press, by what was chosen just before
        app.page.get_by_role("button", name="Use this data").click()
        with contextlib.suppress(NotInTime):
            drafted.wait_for(state="detached", timeout=8_000)
            break
    app.page.get_by_text("is searched now").wait_for()
    return app.until(lambda: app.page.url, lambda url: url != before)


def test_the_link_of_an_upload_holds_its_key_and_not_the_proof_whose_it_is(app, upload):
    upload("mine.npy", numbers(30))
    use(app)
    both = re.compile(r"([?&]key=[0-9a-f]{32})\.[0-9a-f]{32}(?=&|$)")
    address = app.until(lambda: app.page.url, both.search)
    app.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    app.page.evaluate("() => navigator.clipboard.writeText('')")
    app.page.locator(".st-key-context").get_by_role("button", name="Copy link").click()
    copied = app.until(lambda: app.page.evaluate("() => navigator.clipboard.readText()"))
    app.page.context.clear_permissions()
    assert copied == both.sub(r"\1", address)
    app.assert_clean()


def refused(app, words):
    """Wait until the page refuses a file with these words and shows none."""
    alert = app.page.locator('[data-testid="stAlertContentError"]')
    end = re.compile(r"Your current data is unchanged\.\s*$")
    alert.filter(has_text=words).filter(has_text=end).wait_for()
    app.page.locator('[data-testid="stTable"]').wait_for(state="detached")


def remove_file(app):
    app.page.get_by_role("button", name="✕").first.click()


def fits(app):
    """Whether the page and its picture fit a wide and a narrow screen."""
    for width in (390, 1280):
        app.page.set_viewport_size({"width": width, "height": 844})
        app.until(lambda width=width: app.figures()[0]["width"], lambda drawn, w=width: drawn < w)
        app.idle()
        assert not app.overflows()


def test_an_array_is_shown_then_used_and_taken_away(app, upload, tmp_path):
    X = numbers(300)
    upload("mine.npy", X)
    understood_as(app, "Items", "300")
    app.drawn(1)
    app.until(lambda: sum(app.figures()[0]["traces"][0]["y"]), 300)
    app.page.get_by_text("Not used yet.").wait_for()
    searched(app, "GloVe 6B words")
    app.page.get_by_text("Items with noise").click()
    app.page.get_by_label("Noise", exact=True).wait_for()
    fits(app)
    app.page.get_by_text("Sampled items").click()
    app.page.get_by_label("Noise", exact=True).wait_for(state="detached")
    use(app)
    searched(app, "mine.npy 300 × 6")
    app.page.get_by_text("✓ mine.npy is searched now").wait_for()
    app.until(app.page.get_by_role("button", name="Use this data").is_disabled)
    app.until(app.page.get_by_text("Add the next upload").count, 0)  # its copy is gone
    for button, name in (("NumPy (.npz)", "mine-300.npz"), ("ann-benchmarks", "mine-300.hdf5")):
        download = app.download(app.page.get_by_role("button", name=button))
        assert download.suggested_filename == name
        download.save_as(tmp_path / name)
    app.page.get_by_role("link", name="See the trade-off").click()
    app.page.get_by_role("heading", name="Trade-off").wait_for()
    searched(app, "mine.npy 300 × 6")
    app.idle()
    app.assert_clean()
    with np.load(tmp_path / "mine-300.npz") as found:
        assert np.array_equal(found["items"], X)
        assert found["neighbors"].shape == (300, 100)
    with h5py.File(tmp_path / "mine-300.hdf5") as found:
        assert np.array_equal(found["train"][:], X)
        assert found.attrs["distance"] == "ip"


@pytest.mark.parametrize("scheme", ["dark"])
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
    shown = {label if len(label) <= 20 else f"{label[:20]}…" for label in HOSTILE}
    app.until(lambda: shown <= set(cells.all_text_contents()))  # the grid draws late
    fits(app)
    assert app.page.locator(".stMain .katex, .stMain img").count() == 0
    use(app)
    app.assert_clean()


def test_other_content_under_the_same_name_then_bad_files_then_none(app, upload, tmp_path):
    first, second = numbers(400), numbers(400)
    second[123, 4] = 1e6
    upload("same.npy", first)
    use(app)
    upload("same.npy", second)
    app.page.get_by_text("Not used yet.").wait_for()
    warning = app.page.locator('[data-testid="stAlertContentWarning"]')
    warning.filter(has_text="One norm is").wait_for()
    use(app)  # other content has another address
    upload("bad.npy", np.array([[1], [2, 3]], dtype=object))
    refused(app, "stored as a pickle")
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("1,2,3\n4,5\n6,7,8\n")
    upload(ragged)
    refused(app, "ragged.csv cannot be read")
    remove_file(app)
    app.page.locator('[data-testid="stAlertContentError"]').wait_for(state="detached")
    app.page.get_by_text("ragged.csv · ").wait_for(state="detached")
    upload("bad.npy", np.ones((2, 2), complex))
    refused(app, "complex numbers")
    app.page.get_by_role("button", name="Keep same").click()
    app.page.locator('[data-testid="stAlertContentError"]').wait_for(state="detached")
    app.until(app.page.get_by_text("bad.npy").count, 0)
    searched(app, "same.npy 400 × 6")
    app.assert_clean()


def test_one_item_goes_everywhere(app, upload):
    upload("one.npy", numbers(1, 2))
    use(app)
    for page in ("Trade-off", "Build", "Search"):
        link = app.page.get_by_role("link", name=page, exact=True)
        heading = app.page.get_by_role("heading", name=page)
        app.press(link, heading)
        searched(app, "one.npy 1 × 2")
        app.idle()
    app.assert_clean()


def select(app, label, text):
    """Choose an option of a box; its list closes when the page is drawn anew, so try again."""
    app.idle()
    option = app.page.get_by_role("option").filter(has_text=text)

    def opened():
        app.page.get_by_role("combobox", name=label).press("ArrowDown")
        app.page.wait_for_timeout(300)
        return option.count()

    app.until(opened)
    option.first.click()


def test_another_label_column_and_bad_rows_left_out(app, upload, tmp_path):
    lines = [f"word {i}\tkind {i % 3}" for i in range(30)]
    (tmp_path / "metadata.tsv").write_text("\n".join(["word\tkind", *lines]))
    np.savetxt(tmp_path / "vectors.tsv", numbers(30), delimiter="\t")
    upload(tmp_path / "vectors.tsv", tmp_path / "metadata.tsv")
    understood_as(app, "Labels", "“word 0”")
    select(app, "Labels", "kind")
    understood_as(app, "Labels", "“kind 0”")
    use(app)
    searched(app, "vectors.tsv 30 × 6")
    X = numbers(50)
    X[[3, 4, 40], 2] = np.nan
    upload("holes.npy", X)
    refused(app, "holds nan in row 3")
    app.page.get_by_role("button", name="Leave out the 3 bad rows").click()
    understood_as(app, "Items", "47")
    understood_as(app, "Left out", "Rows: 3 rows were left out")
    app.page.locator('[data-testid="stAlertContentError"]').wait_for(state="detached")
    remove_file(app)
    understood_as(app, "Items", "30")  # back at what is searched
    app.assert_clean()


def test_ratings_at_another_rank(app, upload, tmp_path):
    rng = np.random.default_rng(0)
    rated = [(u, i) for u in range(40) for i in rng.permutation(25)[:15]]
    lines = [f"u{u},m{i},{rng.integers(1, 6)}" for u, i in rated]
    (tmp_path / "ratings.csv").write_text("\n".join(["userId,movieId,rating", *lines]))
    titles = ["movieId,title", *(f"m{i},Film {i}" for i in range(25))]
    (tmp_path / "movies.csv").write_text("\n".join(titles))
    upload(tmp_path / "ratings.csv", tmp_path / "movies.csv")
    understood_as(app, "Dimensions", "24")
    understood_as(app, "Labels", "“Film ")
    app.drawn(1)
    slider = app.page.get_by_role("slider", name="Rank")
    slider.press("ArrowLeft")
    understood_as(app, "Dimensions", "23")
    app.until(lambda: "rank 23 keeps" in str(app.figures()[0]["annotations"]))
    use(app)
    searched(app, "ratings.csv 25 × 23")
    app.page.get_by_role("button", name="40 queries").wait_for()
    app.assert_clean()


def test_a_link_shows_the_upload_and_its_metric_to_another_visitor(app, upload, browser):
    upload("shared.npy", numbers(50, seed=4))
    app.page.get_by_text("Cosine", exact=True).click()
    app.page.get_by_text("Solved exactly as inner product search").wait_for()
    link = use(app)
    assert "metric=cosine" in link
    app.page.get_by_role("button", name="by cosine").wait_for()
    app.assert_clean()
    other = browser.new_context()
    page = other.new_page()
    page.goto(link.replace("/data?", "/trade-off?"))
    page.locator(".st-key-context button").first.get_by_text("shared").wait_for()
    page.get_by_role("button", name="by cosine").wait_for()
    other.close()


def test_files_of_the_data_folder(app, data_folder):
    app.goto("data")
    app.page.get_by_text("Folder", exact=True).click()
    for name in ("base.npy · ", "inner/queries.npy · "):
        select(app, f"Files of the folder “{data_folder.name}”", name)
    app.page.keyboard.press("Escape")
    app.page.get_by_role("button", name="Read these files").click()
    understood_as(app, "Items", "40")
    understood_as(app, "Queries found", "7")
    use(app)
    searched(app, f"{data_folder.name} 40 × 6")
    app.assert_clean()


def test_data_that_were_left_are_gone_back_to_and_compared(app, upload):
    before = app.page.locator(".st-key-context button").first.inner_text().split("\n")[0]
    upload("mine.npy", numbers(3_000, seed=5))  # more than one chunk of a request
    use(app)
    searched(app, "mine.npy")
    app.page.get_by_role("link", name="Compare", exact=True).first.click()
    app.page.get_by_role("tab", name="Two data sets").click()
    app.page.get_by_text("mine.npy: 3,000 items, 500 queries").first.wait_for()
    app.page.get_by_text("GloVe 6B words: 20,000 items, 500 queries").first.wait_for()
    app.page.locator(".st-key-context button").first.click()
    app.page.get_by_role("button", name="GloVe 6B words · 20,000 × 50").click()
    searched(app, before[:12])
    app.until(lambda: app.page.url, lambda url: "data=glove-6b-50d" in url)
    app.assert_clean()
