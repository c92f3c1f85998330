"""A report: its numbers are those of the curves, its text is text, and it needs nothing else."""

import json
import socket
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from mips_core import INDEXES, DataError, Dataset, ParamError, Setting, report_of, searched_by
from mips_core.base.text import times
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.truth import truth_of
from mips_core.figures.styles import METHODS
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.report import Beside, NoiseMeasured, Origin, as_set, at_precision, by_tuning
from mips_core.report.picture import swatch
from mips_core.studies.comparison import compare_at_speedup
from mips_core.studies.noise import noisy_queries
from mips_core.studies.robustness import robustness
from mips_core.studies.tuning import Budget, Need, cheapest, most_precise

HOSTILE = "</script><script>alert(1)</script>&amp;<img src=x onerror=alert(1)>\u202eback\x00"
MADE = datetime(2026, 11, 28, 22, 45, tzinfo=UTC)
RECIPE = QueryRecipe(count=120)
VOID = {"meta", "link", "br", "img", "hr", "input", "base"}


class Page(HTMLParser):
    """Elements by name, text by element, and the rows of each table by its caption."""

    def __init__(self, html):
        super().__init__()
        self.names, self.attributes, self.tables, self.text = [], [], {}, []
        self._path, self._rows, self._caption = [], None, ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._path.append(tag)
        if tag == "table":
            self._rows, self._caption = [], ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_endtag(self, tag):
        assert self._path.pop() == tag
        if tag == "table":
            self.tables[self._caption] = self._rows

    def handle_data(self, data):
        if {"style", "script"}.isdisjoint(self._path):
            self.text.append(data)
        if "caption" in self._path:
            self._caption += data
        elif {"td", "th"} & set(self._path):
            self._rows[-1][-1] += data

    def rows(self, caption):
        """Of the one table whose caption starts so, without its head."""
        (found,) = (rows for name, rows in self.tables.items() if name.startswith(caption))
        return found[1:]


def data(n=300, d=6, metric="inner product", **known):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    raw = with_queries(Dataset(X, **{"name": "small", **known}), RECIPE)
    return raw, searched_by(raw, metric)


def measured(searched, keys=("flat-kmeans", "pca-tree"), K=10, grid=3):
    builder = Builder(searched.items, truth_of(searched), K)
    indexes = [step for key in keys for step in INDEXES[key].grid(searched.n, searched.d)[:grid]]
    return builder.evaluations(indexes, 0)


def reported(raw, searched, evaluations, K=10, **known):
    beside = {name: known.pop(name) for name in ("noise", "compared", "misses") if name in known}
    settled = {"origin": Origin(files=("small.npy",)), "recipe": RECIPE, "made": MADE}
    settled["beside"] = Beside(**beside)
    return report_of(raw, searched, evaluations, K, **settled | known)


@pytest.fixture(scope="module")
def case():
    raw, searched = data()
    return raw, searched, measured(searched)


@pytest.fixture(scope="module")
def made(case):
    return reported(*case)


def scored(evaluations, report, point, K=10):
    """The curve and position that a point of the report was read off."""
    told = report.settings[point.setting]
    (found,) = (
        e
        for e in evaluations
        if (e.index.key, e.index.setting(e.truth.n)) == (told.key, told.words)
    )
    curve = found.curve((K,), folds_of(found.truth.m)[1])
    return curve, curve.efforts.tolist().index(point.effort)


def cells(curve, at, K=10):
    """How a table shows a point, from the curve itself."""
    low, high = curve.interval(K)[at]
    return [
        f"{curve.precision(K)[at]:.3f}", f"{low:.3f} to {high:.3f}", times(curve.speedup[at]),
        f"{curve.mean_cost[at]:,.1f}",
    ]  # fmt: skip


def test_every_number_of_its_tables_is_that_of_the_curve(case, made):
    evaluations, page = case[2], Page(made.html())
    for asked, caption in (("precision", "The fewest"), ("speedup", "The highest")):
        told = [row for row in made.targets if row.asked == asked]
        rows = page.rows(caption)
        assert len(rows) == len(told) == 8
        for row, target in zip(rows, told, strict=True):
            assert row[-4:] == cells(*scored(evaluations, made, target.measured))
            assert row[1] == target.method
            assert row[2].startswith("not reached") is not target.reached
    for curve in made.curves:
        if curve.K == 10:
            rows = page.rows(f"{curve.method}: the best")
            points = [cells(*scored(evaluations, made, p)) for p in curve.points]
            assert [row[-4:] for row in rows] == points
    for curve in made.curves:
        for point in curve.points:
            found, at = scored(evaluations, made, point, curve.K)
            assert point.precision == found.precision(curve.K)[at]
            assert (point.cost, point.speedup) == (found.mean_cost[at], found.speedup[at])
    assert {curve.K for curve in made.curves} == {1, 10, 100}


