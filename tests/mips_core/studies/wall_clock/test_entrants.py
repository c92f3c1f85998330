"""A rival at its least effort; settings and structures that are given; candidates by K."""

import numpy as np
import pytest

from mips_core import rng_for, truth_of
from mips_core.evaluation.builder import Built
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.operating_point import at_precision
from mips_core.studies.wall_clock import clock
from mips_core.studies.wall_clock.wording import in_words, remarks
from tests.mips_core.studies.wall_clock.clock_cases import Scan, dataset, evaluated


@pytest.mark.parametrize("target", [0.05, 0.45, 0.75, 1.0])
def test_a_rival_is_timed_at_its_least_effort_with_the_precision(scan, target):
    data = dataset()
    truth = truth_of(data)
    (*_, row) = clock(data, {}, 10, (target,), rivals=["scan"])[0].rows
    to_choose, true = data.queries[::2], truth.ids[::2, :10]
    precisions = []
    for step in Scan.steps:
        found = Scan(data.items).search(to_choose, 10, step)
        precisions.append(
            np.mean([np.isin(*rows).mean() for rows in zip(true, found, strict=True)])
        )
    expected = Scan.steps[next(i for i, p in enumerate(precisions) if p >= target)]
    assert (row.setting, row.reached, row.kind) == (f"{expected}%", True, "rival")
    assert (row.inner_products, row.speedup) == (None, None)


def test_a_rival_is_built_once_for_all_precisions_and_asked_at_each_effort_once(scan, monkeypatch):
    built, asked = [], []
    precisions = (0.75, 0.05, 1.0, 0.45)
    singly = [clock(dataset(), {}, 10, (each,))[0].rows[-1] for each in precisions]
    build, search = scan.build, scan.search
    monkeypatch.setattr(scan, "build", lambda *inputs: built.append(1) or build(*inputs))
    monkeypatch.setattr(
        scan, "search", lambda self, Q, K, effort: asked.append((len(Q), effort))
        or search(self, Q, K, effort)
    )  # fmt: skip
    rows = [timed.rows[-1] for timed in clock(dataset(m=70), {}, 10, precisions)]
    assert len(built) == 1
    assert {effort for _, effort in asked} == set(scan.steps)
    assert [row.setting for row in rows] == [row.setting for row in singly]


def test_what_no_effort_reaches_is_timed_at_its_best_and_said(scan, monkeypatch):
    monkeypatch.setattr(scan, "steps", (50, 90, 10))
    (timed,) = clock(dataset(), {}, 10, (1.0,))
    row = timed.rows[-1]
    assert (row.setting, row.reached) == ("90%", False)
    (said,) = (line for line in remarks(timed) if "reach" in line)
    assert said == f"Scan does not reach 1: it is timed at the best there is, {row.precision:.3f}."
    assert "Scan" not in in_words(timed)


def test_settings_can_be_given_and_structures_too():
    data = dataset()
    index = FlatKMeans(n_clusters=25)
    structure, asked = index.build(data.items, rng_for(4)), []

    def kept(index, seed, progress):
        asked.append((index, seed))
        return Built(seed, structure, 12.5)

    settings = [Setting(index, 4, 25), Setting(index, 4, 1)]
    *_, full, least = clock(data, settings, 10, (0.9,), rivals=(), build=kept)[0].rows
    assert asked == [(index, 4)] * 2
    assert min(full.build_seconds, least.build_seconds) > 12.5  # laying out the rows as well
    assert (full.precision, full.reached, full.setting) == (1, True, "25 clusters, 25 probes")
    assert (least.reached, least.setting) == (False, "25 clusters, 1 probe")
    assert least.chosen_precision < 0.9


def test_candidates_that_depend_on_k_are_asked_for_it():
    data = dataset(n=200, m=24, exclude=True)
    methods = evaluated(data, IPTree(), K=3)
    row = clock(data, methods, 3, (1.0,), rivals=())[0].rows[-1]
    ((evaluation,),) = methods.values()
    effort = at_precision([evaluation], 3, 1.0).setting.effort
    at, curve = list(evaluation.efforts).index(effort), evaluation.curve((3,), 1)
    assert row.precision == pytest.approx(curve.tolerant[3][at])
    assert row.inner_products == pytest.approx(curve.mean_cost[at])
