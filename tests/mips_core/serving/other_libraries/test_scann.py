"""ScaNN: how many items it rescores, and what reaches the terminal."""

import os

import pytest

from mips_core.serving.other_libraries.scann import ScannTree, _without_log
from tests.mips_core.serving.other_libraries.installed import installed, items


def test_scann_rescores_more_with_every_leaf_and_all_in_the_end():
    tree = ScannTree(None, n=1000, n_leaves=20)
    rescored = [tree.rescored(10, effort) for effort in tree.efforts(10)]
    assert rescored == sorted(rescored)
    assert (rescored[0], rescored[-1]) == (40, 1000)
    assert ScannTree(None, n=5, n_leaves=1).rescored(5, 1) == 5
    assert ScannTree(None, n=5, n_leaves=1).in_words(1) == "1 leaf, 1 opened"


def test_scann_gives_no_answer_where_its_leaves_hold_too_few():
    built = installed("scann-tree").build(items(200), 0, 1)
    ids = built.search(items(20, seed=1), 100, 1)
    assert (ids[:, 0] >= 0).all()
    assert (ids[:, -1] == -1).any()


def test_the_terminal_gets_what_others_write_while_scann_is_built(capfd):
    installed("scann-tree").build(items(200), 0, 1)
    assert capfd.readouterr() == ("", "")
    with _without_log():
        os.write(2, b"I0000 00:00:1 2 x.cc:58] Size\nan error of another thread\n")
    assert capfd.readouterr() == ("", "an error of another thread\n")
    with pytest.raises(KeyError), _without_log():
        raise KeyError
    os.write(2, b"given back")
    assert capfd.readouterr().err == "given back"
