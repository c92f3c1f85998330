"""If the data grows, as told."""

import time

from mips_core import DataError
from pages._ui.tune import growth
from pages._ui.work import jobs
from tests.pages.conftest import small_dataset
from tests.pages.tune_page import grows, opened, search, slide, words


def test_how_the_answer_grows_is_measured_and_told(use):
    use(small_dataset(n=1200))
    at = search(opened(method=["flat-kmeans"], queries="rows 200 0.1 no"))
    assert "If the data grows" in [expander.label for expander in at.expander]
    assert "extrapolated from sub-samples of this data" in words(at)
    grows(at)
    assert not at.exception
    assert "At **12,000 items** (10 times as many)" in words(at)
    assert at.dataframe[1].value["items"].tolist() == [150, 300, 600, 1200]
    next(f for f in at.number_input if f.label == "Items then").set_value(30_000).run()
    assert "At **30,000 items** (25 times as many)" in words(at)
    assert at.query_params["tune"] == "items=30000"
    slide(at, "precision", 0.8)
    assert at.button(key="tune scale")  # another target is another measurement


def test_few_items_cannot_be_extrapolated():
    at = opened(method=["flat-kmeans"])
    assert "If the data grows" not in [expander.label for expander in at.expander]  # provisional
    at = search(at)
    assert "it takes 1,000 or more" in words(at)
    assert "tune scale" not in {button.key for button in at.button}


def test_measuring_growth_can_be_cancelled(use, monkeypatch):
    def slow(*asked, progress):
        while True:
            progress(0.1, "waiting")
            time.sleep(0.01)

    use(small_dataset(n=1200))
    at = search(opened(method=["flat-kmeans"], queries="rows 200 0.1 no"))
    with monkeypatch.context() as patch:
        patch.setattr(growth, "measure_scaling", slow)
        at.button(key="tune scale").click().run()
        assert at.button(key="tune scale").disabled
        at.button(key="cancel scaling").click().run()
        assert jobs.wait(5)
        at.run()
        assert "Cancelled" in words(at)
    grows(at)
    assert "prediction intervals" in words(at)


def test_growth_that_fails_is_said(use, monkeypatch):
    def broken(*asked, progress):
        raise DataError("Nothing to *see*.", "Look elsewhere.")

    use(small_dataset(n=1200))
    monkeypatch.setattr(growth, "measure_scaling", broken)
    at = grows(search(opened(method=["flat-kmeans"], queries="rows 200 0.1 no")))
    assert any("Nothing to \\*see\\*" in error.value for error in at.error)
