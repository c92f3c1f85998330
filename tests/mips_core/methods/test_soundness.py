"""Each rule refuses what breaks it, in words, and nothing else."""

import numpy as np
import pytest

from mips_core.methods import soundness
from mips_core.methods.soundness import UnsoundError

ONES = np.ones((2, 2), np.float32)
LISTS = (np.array([0, 2, 3]), np.array([0, 2, 1]), np.array([0, 1, 0]), 2)


@pytest.mark.parametrize(
    ("rule", "sound", "broken", "words"),
    [
        ("shape", (np.zeros((2, 3)), (2, 3), "it"), (np.zeros(6), (2, 3), "it"), "it is .6,."),
        ("within", (np.array([0, 4]), 5, "it"), (np.array([5]), 5, "it"), "it leaves 0 to 5"),
        ("within", (np.array([], int), 0, "it"), (np.array([-1]), 5, "it"), "it leaves 0 to 5"),
        ("ascending", (np.array([0, 2, 2]), 2, 2, "it"), (np.array([0, 3, 2]), 2, 2, "it"), "asc"),
        ("ascending", (np.array([0]), 0, 0, "it"), (np.array([1, 2]), 1, 2, "it"), "from 0 to 2"),
        ("permutation", (np.array([1, 0]), 2, "it"), (np.array([1, 1]), 2, "it"), "an item twice"),
        ("unit", (ONES / 2, (2, 2), "it"), (ONES, (2, 2), "it"), "it are longer than 1"),
        ("lists", LISTS, (*LISTS[:2], np.array([1, 0, 0]), 2), "differ from labels"),
        ("lists", LISTS, (LISTS[0], np.array([2, 0, 1]), *LISTS[2:]), "a list does not ascend"),
    ],
)
def test_a_rule(rule, sound, broken, words):
    check = getattr(soundness, f"check_{rule}")
    check(*sound)
    with pytest.raises(UnsoundError, match=words):
        check(*broken)


def test_a_structure_without_a_check_is_named():
    with pytest.raises(UnsoundError, match=r"a structure dict has no check.n, d. to say whether"):
        soundness.check_structure({}, 1, 1)


def test_what_was_built_is_held_against_what_was_wanted():
    soundness.expect_built((3, 2), (3, 2), "keys")
    with pytest.raises(UnsoundError, match="keys: 3 built, 2 asked for"):
        soundness.expect_built(3, 2, "keys")
    with pytest.raises(UnsoundError, match="labels are not what follows from the other parts"):
        soundness.expect_equal(np.zeros(2), np.ones(2), "labels")
