"""The ladder of efforts that curves are traced along."""

import pytest

from mips_core.methods.searcher import ALL_EFFORTS, effort_ladder

BEYOND = [36, 40, 45, 50, 56, 63, 70, 78, 87, 97, 109, 122, 137, 154, 173, 194, 218, 245, 275, 309]


def test_a_ladder_has_every_effort_to_32_and_then_steps_of_an_eighth_rounded_down():
    assert ALL_EFFORTS == 32
    assert effort_ladder(309) == [*range(1, 33), *BEYOND]
    assert effort_ladder(310) == [*range(1, 33), *BEYOND, 310]


@pytest.mark.parametrize(
    ("most", "last"),
    [(1, [1]), (2, [1, 2]), (32, [31, 32]), (33, [32, 33]), (36, [32, 36]), (37, [36, 37])],
)
def test_a_ladder_ends_at_the_most_whatever_the_step(most, last):
    assert effort_ladder(most)[-len(last) :] == last


def test_a_ladder_of_a_million_has_121_steps():
    ladder = effort_ladder(1_000_000)
    assert ladder[-4:] == [724856, 815463, 917395, 1_000_000]
    assert len(ladder) == 121
