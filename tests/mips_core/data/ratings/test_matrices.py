"""Ratings as a matrix of users and items: arrays and tables."""

import io

import numpy as np
import pandas as pd
import scipy.sparse as sp


def test_arrays_of_users_and_items(triples):
    X = np.array([[5, 0, 3], [0, 1, 2.5]])
    rated = [("0", "0", 5.0), ("0", "2", 3.0), ("1", "1", 1.0), ("1", "2", 2.5)]
    assert triples("m.npy", saved(np.save, X)) == rated
    assert triples("m.npz", saved(np.savez, ratings=X)) == rated
    assert triples("s.npz", saved(sp.save_npz, sp.csr_matrix(X))) == rated
    holes = np.where(X == 5, np.nan, X)
    assert triples("nan.npy", saved(np.save, holes)) == [("0", "1", 0.0), *rated[1:2],
                                                         ("1", "0", 0.0), *rated[2:]]  # fmt: skip


def saved(save, *arrays, **named):
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


def test_tables_of_users_and_items(triples):
    X = pd.DataFrame(
        [[5, np.nan, 3, 1], [np.nan, 0, 2.5, 4]], ["u1", "u2"], ["i1", "i2", "i3", "i4"]
    )
    rated = [("u1", "i1", 5.0), ("u1", "i3", 3.0), ("u1", "i4", 1.0),
             ("u2", "i2", 0.0), ("u2", "i3", 2.5), ("u2", "i4", 4.0)]  # fmt: skip
    assert triples("pivot.csv", X.rename_axis("userId").to_csv()) == rated
    assert triples("pivot.csv", X.to_csv(sep=";", na_rep="NaN")) == rated
    assert triples("pivot.csv", X.to_csv(sep=";", decimal=",")) == rated
    by_number = X.set_axis([1, 20, 3, 400], axis=1)
    for frame in (by_number, by_number.rename_axis("userId")):
        assert triples("pivot.csv", frame.to_csv())[1] == ("u1", "3", 3.0)
        assert triples("pivot.csv", frame.set_axis([7, 8]).to_csv())[1] == ("7", "3", 3.0)
    numbered = X.fillna(0).assign(more=1).to_csv(header=False, index=False)
    assert ("1", "4", 1.0) in triples("plain.csv", numbered)
    assert ("1", "1", 0.0) not in triples("plain.csv", numbered)


def test_a_matrix_needs_a_name_for_each_user(refusal, load):
    text = "user,1,2,3,4\nu,1,2,3,4\n,1,2,3,4\n"
    assert "no user in line 3" in refusal("m.csv", text)
    assert load("m.csv", text, skip_bad=True).user_names == ["u"]


def test_a_line_broken_in_the_middle_of_a_matrix_is_named(refusal):
    text = "user,a,b\n" + "1,5,3\n" * 30_000 + "2,4\r,3\n"
    assert "cannot be read after line" in refusal("r.csv", text, layout="user")
