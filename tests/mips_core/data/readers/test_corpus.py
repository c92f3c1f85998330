"""Files that once mattered, read again: sound ones, damaged ones, and every fault that was found.

`python -m benchmarks.fuzz.corpus` writes them, all but the faults.
"""

from typing import get_args

import pytest

from benchmarks.fuzz.corpus import CORPUS, cases_of
from benchmarks.fuzz.judge import judge, ways_of
from benchmarks.fuzz.seeds import IN_CHILD, SEEDS, Kind

CASES = cases_of(CORPUS)
MOST_BYTES = 300_000
PARSERS = sorted({name.split("/")[0] for name, _ in CASES})


def ways_for(parser):
    """All ways to read a file, or one where each starts a process."""
    ways = ways_of(parser if parser in get_args(Kind) else "vectors")
    return ways[:1] if parser in IN_CHILD else ways


@pytest.mark.parametrize(("name", "paths"), CASES, ids=[name for name, _ in CASES])
def test_a_damaged_file_is_refused_in_words_or_read_soundly(name, paths):
    parser, case = name.split("/")
    if parser == "index":
        judge(paths, "index")  # the first answers of a method compile it
    for way in ways_for(parser):
        verdict = judge(paths, way)
        assert verdict.outcome != "fault", f"{way}: {verdict.what}"
        if way == ways_for(parser)[0] and case.startswith(("seed", "refused")):
            assert (verdict.outcome == "accepted") == case.startswith("seed"), verdict.what


def test_the_corpus_holds_every_parser_and_stays_small():
    assert set(PARSERS) == set(SEEDS)
    assert sum(path.stat().st_size for _, paths in CASES for path in paths) <= MOST_BYTES
