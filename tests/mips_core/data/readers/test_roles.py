"""Several files together, and the choices a person may make among them."""

import io

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import Choices, UnsettledError, read, understand

rng = np.random.default_rng(0)
W, H = (rng.normal(size=shape).astype(np.float32) for shape in ((7, 3), (5, 3)))
B = rng.normal(size=7).astype(np.float32)
OTHER = rng.normal(size=(4, 3)).astype(np.float32)


@pytest.fixture
def put(tmp_path):
    """put(name, array or text, …) -> paths"""

    def put(*named):
        paths = []
        for name, content in zip(named[::2], named[1::2], strict=True):
            path = tmp_path / name
            if isinstance(content, np.ndarray):
                file = io.BytesIO()
                np.save(file, content)
                path.write_bytes(file.getvalue())
            else:
                path.write_text(content)
            paths.append(path)
        return paths

    return put


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_a_classifier_layer_in_three_files(put, order):
    named = [("W.npy", W), ("b.npy", B), ("H.npy", H)]
    data = read(put(*sum((named[i] for i in order), ())))
    assert data.logits
    np.testing.assert_array_equal(data.items, np.hstack([W, B[:, None]]))
    np.testing.assert_array_equal(data.queries, np.hstack([H, np.ones((5, 1), np.float32)]))
    np.testing.assert_allclose(data.queries @ data.items.T, H @ W.T + B, rtol=1e-5)


def test_a_bias_as_text_with_one_number_a_line(put):
    data = read(put("weights.npy", W, "bias.txt", "\n".join(map(str, B.tolist()))))
    assert data.logits
    np.testing.assert_array_equal(data.items[:, -1], B)


def test_a_bias_of_another_length_is_no_bias(put):
    with pytest.raises(DataError, match=r"b\.npy"):
        read(put("W.npy", W, "b.npy", B[:4]))


def test_items_queries_and_labels(put):
    labels = "\n".join("abcdefg")
    data = read(put("labels.txt", labels, "queries.npy", H, "items.npy", W))
    np.testing.assert_array_equal(data.items, W)
    np.testing.assert_array_equal(data.queries, H)
    assert data.labels == list("abcdefg")


PROSE = "Made by hand.\nVersion 1.0\n"


def test_what_explains_the_others_is_left_out_and_said(put):
    about = ("README.md", PROSE, "LICENSE-2.0.txt", PROSE, "config.json", '{"d": 3}')
    data = read(put(*about, "items.npy", W, "words.txt", "\n".join("abcdefg")))
    assert (data.n, data.m, data.labels) == (7, 0, list("abcdefg"))
    assert "Left out: “README.md”, “LICENSE-2.0.txt”, “config.json”." in data.notes
    with pytest.raises(DataError, match=r"notes\.txt has 1 line for 7"):
        read(put("items.npy", W, "notes.txt", "What this is.\n"))
    with pytest.raises(DataError, match=r"README\.md holds no vectors"):
        read(put("README.md", "What this is.\n", "LICENSE", "Yours.\n"))


def test_beside_a_readme_an_array_may_be_chosen_as_in_the_file_alone(put, tmp_path):
    np.savez(tmp_path / "two.npz", one=W, two=OTHER)
    paths = [*put("readme.txt", PROSE), tmp_path / "two.npz"]
    with pytest.raises(UnsettledError):
        read(paths)
    np.testing.assert_array_equal(read(paths, Choices(array="two")).items, OTHER)


def test_several_files_of_vectors_need_a_choice(put):
    paths = put("one.npy", W, "two.npy", H, "three.npy", OTHER)
    with pytest.raises(UnsettledError) as caught:
        read(paths)
    assert [offer.name for offer in caught.value.offers.arrays] == ["one.npy", "two.npy",
                                                                    "three.npy"]  # fmt: skip
    assert "7 × 3, float32" in str(caught.value)
    chosen = understand(paths, Choices(array="two.npy", queries="three.npy"))
    np.testing.assert_array_equal(chosen.dataset.items, H)
    np.testing.assert_array_equal(chosen.dataset.queries, OTHER)
    assert chosen.offers.array == "two.npy"
    assert any("one.npy" in note for note in chosen.dataset.notes if "Left out" in note)


def test_a_choice_turns_two_files_round(put):
    paths = put("one.npy", W, "two.npy", H)
    usual = understand(paths)
    assert (usual.offers.array, usual.offers.queries) == ("one.npy", "two.npy")
    turned = read(paths, Choices(array="two.npy", queries="one.npy"))
    np.testing.assert_array_equal(turned.items, H)
    np.testing.assert_array_equal(turned.queries, W)
    assert read(paths, Choices(queries="-")).m == 0


