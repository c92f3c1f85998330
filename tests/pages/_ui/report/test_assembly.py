"""The report on what is known: it agrees with the other pages."""

import json
import re
from dataclasses import replace

from mips_core.data.catalog import CATALOG
from mips_core.data.ratings import RatingChoices
from mips_core.report import html_of, notebook_of
from mips_core.report.sentences import finding
from mips_core.studies.tuning import Need, cheapest
from pages._ui.data.reading import Interpretation
from pages._ui.report import assembly
from pages._ui.tune import search
from pages._ui.work import jobs
from pages._ui.work.uploads import DataOrigin
from tests.mips_core.report.reports import Page
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.report_page import look, opened, report_on


def tables(at):
    return [table.value for table in at.table]


def test_page_and_file_agree_with_tune_and_with_the_curves(app):
    at = opened(app)
    chosen = session_of(at)
    search.begin(chosen)
    while search.watching(chosen):
        assert jobs.wait(300)
        search.go_on(chosen)
    at = look(at)
    report = report_on(at)
    tried = search.tried_of(chosen)
    answer = cheapest(tried, chosen.K, Need(0.95, 0.95))
    assert not report.point.provisional
    assert report.point.measured.precision == answer.chosen.precision
    assert report.point.measured.cost == answer.chosen.cost
    assert at.success[0].value.replace("\\", "") == f"**{finding(report)}**"
    page = Page(html_of(report))
    assert finding(report) in page.text
    ledger, targets = tables(at)
    assert ledger["Inner products"].str.replace("\\", "").tolist() == [
        row[1] for row in page.rows("What a query costs")
    ]
    shown = [[re.sub(r"\\", "", cell) for cell in row] for row in targets.values.tolist()]
    assert shown == [row[1:6] for row in page.rows("The fewest") if row[0] == "0.95"]
    assert [row[0] for row in shown] == ["Flat k-means", "SRP-hash"]
    told = " ".join(page.text)
    assert report.misses[0] in told
    assert f"At {report.point.measured.effort} probe" in report.misses[0]


def test_other_data_names_its_file_in_the_notebook(app):
    at = opened(app)
    session = session_of(at)
    uploaded = replace(small_dataset(n=350), name="my <b> words")
    session.use(uploaded, uploaded.fingerprint, session.recipe)
    look(at)
    at.button(key="report measure").click().run()
    report = report_on(look(at))
    assert uploaded.fingerprint not in CATALOG
    assert report.origin.stem == "my <b> words"
    cells = json.loads(notebook_of(report))["cells"]
    assert any("STEM = 'my <b> words'" in cell["source"] for cell in cells)
    assert report.commands[0].startswith("python -m mips_core report FILE ")


def test_files_that_were_read_are_named_as_they_were_and_so_is_how(app):
    at = opened(app)
    session = session_of(at)
    rated = replace(small_dataset(n=350), name="ratings")
    how = Interpretation(ratings=RatingChoices(skip_bad=True), kind="ratings", rank=40)
    origin = DataOrigin("ratings", 350, 6, ("ml/ratings.csv", "ml/movies.csv"), reading=how.text)
    session.use(rated, rated.fingerprint, session.recipe, origin=origin)
    look(at)
    at.button(key="report measure").click().run()
    report = report_on(look(at))
    told = report.origin
    assert (told.files, told.stem) == (("ratings.csv", "movies.csv"), "")
    assert (told.kind, told.rank, told.reading) == ("ratings", 40, ("skip_bad=yes",))
    cells = json.loads(notebook_of(report))["cells"]
    assert any("FILES = ['ratings.csv', 'movies.csv']" in cell["source"] for cell in cells)


def test_it_holds_what_other_pages_measured_and_measures_the_rest_when_asked(app):
    at = opened(app)
    assert not at.exception
    wanted = assembly.wanted(session_of(at))
    known = assembly.evaluations_of(session_of(at))
    assert 0 < len(known) < len(wanted)  # Home, passed on the way, measured its own
    button = at.button(key="report measure")
    assert button.label == f"Measure {len(wanted) - len(known)} more"
    assert f"{len(known)} of {len(wanted)} settings measured" in texts(at)
    assert "**Noise**  not measured" in texts(at)
    button.click().run()
    at = look(at)
    assert len(assembly.evaluations_of(session_of(at))) == len(wanted)
    assert not [b for b in at.button if b.key == "report measure"]
    assert "✓ **Curves and tables**" in texts(at)
    assert "✓ **What is missed**" in texts(at)
