"""Changes that are tried, and real ones: who changes, what is measured, what is advised."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from mips_core import INDEXES, Dataset, Setting, rng_for, searched_by
from mips_core.__main__ import main
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.threads import limited
from mips_core.data.queries import QueryRecipe, rms, with_queries
from mips_core.figures import drift as figures
from mips_core.studies.drift import (
    WAYS,
    Fresh,
    Outcome,
    Recipe,
    advice,
    as_dict,
    compare_versions,
    decay,
    kept_fresh,
    rows,
)
from mips_core.studies.drift.advice import effort_in_words, in_words, in_words_of_one, verdict
from mips_core.studies.drift.simulating import Coming, Moving
from tests import oracle

FLAT = Setting(INDEXES["flat-kmeans"](n_clusters=8), 0, 2)
SMALL = Recipe(shares=(0.0, 0.1, 1.0), sizes=(1.0,))


def data(n=120, d=5, m=30, seed=0, **more):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(0, 0.4, size=(n, 1))).astype(np.float32)
    Q = rng.normal(size=(m, d)).astype(np.float32)
    return Dataset(X, Q, name="some", **more)


@pytest.fixture(scope="module")
def found():
    return decay(data(), data(), FLAT, 5, SMALL)


def test_without_a_change_a_rebuild_is_the_build_and_nothing_is_spent(found):
    still = found.points[0]
    assert (still.share, still.changed, still.spent("frozen")) == (0, 0, 0)
    for frozen, rebuilt in zip(still.ways["frozen"], still.ways["rebuilt"], strict=True):
        np.testing.assert_array_equal(frozen.hits, rebuilt.hits)
        assert frozen.cost == rebuilt.cost


def test_precision_and_cost_are_those_of_searching_the_changed_items(found):
    """At the largest change, rebuilt with each seed, counted by definition."""
    dataset, point = data(), found.points[-1]
    X = Moving(dataset, dataset, SMALL.sizes, SMALL.seed).at(1.0, 1.0).dataset.items
    for seed, outcome in enumerate(point.ways["rebuilt"]):
        searcher = FLAT.index.searcher(FLAT.index.build(X, rng_for(seed)))
        listed = searcher.candidates(dataset.queries, FLAT.effort, 5)
        each = np.split(listed.ids, listed.starts[1:-1])
        assert outcome.hits.sum() / (5 * 30) == pytest.approx(
            oracle.precision(X, dataset.queries, each, 5)
        )
        assert outcome.cost == listed.cost.mean()
    mean = np.mean([one.hits for one in point.ways["rebuilt"]]) / 5
    assert point.precision("rebuilt") == mean
    low, high = point.interval("rebuilt")
    assert low < mean < high
    assert point.speedup("rebuilt") == pytest.approx(120 / point.cost("rebuilt"))


def test_one_thread_finds_what_two_find(found):
    with limited(1):
        alone = decay(data(), data(), FLAT, 5, SMALL)
    for one, other in zip(alone.points, found.points, strict=True):
        for way in WAYS:
            for a, b in zip(one.ways[way], other.ways[way], strict=True):
                np.testing.assert_array_equal(a.hits, b.hits)
                assert (a.cost, a.spent, a.effort) == (b.cost, b.spent, b.effort)


def test_shares_that_change_as_many_items_are_tried_once():
    found = decay(data(n=3), data(n=3), FLAT, 1, Recipe(shares=(0.02, 0.0, 0.01), sizes=(0.3,)))
    assert [(point.share, point.changed) for point in found.points] == [(0, 0), (0.02, 1)]


def test_who_changes_at_a_small_share_changes_by_as_much_at_a_larger():
    dataset = replace(data(), items=7 * data().items)
    moving = Moving(dataset, dataset, (0.5, 1.0), seed=3)
    some, more = (moving.at(share, 1.0) for share in (0.1, 0.4))
    first = some.change.moved
    assert first.sum() == 12
    assert more.change.moved.sum() == 48
    assert more.change.moved[first].all()
    np.testing.assert_array_equal(some.dataset.items[first], more.dataset.items[first])
    np.testing.assert_array_equal(some.dataset.items[~first], dataset.items[~first])
    moves = moving.at(1.0, 1.0).dataset.items - dataset.items
    half = moving.at(1.0, 0.5).dataset.items - dataset.items
    np.testing.assert_allclose(half, moves / 2, atol=1e-5)
    assert np.std(moves) == pytest.approx(rms(dataset.items), rel=0.15)


def test_items_that_come_are_those_held_out_and_queries_find_their_own_row_where_it_is():
    dataset = with_queries(replace(data(), queries=np.empty((0, 5))), QueryRecipe(
        count=40, exclude_self=True))  # fmt: skip
    coming = Coming(dataset, 1.0, seed=2)
    assert coming.before.n == 60
    all_in = coming.at(1.0, None)
    assert all_in.dataset.n == 120
    assert all_in.change.n_added == 60
    np.testing.assert_array_equal(all_in.dataset.items[:60], coming.before.items)
    assert {tuple(row) for row in all_in.dataset.items} == {tuple(row) for row in dataset.items}
    own = all_in.dataset.query_rows
    np.testing.assert_array_equal(all_in.dataset.items[own], dataset.queries)
    here = coming.before.query_rows >= 0
    assert 0 < here.sum() < 40
    np.testing.assert_array_equal(
        coming.before.items[coming.before.query_rows[here]], dataset.queries[here]
    )


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_noise_is_put_on_the_vectors_as_they_were_read(metric):
    raw = data()
    searched = searched_by(raw, metric)
    changed = Moving(raw, searched, (0.3,), seed=0).at(1.0, 0.3).dataset
    moved = Moving(raw, raw, (0.3,), seed=0).at(1.0, 0.3).dataset.items
    if metric == "cosine":
        np.testing.assert_allclose(np.linalg.norm(changed.items, axis=1), 1, atol=1e-6)
        expected = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        np.testing.assert_allclose(changed.items, expected, atol=1e-6)
    assert changed.items.shape == searched.items.shape
    assert decay(raw, searched, FLAT, 5, SMALL).points[-1].changed == 120


def test_the_bias_of_a_softmax_layer_does_not_move():
    layer = data(logits=True)
    changed = Moving(layer, layer, (1.0,), seed=0).at(1.0, 1.0).dataset
    np.testing.assert_array_equal(changed.items[:, -1], layer.items[:, -1])
    assert (changed.items[:, :-1] != layer.items[:, :-1]).any(axis=1).all()


@pytest.mark.parametrize("recipe", [SMALL, Recipe(kind="new", shares=(0.0, 0.5))])
@pytest.mark.parametrize("n", [2, 3])
def test_few_items_and_more_answers_than_there_are(recipe, n):
    dataset = data(n=n, m=1)
    found = decay(dataset, dataset, replace(FLAT, effort=50), 100, recipe)
    assert max(point.K for point in found.points) <= n
    assert all(point.precision("frozen") == 1 for point in found.points)  # all is opened
    assert found.points[0].changed == 0 < found.points[-1].changed
    used = {one.effort for point in found.points for way in point.ways.values() for one in way}
    said = effort_in_words(found.setting, found.points)
    between = f"{min(used)} to {max(used)}" if len(used) > 1 else f"{max(used)}"
    assert said.startswith(f"{between} probe")
    assert said.endswith(", the most offered up to 50")
    assert in_words([advice(found.of_size(size)) for size in found.sizes])


def test_what_cannot_be_tried_is_refused_in_words():
    one = Dataset(np.ones((1, 5)), np.ones((2, 5)), name="one")
    with pytest.raises(DataError, match="one holds one item: none can be held out"):
        decay(one, one, FLAT, 1, Recipe(kind="new"))
    assert decay(one, one, FLAT, 1, SMALL).points[-1].changed == 1
    without = Dataset(np.ones((3, 5)), name="mute")
    with pytest.raises(DataError, match="mute has no queries"):
        decay(without, without, FLAT, 1, SMALL)
    zeros = Dataset(np.ones((3, 5)), np.zeros((2, 5)))
    with pytest.raises(DataError, match="All queries are zero"):
        decay(zeros, zeros, FLAT, 1, SMALL)
    tree = Setting(INDEXES["pca-tree"](), 0, 1)
    with pytest.raises(ParamError, match="PCA-tree cannot be updated"):
        decay(one, one, tree, 1, SMALL)
    for wrong, said in (
        ({"kind": "other"}, "kind is 'other'"),
        ({"shares": (1.5,)}, "share of changes is 1.5"),
        ({"sizes": (float("nan"),)}, "size of changes is nan"),
        ({"shares": ()}, "No share"),
        ({"builds": 2}, "2 builds"),
        ({"rounds": 0}, "0 rounds"),
    ):
        with pytest.raises(ParamError, match=said):
            Recipe(**wrong)


def test_partial_results_come_and_work_can_be_cancelled():
    seen = []

    def watch(fraction, message, partial=None):
        assert 0 <= fraction <= 1
        if partial is not None:
            seen.append(partial)
        if len(seen) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        decay(data(), data(), FLAT, 5, SMALL, watch)
    assert [len(partial.points) for partial in seen] == [1, 2]


def point(frozen, rebuilt, share=0.5, cost=(10.0, 10.0), m=400, size=1.0):
    """A change where the ways find so many of 10 answers of each query, with three builds."""
    hits = {"frozen": frozen, "refreshed": rebuilt, "rebuilt": rebuilt}
    rng = np.random.default_rng(0)
    return Fresh(
        **{"n": 100, "changed": 50, "removed": 0, "share": share, "size": size, "K": 10, "m": m},
        **{"longer": 0, "excess": 1.0},
        ways={
            way: tuple(
                Outcome(2, (rng.random(m) < found % 1).astype(int) + int(found), spent, 100, 0.1)
                for _ in range(3)
            )
            for (way, found), spent in zip(hits.items(), (cost[0], cost[1], cost[1]), strict=True)
        },
    )


def test_the_advice_names_where_frozen_clusters_surely_fall_and_up_to_where_they_hold():
    points = [point(9, 9, 0.1), point(9, 9, 0.2), point(8.85, 9, 0.3), point(7, 9, 0.5)]
    found = advice(points, 0.01)
    assert [verdict(p, "frozen") for p in points] == ["holds", "holds", "cannot tell", "falls"]
    assert (found.holds, found.falls) == (points[1], points[3])
    words = found.in_words()
    assert words.startswith("**Refresh or rebuild before 50% of the items moved by 1 rms.**")
    assert (
        "find 70.0% of the true answers and a rebuild 90.0%: 20.0 points fewer (95% interval"
        in words
    )
    assert "Up to 20% they stay within 1 point." in words
    assert advice(points, 0.5).falls is None
    assert advice(points, 0.5).holds is points[3]
    assert in_words([advice(points, 0.5)])[0].startswith("**No rebuild is needed for moves of 1")
    unsure = in_words([advice(points[:3], 0.01)])[0]
    assert "not shown to fall more than 1 point behind" in unsure
    with pytest.raises(ParamError, match="Nothing was measured"):
        advice([])


def test_searches_that_became_dear_are_a_reason_too():
    dear = point(9, 9, 0.3, cost=(30.0, 10.0))
    found = advice([point(9, 9, 0.1), dear])
    assert (found.due, found.dear, found.falls) == (dear, dear, None)
    words = found.in_words()
    assert words.startswith("**Refresh or rebuild before 30% of the items")
    assert "A search of frozen clusters costs 3 times as much as one of a rebuild." in words
    assert in_words_of_one(dear).startswith("**A search of frozen clusters costs 3 times")


def test_what_all_builds_share_is_no_luck():
    """Each build finds something else, and a rebuild of it one answer more: for all queries."""
    rng = np.random.default_rng(0)
    hits = [rng.integers(0, 9, 200) for _ in range(3)]
    ways = {
        way: tuple(Outcome(1, h + (way == "rebuilt"), 1.0, 1, 0.0) for h in hits) for way in WAYS
    }
    seen = replace(point(9, 9), m=200, ways=ways).behind("frozen")
    assert seen.mean == pytest.approx(0.1)
    assert 0.09 < seen.low < seen.mean <= seen.high < 0.11
    assert seen.by_seed == pytest.approx((0.1, 0.1, 0.1))


def test_a_rebuild_is_earned_back_where_its_searches_are_cheaper():
    cheaper = point(9, 9, cost=(30.0, 10.0))
    spent = {"frozen": 1000, "refreshed": 2000, "rebuilt": 9000}
    outcomes = {
        way: tuple(replace(one, spent=spent[way]) for one in cheaper.ways[way]) for way in WAYS
    }
    cheaper = replace(cheaper, ways=outcomes)
    assert cheaper.paid_back("frozen") == 400
    assert "costs 20 inner products less" in advice([cheaper]).in_words()
    assert "after about 400 searches" in advice([cheaper]).in_words()
    assert point(9, 9).paid_back("frozen") is None


def test_one_real_change_in_words():
    assert in_words_of_one(point(9, 9)).startswith("**No rebuild is needed")
    assert in_words_of_one(point(7, 9)).startswith("**Refresh.** Frozen clusters find 70.0%")
    nothing = replace(point(9, 9), changed=0)
    assert in_words_of_one(nothing) == "**Nothing is to be kept up with.**"
    assert "cannot be told" in in_words_of_one(point(9.1, 9.2, m=20))


def labelled(dataset, labels):
    return replace(dataset, labels=labels)


def test_versions_are_matched_by_label_wherever_the_rows_are():
    old = labelled(data(n=6), list("abcdef"))
    X = old.items[[5, 3, 1, 0]].copy()
    X[1] *= 2
    X[2] *= 1 + 1e-5  # rounded
    new = Dataset(np.concatenate([X, X[:1]]), labels=["f", "d", "b", "a", "<i>z</i>"])
    seen = compare_versions(old, new)
    assert seen.by == "label"
    assert list(seen.change.before) == [5, 3, 1, 0, -1]
    assert list(seen.change.moved) == [False, True, False, False, False]
    assert (seen.change.n_added, seen.change.n_removed, seen.rounded) == (1, 2, 1)
    np.testing.assert_allclose(seen.cosines, [1], atol=1e-6)
    np.testing.assert_allclose(seen.ratios, [2], rtol=1e-6)
    assert "1 item moved, 1 is new, 2 left, of 6 before" in seen.in_words()
    assert "1 other differs by rounding alone" in seen.in_words()
    assert not list(seen.warnings())


def test_repeated_labels_are_matched_in_their_order_and_said():
    old = labelled(data(n=4), ["a", "a", "b", "c"])
    new = Dataset(old.items[[0, 1, 1]], labels=["a", "a", "a"])
    seen = compare_versions(old, new)
    assert list(seen.change.before) == [0, 1, -1]
    assert next(iter(seen.warnings())).startswith("1 label stands for more than one row")


def test_without_labels_rows_are_matched_by_number():
    old = data(n=5)
    seen = compare_versions(old, Dataset(-old.items[:3]))
    assert (seen.by, seen.change.n_moved, seen.change.n_removed) == ("row", 3, 2)
    assert any("another way than before" in said for said in seen.warnings())
    assert "Nothing changed" in compare_versions(old, old).in_words()


def test_versions_that_do_not_fit_are_refused():
    old = data()
    with pytest.raises(DataError, match="some has 4 dimensions, some 5"):
        compare_versions(old, data(d=4))
    with pytest.raises(DataError, match="softmax layer"):
        compare_versions(old, data(logits=True))
    with pytest.raises(DataError, match="some has no labels"):
        compare_versions(old, old, "label")
    with pytest.raises(ParamError, match="converted for its metric"):
        compare_versions(old, searched_by(old, "cosine"))
    with pytest.raises(DataError, match="holds 120 items, the old version 50"):
        kept_fresh(compare_versions(data(n=50), old), old, FLAT, 5)


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_a_new_version_is_kept_up_with_and_queries_find_their_own_rows(metric):
    old = with_queries(replace(data(), queries=np.empty((0, 5))), QueryRecipe(
        count=40, exclude_self=True))  # fmt: skip
    new = Dataset(np.concatenate([old.items[10:] * 1.5, data(n=7, seed=4).items]))
    versions = compare_versions(old, new)
    found = kept_fresh(versions, searched_by(old, metric), FLAT, 5)
    assert (found.point.n, found.point.m, found.point.removed) == (117, 40, 3)
    rows_now = versions.change.rows_now(old.query_rows)
    assert ((rows_now == -1) == (old.query_rows >= 117)).all()
    for way in WAYS:
        assert 0 < found.point.precision(way) <= 1


def test_tables_and_reports_hold_what_was_measured(found):
    table = rows(data(), found.setting, found.points)
    assert len(table) == 3 * len(found.points)
    last = table[-1]
    assert (last["way"], last["share"], last["precision@5"]) == (
        *("rebuilt", 1.0),
        found.points[-1].precision("rebuilt"),
    )
    assert last["points_behind"] is None
    assert table[0]["simulated_change"]
    report = json.loads(json.dumps(as_dict(data(), found.setting, found.points)))
    assert report["rows"] == table
    assert report["index"]["n_clusters"] == 8


def test_the_pictures_show_every_point_of_every_way(found):
    lines = [t for t in figures.decay_figure(found)["data"] if t["name"]]
    assert [line["name"] for line in lines] == ["Frozen clusters", "Refreshed", "Rebuilt"]
    for line, way in zip(lines, WAYS, strict=True):
        np.testing.assert_allclose(line["y"], [p.precision(way) for p in found.points])
        np.testing.assert_allclose(line["x"], np.sqrt([0, 0.1, 1]))
    assert any(
        "Simulated" in a["text"] for a in figures.decay_figure(found)["layout"]["annotations"]
    )
    frozen = figures.cost_figure(found)["data"][0]
    assert np.isnan(frozen["y"][0])
    assert frozen["y"][-1] == found.points[-1].spent("frozen")
    seen = compare_versions(data(), Dataset(data().items * 2))
    bars = figures.moves_figure(seen)["data"]
    assert all(bar["y"].sum() == 120 for bar in bars)


@pytest.fixture
def run(tmp_path):
    def call(*arguments, index="flat-kmeans"):
        np.save(tmp_path / "items.npy", data().items)
        given = ["drift", str(tmp_path / "items.npy"), "--index", index, "--n-queries", "30"]
        return CliRunner().invoke(main, [*given, *arguments])

    return call


def test_the_command_says_it_and_writes_it(run, tmp_path):
    out = tmp_path / "out.json"
    done = run("--shares", "0.1,1", "--sizes", "1", "--effort", "2", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert "Changes are simulated" in done.stdout
    assert "**" not in done.stdout
    assert "30 queries, 5 builds at 2 probes. Intervals" in done.stdout
    assert max(map(len, done.stdout.split("Moved by 1 rms")[1].splitlines()[:8])) <= 80
    assert len(json.loads(out.read_text())["rows"]) == 6


def test_the_command_takes_a_later_version(run, tmp_path):
    np.save(tmp_path / "later.npy", np.concatenate([data().items * 1.1, data(seed=8).items]))
    done = run("--new", str(tmp_path / "later.npy"))
    assert done.exit_code == 0, done.output
    assert "Matched by row number, 120 items moved, 120 are new, 0 left" in done.stdout
    assert "longer than any was" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--shares", "2"), "share of changes is 2"),
        (("--shares", "x"), "give numbers joined by commas"),
        (("--tolerance", "2"), "tolerance is 2"),
        (("--effort", "0"), "0 is not in the range x>=1"),
        (("--set", "n_clusters=2,4"), "2 settings were given"),
        (("--index", "srp-hash"), "2 settings were given"),
    ],
)
def test_the_command_refuses_in_words(run, arguments, said):
    done = run(*arguments)
    assert done.exit_code
    assert said in done.output


def test_the_command_refuses_a_method_without_centroids(run):
    said = run(index="srp-hash").output
    assert "SRP-hash cannot be updated" in said
    assert "These can be updated: Flat k-means, Norm head + k-means, " in said
