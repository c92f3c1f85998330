"""The sentences that say why: a search's against candidates alone, a cause's as their intervals."""

import re
from dataclasses import replace

import numpy as np

from mips_core import INDEXES, Dataset
from mips_core.groups.typed_queries.one_query import question_of_query
from mips_core.studies.misses.contrasts import Contrast
from mips_core.studies.misses.reasons import Cause, ordinal
from tests import oracle
from tests.mips_core.studies.misses.search_cases import SPECS, SearchCase, number, smooth

NUMBER = r"([\d,]+) \w+"
FOUND = re.compile(
    rf"(?:Found with |.*: )(?:the first \w+|{NUMBER})(?: a level)?(?: find it)?\.(.*)"
)
LOST = re.compile(rf" {NUMBER} lose it again\.")
HELD_BACK = r"(, under .*)?, ([\d,]+)\w\w of ([\d,]+) at level (\d): ([\d,]+) branches a level"


def test_a_sentence_names_the_effort_that_finds_an_answer_and_the_one_that_loses_it(index):
    X, Q = smooth()
    for query in range(3):
        dataset = Dataset(X, Q)
        case = SearchCase(index, dataset, question_of_query(dataset, query, 20))
        why = case.followed().why
        assert len(why) == 20
        held = [case.candidates(effort) for effort in case.efforts]
        for text, item in zip(why, case.true.ids, strict=True):
            has = [item in listed for listed in held]
            if text.startswith("No effort finds it: "):
                assert not any(has)
                continue
            effort, rest = FOUND.fullmatch(text).groups()
            first = case.efforts.index(number(effort))
            assert has[: first + 1] == [False] * first + [True]
            gone = LOST.fullmatch(rest)
            if gone:
                later = case.efforts.index(number(gone[1]))
                assert has[first : later + 1] == [True] * (later - first) + [False]
            else:
                assert rest == ""
                assert all(has[first:])


def test_sentences_of_a_flat_index_name_the_cluster_and_its_rank():
    X, Q = smooth()
    dataset = Dataset(X, Q, labels=[f"w{i}" for i in range(len(X))])
    case = SearchCase(SPECS["flat-kmeans"], dataset, question_of_query(dataset, 0, 30))
    found, level = case.followed(), case.levels[-1]
    order = found.order.tolist()
    for text, item in zip(found.why, found.true, strict=True):
        group = level.of[item]
        rank = order.index(group) + 1
        expected = (
            f"In cluster {group} ({level.names[group]}), the {ordinal(rank)} opened for this "
            f"query: {rank} probes find it."
        )
        assert text == ("Found with the first probe." if rank == 1 else expected)


def test_sentences_below_coarse_probes_name_the_rank_among_the_clusters_opened():
    X, Q = smooth()
    case = SearchCase(SPECS["coarse-probes"], Dataset(X, Q), k=50)
    found, groups = case.followed(), case.levels[-1].of
    order = found.order.tolist()
    assert len(order) > 5
    for text, item in zip(found.why, found.true, strict=True):
        group = groups[item]
        if group not in order:
            assert text == f"No effort finds it: cluster {group} is never opened for this query."
        elif group != order[0]:
            rank = order.index(group) + 1
            opened = f"the {ordinal(rank)} opened for this query: {rank} branches find it."
            assert text == f"In cluster {group}, {opened}"


def test_a_name_is_one_line_of_its_sentence():
    X, Q = smooth(n=320)
    dataset = Dataset(X, Q, labels=[f"w{i}\n" + 10_000 * "x" for i in range(len(X))])
    why = (
        SearchCase(SPECS["flat-kmeans"], dataset, question_of_query(dataset, 0, 30)).followed().why
    )
    told = [text for text in why if "(" in text]
    assert told
    for text in told:
        assert re.match(r"In cluster \d+ \(w\d+ x+…\), the ", text)
        assert len(text) < 200


def test_a_cluster_without_a_name_of_its_own_is_named_once():
    X, Q = smooth()
    followed = SearchCase(SPECS["flat-kmeans"], Dataset(X, Q), k=50).followed()
    assert any(re.match(r"In cluster \d+, the ", text) for text in followed.why)


def test_sentences_of_a_beam_name_the_level_that_held_an_answer_back():
    X, Q = smooth(n=1500)
    dataset = Dataset(X, Q, labels=[f"w{i}" for i in range(len(X))])
    case = SearchCase(SPECS["hierarchical-kmeans"], dataset, question_of_query(dataset, 0, 100))
    levels = case.searcher.tree.levels
    q = case.searcher.tree.lift.queries(Q[:1])[0]
    coarse = oracle.ranking(levels[0].centroids, q)
    seen = set()
    for text, item in zip(case.followed().why, case.true.ids, strict=True):
        told = re.search(HELD_BACK, text)
        if told is None:
            assert text.startswith("Found with the first branch.")
            continue
        under, rank, scored, level, effort = told.groups()
        rank, effort = number(rank), number(effort)
        assert case.efforts[case.efforts.index(effort) - 1] < rank <= effort
        fine = levels[-1].labels[item]
        if level == "1":
            assert under
            assert coarse.index(levels[0].labels[fine]) + 1 == rank
            assert number(scored) == len(coarse)
        else:
            children = np.flatnonzero(np.isin(levels[0].labels, coarse[:effort]))
            assert number(scored) == len(children)
            assert oracle.ranking(levels[-1].centroids, q, children).index(fine) + 1 == rank
        seen.add(level)
    assert seen == {"1", "2"}


