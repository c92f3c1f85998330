"""Only settings that differ are told."""

from mips_core.studies.runs.settings import differing


def test_only_settings_that_differ_are_rows(runs):
    found = differing(runs[:2])
    assert [(row.name, row.values) for row in found.rows] == [("Clusters", ("12", "40"))]
    assert found.same_in_words() == (
        "Equal in all: data, metric, queries, K, method, other parameters, seed and versions."
    )
    methods = differing(runs[1:])
    assert {"Method", "Clusters"} <= {row.name for row in methods.rows}
    assert {row.name: row.values for row in methods.rows}["Clusters"] == ("40", "–")