def test_a_choice_that_is_not_there_is_named(put):
    paths = put("one.npy", W, "two.npy", H)
    with pytest.raises(DataError, match=r"three\.npy.*one\.npy"):
        read(paths, Choices(array="three.npy"))
    with pytest.raises(DataError, match="dimensions"):
        read(put("one.npy", W, "wide.npy", np.ones((2, 9))), Choices(queries="wide.npy"))


def bad(W):
    spoiled = W.astype(np.float64)
    spoiled[2, 1], spoiled[5, 0] = np.nan, np.inf
    return spoiled


def test_bad_rows_are_refused_and_left_out_on_request(put):
    paths = put("v.npy", bad(W), "labels.txt", "\n".join("abcdefg"))
    with pytest.raises(UnsettledError, match="row 2, column 1, and 1 more") as caught:
        read(paths)
    assert caught.value.offers.bad_rows == 2
    data = read(paths, Choices(skip_bad=True))
    np.testing.assert_array_equal(data.items, np.delete(W, [2, 5], axis=0))
    assert data.labels == list("abdeg")
    assert any("2 rows were left out" in note and "(row 2, 5)" in note for note in data.notes)


def test_bad_queries_and_biases_count_too(put):
    data = read(put("items.npy", W, "queries.npy", bad(W)), Choices(skip_bad=True))
    assert data.m == 5
    spoiled = B.copy()
    spoiled[0] = np.nan
    layer = put("W.npy", W, "b.npy", spoiled)
    with pytest.raises(UnsettledError):
        read(layer)
    np.testing.assert_array_equal(read(layer, Choices(skip_bad=True)).items[:, -1], B[1:])


def test_rows_that_are_all_bad_leave_nothing(put):
    with pytest.raises(DataError, match="nan"):
        read(put("v.npy", np.full((3, 2), np.nan)), Choices(skip_bad=True))


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f2", "<i4", "|u1", "<f4"])
def test_the_stored_dtype_is_kept_on_request(put, dtype):
    stored = (np.abs(W) * 50).astype(dtype)
    paths = put("items.npy", stored, "queries.npy", stored[:2])
    kept = read(paths, keep_dtype=True)
    assert kept.items.dtype == np.dtype(dtype).newbyteorder("=")
    assert kept.items.flags.c_contiguous
    np.testing.assert_array_equal(kept.items, stored)
    usual = read(paths)
    assert usual.items.dtype == np.float32
    np.testing.assert_array_equal(kept.float32().items, usual.items)
    assert kept.float32().fingerprint == usual.fingerprint


def test_whole_numbers_that_float32_rounds_are_noted(put):
    exact = np.array([[2**24, 1], [3, 4]], np.int64)
    assert not any("rounded" in note for note in read(put("v.npy", exact)).notes)
    assert any("rounded" in note for note in read(put("w.npy", exact + 1)).notes)
    assert not any(
        "rounded" in note for note in read(put("w.npy", exact + 1), keep_dtype=True).notes
    )


@pytest.mark.parametrize("keep_dtype", [False, True])
def test_whole_numbers_out_of_range_are_bad_rows(put, keep_dtype):
    large = np.array([[1, 2], [-(2**63), 4], [5, 6]], np.int64)
    paths = put("v.npy", large)
    with pytest.raises(UnsettledError, match=r"v\.npy holds -9.2.* in row 1, column 0"):
        read(paths, keep_dtype=keep_dtype)
    assert read(paths, Choices(skip_bad=True), keep_dtype=keep_dtype).n == 2


def fvecs(array):
    rows = [np.int32(array.shape[1]).tobytes() + row.tobytes() for row in array]
    return b"".join(rows)


def test_ground_truth_beside_items_and_queries_is_left_out(tmp_path):
    for name, array in (("base", W), ("query", H)):
        (tmp_path / f"sift_{name}.fvecs").write_bytes(fvecs(array))
    truth = np.arange(20, dtype=np.int32).reshape(5, 4)
    (tmp_path / "sift_groundtruth.ivecs").write_bytes(fvecs(truth))
    data = read(sorted(tmp_path.iterdir()))
    np.testing.assert_array_equal(data.items, W)
    np.testing.assert_array_equal(data.queries, H)
    assert any("sift_groundtruth.ivecs holds ids of nearest neighbors" in n for n in data.notes)


def test_ground_truth_as_npy_beside_items_and_queries_is_left_out(put):
    truth = np.arange(20).reshape(5, 4)
    data = read(put("items.npy", W, "queries.npy", H, "neighbors.npy", truth))
    assert (data.n, len(data.queries)) == (7, 5)
    assert any("neighbors.npy holds ids" in note for note in data.notes)
