"""What a report is gathered from fits together, and the same gives the same."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from mips_core import DataError, ParamError, Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.report import (
    as_set,
    html_of,
    notebook_of,
)
from tests.mips_core.report.reports import data, measured, reported


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


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_other_metrics_keep_the_fingerprint_of_what_was_read(metric):
    raw, searched = data(metric=metric)
    report = reported(raw, searched, measured(searched, ["flat-kmeans"], grid=1))
    assert report.data.fingerprint == raw.fingerprint != searched.fingerprint
    assert f"--metric {metric}" in report.commands[0]


def test_it_names_no_folder_and_no_machine(made):
    for text in (html_of(made), notebook_of(made)):
        assert str(Path(__file__).parents[3]) not in text
        assert socket.gethostname() not in text


def test_the_same_makes_the_same_page(case, made):
    assert html_of(reported(*case)) == html_of(made)
    assert notebook_of(reported(*case)) == notebook_of(made)