def test_a_rank_is_told_only_where_fewer_branches_did_not_reach_it():
    X, Q = smooth(n=500, d=10, m=30)
    dataset = Dataset(X, Q)
    index = INDEXES["hierarchical-kmeans"](n_levels=6, n_clusters=300)
    told = []
    for query in range(10, 16):
        case = SearchCase(index, dataset, question_of_query(dataset, query, 100))
        for text in case.followed().why:
            if "branches a level" in text:
                effort = number(re.search(r"([\d,]+) branches a level", text)[1])
                less = case.efforts[case.efforts.index(effort) - 1]
                held_back = re.search(HELD_BACK, text)
                told.append(held_back is not None)
                assert held_back is None or less < number(held_back[2]) <= effort
    assert 1 <= told.count(False) < 10  # at six levels, a wider beam may lead another way down


def test_sentences_of_tables_say_that_no_bucket_is_shared():
    X, Q = smooth()
    why = SearchCase(SPECS["srp-hash"], Dataset(X, Q), k=50).followed().why
    assert "No effort finds it: it shares no bucket with the query." in why
    plain = SearchCase(SPECS["pca-tree-plain"], Dataset(X, Q), k=50).followed().why
    never = r"No effort finds it: leaf \d+ is never opened for this query\."
    assert any(re.fullmatch(never, text) for text in plain)


def test_a_copy_in_another_leaf_is_told():
    X, Q = smooth()
    dataset = Dataset(X, Q)
    texts = []
    for query in range(4):
        case = SearchCase(SPECS["top-down-copies"], dataset, question_of_query(dataset, query, 50))
        texts += case.followed().why
    assert any("with a copy in a leaf that is opened earlier: " in text for text in texts)


def test_ordinals():
    said = [ordinal(n) for n in (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111, 112, 1002)]
    assert " ".join(said) == (
        "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 22nd 101st 111th 112th 1,002nd"
    )


def cause_in_words(by_norm=None, by_nearness=None, m=60, longest=0.2, measure="norm"):
    return Cause(m, longest, measure, "clusters", by_norm, by_nearness).in_words()


def test_sentences_are_as_sure_as_their_intervals():
    near, norm = Contrast(0.95, 0.7, (-0.3, -0.2)), Contrast(0.9, 0.85, (-0.09, -0.01))
    assert cause_in_words(norm, near) == (
        "Misses gather at boundaries between clusters: 70.0% are found of the quarter of true "
        "answers nearest to a boundary, 95.0% of that farthest from one (25.0 points, 95% interval "
        "20.0 to 30.0). The norm matters less: 85.0% are found of the quarter of true answers of "
        "largest norm, 90.0% of that of smallest."
    )
    flat, wide = Contrast(0.9, 0.91, (-0.02, 0.04)), Contrast(0.5, 0.8, (-0.1, 0.7))
    assert " The norm does not explain them: " in cause_in_words(flat, near)
    assert " Whether the norm matters too cannot be told: " in cause_in_words(wide, near)
    assert cause_in_words(Contrast(0.5, 0.9, (0.3, 0.5)), flat).startswith(
        "Misses gather in items of small norm: 90.0% are found of the quarter of true answers of "
        "largest norm, 50.0% of that of smallest (40.0 points, 95% interval 30.0 to 50.0). "
        "Nearness to a boundary does not explain them: "
    )
    assert cause_in_words(Contrast(0.9, 0.5, (-0.5, -0.3))).startswith(
        "Misses gather in items of large n"
    )
    far = Contrast(0.5, 0.9, (0.3, 0.5))
    assert cause_in_words(None, far).startswith("Misses gather away from boundaries: ")
    assert cause_in_words(flat, replace(flat)).startswith(
        "Neither nearness to a boundary nor the norm explains the "
    )
    assert cause_in_words(flat).startswith(
        "The norm does not explain the misses: 91.0% are found of "
    )
    told = "60 queries do not tell whether nearness to a boundary or the norm explains the misses: "
    assert cause_in_words(flat, wide).startswith(told)
    unknown = Contrast(0.1, 0.4, None)
    assert cause_in_words(unknown, m=1, measure="distance from the centre").startswith(
        "1 query does not tell whether the distance from the centre explains the misses: "
    )
    assert cause_in_words() == ""
    few = Cause(60, 0.725, "norm", "clusters", None, None)
    told = "72.5% of the true answers are in the tenth of the items of largest norm."
    assert few.where_answers_are() == told
    assert replace(few, longest=0.5).where_answers_are() == ""