def test_the_ledger_adds_up_and_gives_the_speedup(case, made):
    point = made.point
    curve, at = scored(case[2], made, point.measured)
    assert point.parts == {part: cost[at] for part, cost in curve.costs.items()}
    assert sum(point.parts.values()) == pytest.approx(point.measured.cost, rel=1e-12)
    assert point.measured.speedup == made.data.n / point.measured.cost
    *parts, total = Page(made.html()).rows("What a query costs")
    assert total[1] == f"{point.measured.cost:,.1f}"
    assert [float(row[1]) for row in parts] == [round(c, 1) for c in point.parts.values() if c]


def test_the_first_sentence_says_what_to_run_and_what_it_gives(made):
    measured_, told = made.point.measured, " ".join(Page(made.html()).text)
    assert f"finds {100 * measured_.precision:.1f}% of the true top 10" in told
    low, high = 100 * measured_.low, 100 * measured_.high
    assert f"(95% interval {low:.1f} to {high:.1f}, over 60 queries)" in told
    assert f"{times(measured_.speedup)} fewer inner products" in told
    assert made.point.chosen in told
    assert "chosen on 60 queries and scored on the other 60" in told
    assert "28 November 2026, 22:45 UTC" in told
    assert told.count("Not measured for this report") == 2


def test_hostile_text_is_text_and_nothing_is_fetched_or_run(case):
    raw, searched = (
        replace(one, name=HOSTILE, notes=(HOSTILE,), labels=[HOSTILE] * one.n) for one in case[:2]
    )
    loud = raw.items.copy()
    loud[7] *= 1000  # a norm so large that the summary names its label
    raw = replace(raw, items=loud)
    report = reported(
        raw, searched, case[2], title=f"Title {HOSTILE}", note=f"One\n\n{HOSTILE} two",
        misses=[HOSTILE], origin=Origin(files=(f"{HOSTILE}.npy",)),
    )  # fmt: skip
    html = report.html()
    page, quiet = Page(html), Page(reported(*case, misses=["x"], note="a\nb").html())
    assert {*page.names} == {*quiet.names}
    assert page.names.count("script") == 1
    assert page.names.count("p") == quiet.names.count("p")
    shown = "</script><script>alert(1)</script>&amp;<img src=x onerror=alert(1)> back"
    assert sum(shown in text for text in page.text) >= 7
    assert not {"\u202e", "\x00"} & set(html)
    fetching = {"src", "onerror", "srcset", "action", "data"}
    assert not fetching & {name for name, _ in page.attributes}
    links = [value for name, value in page.attributes if name in ("href", "xlink:href")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "default-src 'none'" in html
    assert html.encode()  # UTF-8 holds all of it


def test_lone_surrogates_become_signs(case):
    report = reported(*case, title="a\udc80b", note="\ud800")
    assert "a?b" in report.html()
    assert report.html().encode()
    assert json.loads(report.notebook())


def test_the_numbers_are_in_the_page_for_programs(made):
    html = made.html()
    told = html.partition('type="application/json" id="report">')[2].partition("</script>")[0]
    assert json.loads(told) == json.loads(json.dumps(made.as_dict()))


def test_the_same_makes_the_same_page(case, made):
    assert reported(*case).html() == made.html()
    assert reported(*case).notebook() == made.notebook()


def test_it_names_no_folder_and_no_machine(made):
    for text in (made.html(), made.notebook()):
        assert str(Path(__file__).parents[3]) not in text
        assert socket.gethostname() not in text


def test_the_setting_to_run_is_what_was_asked_for(case):
    evaluations = case[2]
    tried = [Tried(e, 1.0, 100) for e in evaluations]
    tuned = cheapest(tried, 10, Need(0.8))
    report = reported(*case, point=by_tuning(tuned))
    trial = tuned.chosen
    assert (report.point.measured.precision, report.point.measured.cost) == (
        trial.precision, trial.cost,
    )  # fmt: skip
    assert "Found by tuning for 0.8 at 95% confidence" in report.point.chosen
    within = most_precise(tried, 10, Budget(inner_products=150))
    assert "within a budget" in by_tuning(within).words
    assert by_tuning(most_precise(tried, 10, Budget(inner_products=0.001))) is None
    by_hand = as_set(Setting(evaluations[1].index, 0, int(evaluations[1].efforts[0])))
    report = reported(*case, point=by_hand)
    assert report.settings[report.point.measured.setting].words == evaluations[1].index.setting(300)
    assert at_precision(evaluations, 10, 0.9).target == 0.9


def test_what_cannot_be_reached_says_the_best_there_is():
    raw, searched = data()
    builder = Builder(searched.items, truth_of(searched), 10)
    hashes = builder.evaluations([INDEXES["srp-hash"](n_bits=16, n_tables=1)], 0)
    report = reported(raw, searched, hashes)
    assert "No setting measured finds 0.95 or more (the best finds" in report.point.chosen
    assert not any(row.reached for row in report.targets if row.asked == "precision")
    assert "not reached; nearest" in report.html()


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_other_metrics_keep_the_fingerprint_of_what_was_read(metric):
    raw, searched = data(metric=metric)
    report = reported(raw, searched, measured(searched, ["flat-kmeans"], grid=1))
    assert report.data.fingerprint == raw.fingerprint != searched.fingerprint
    assert f"--metric {metric}" in report.commands[0]


@pytest.mark.parametrize("n", [1, 5])
def test_few_items_and_one_query(n):
    raw, searched = data(n=n)
    raw, searched = (replace(one, queries=one.queries[:1], query_labels=None, query_rows=None)
                     for one in (raw, searched))  # fmt: skip
    keys = ["flat-kmeans", "exact", "ip-tree"]
    report = reported(raw, searched, measured(searched, keys, grid=1), recipe=None)
    assert (report.answers, report.m_scoring, report.split) == (n, 1, False)
    text = " ".join(Page(report.html()).text)
    assert "With 1 query, settings are chosen and scored on the same" in text
    assert f"true top {n}, which is certain" in text  # exact search is the cheapest here
    assert {curve.K for curve in report.curves} == {10, 1}


def test_exact_search_is_certain_and_simulated_data_is_told():
    raw, searched = data(simulated=True)
    exact = measured(searched, ["exact"])
    report = reported(raw, searched, exact)
    text = " ".join(Page(report.html()).text)
    assert "finds 100.0% of the true top 10, which is certain, with as many" in text
    assert text.count("Simulated data") == 1 + 4  # a box, and every picture
    assert "Simulated data" not in reported(*data(), exact).html()


def test_no_command_is_given_that_would_measure_something_else(case):
    assert reported(*case, origin=Origin()).commands == ()
    assert reported(*case, recipe=None).commands == ()
    assert reported(*case, origin=Origin(files=("a.npy",), own_queries=True)).commands == ()
    (report, _) = reported(*case, origin=Origin(stem="a")).commands
    assert report.startswith("python -m mips_core report FILE --n-queries 120 --query-seed 0 ")
    (report, _) = reported(*case, origin=Origin(files=("-a b.npy",))).commands
    assert "'./-a b.npy'" in report


def test_noise_and_a_comparison_are_told_as_they_were_measured(case):
    raw, searched, evaluations = case
    indexes = [e.index for e in evaluations]
    noisy = noisy_queries(raw, searched, sigmas=(0, 0.2))
    methods = robustness(searched, noisy, indexes, 10, 3.0, (0, 1))
    keys = ("flat-kmeans", "pca-tree")
    pair = [[i for i in indexes if i.key == key] for key in keys]
    found = compare_at_speedup(searched, *pair, 10, 3.0)
    noise = NoiseMeasured(noisy, methods, 3.0)
    report = reported(raw, searched, evaluations, noise=noise, compared=(found, "3×"))
    page = Page(report.html())
    rows = page.rows("Precision under noise")
    assert [row[0] for row in rows] == ["Flat k-means"] * 2 + ["PCA-tree"] * 2
    for at, row in enumerate(rows):
        method, sigma = methods[at // 2], at % 2
        precision, half = method.precision("noisy")[sigma], method.half_interval("noisy")[sigma]
        assert row[3] == f"{precision:.3f} ± {half:.3f}"
        assert row[4] == f"{method.precision('clean')[sigma]:.3f}"
        assert row[6] == times(method.speedup()[sigma])
    assert rows[0][5] == "1.000"
    words = found.difference.in_words("Flat k-means", "PCA-tree", "3×")
    assert words in " ".join(page.text)
    builds = page.rows("Both methods")
    shares = [f"{p:.3f}" for one in found.scored for p in one.precisions]
    assert [row[2] for row in builds] == shares


def test_what_does_not_fit_together_is_refused(case):
    raw, searched, evaluations = case
    with pytest.raises(ParamError, match="Nothing was measured"):
        reported(raw, searched, [])
    with pytest.raises(ParamError, match="K is 101"):
        reported(*case, K=101)
    other = replace(searched, queries=searched.queries[:7], query_rows=None, query_labels=None)
    with pytest.raises(DataError, match="of other data"):
        reported(raw, other, evaluations)
    with pytest.raises(DataError, match="of other data"):
        reported(raw, replace(searched, queries=2 * searched.queries), evaluations)
    with pytest.raises(ParamError, match="was not measured with seed 3"):
        reported(*case, point=as_set(Setting(evaluations[0].index, 3, 1)))
    with pytest.raises(ParamError, match="was not asked at effort 9999"):
        reported(*case, point=as_set(Setting(evaluations[0].index, 0, 9999)))
    with pytest.raises(ParamError, match="not measured"):
        reported(*case, point=as_set(Setting(FlatKMeans(n_clusters=7), 0, 1)))


def test_pictures_tell_what_they_show(made):
    html = made.html()
    names = [value for name, value in Page(html).attributes if name == "id"]
    assert len(names) == len({*names})
    assert html.count('role="img"') == 4  # wide, narrow, and two other K
    assert html.count("<title>") == 1 + 4 + 2 + sum(
        len(curve.points) for curve in made.curves if curve.K == 10
    )
    assert html.count('scope="row"') > 20


@pytest.mark.parametrize("key", METHODS)
def test_every_method_has_a_swatch_of_its_own(key):
    drawn = swatch(key)
    assert drawn not in [
        swatch(other).replace(f"m-{other}", f"m-{key}") for other in METHODS if other != key
    ]
    assert drawn.count('class="marker') == 1
    assert "nan" not in drawn
