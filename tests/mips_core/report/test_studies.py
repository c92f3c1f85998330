"""What was measured beside the curves."""

from mips_core.base.text import times
from mips_core.report import (
    NoiseMeasured,
    html_of,
)
from mips_core.studies.comparison import compare_at_speedup
from mips_core.studies.noise import noisy_queries
from mips_core.studies.robustness import robustness
from tests.mips_core.report.reports import Page, reported


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
    page = Page(html_of(report))
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
