"""The methods there are, by command."""

from mips_core import INDEXES


def test_indexes_lists_every_key_and_parameter(run):
    text = run("indexes").output
    for key, cls in INDEXES.items():
        assert f"{key}: {cls.label}" in text
    for words in ("n_clusters = 0", "reduction = paper", "reduction.U = 0.75", "46x2154"):
        assert words in text
