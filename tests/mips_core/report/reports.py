"""Reports on small data, and their pages as a reader meets them."""

from datetime import UTC, datetime
from html.parser import HTMLParser

import numpy as np

from mips_core import INDEXES, Dataset, report_of, searched_by
from mips_core.base.text import times
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.truth import truth_of
from mips_core.report import (
    Origin,
    Studies,
)

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
    studies = {name: known.pop(name) for name in ("noise", "compared", "misses") if name in known}
    settled = {"origin": Origin(files=("small.npy",)), "recipe": RECIPE, "made": MADE}
    settled["studies"] = Studies(**studies)
    return report_of(raw, searched, evaluations, K, **settled | known)


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
    cost = curve.mean_cost[at]
    return [
        f"{curve.precision(K)[at]:.3f}", f"{low:.3f} to {high:.3f}", times(curve.speedup[at]),
        f"{cost:,.0f}" if cost >= 10 else f"{cost:.2g}",
    ]  # fmt: skip
