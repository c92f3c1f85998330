"""A header is what NumPy wrote, or it is refused; none is evaluated or believed."""

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.data.readers.arrays.npy_header import read_header


def test_a_python_2_header_is_read(load):
    X = np.arange(1, 7, dtype="<f4").reshape(3, 2)
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 2L), }".ljust(117) + b"\n"
    old = b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + X.tobytes()
    np.testing.assert_array_equal(load("old.npy", old).items, X)


@given(
    st.recursive(
        st.sampled_from(["<f4", ">i8", "|u1", "<U7", "|S3", "|b1", "<c16", "<M8[us]", "|O"]),
        lambda inner: st.lists(
            st.tuples(
                st.text(st.characters(max_codepoint=255, categories=["L", "N"]) | st.just("'"),
                        min_size=1, max_size=5),
                inner,
            ),
            min_size=1, max_size=3, unique_by=lambda field: field[0],
        ),
        max_leaves=4,
    ),
    st.lists(st.integers(0, 9), max_size=4).map(tuple),
)  # fmt: skip
def test_a_header_is_what_numpy_wrote(described, shape):
    dtype = np.lib.format.descr_to_dtype(described)
    file = io.BytesIO()
    fields = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": True, "shape": shape}
    np.lib.format.write_array_header_2_0(file, fields)
    length = file.tell()
    file.seek(0)
    header = read_header(file, "x.npy")
    assert (header.dtype, header.shape, header.fortran) == (dtype, shape, True)
    assert header.offset == length == file.tell()


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': [3, 2]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, '2')}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)} 5",
        "{'descr': '<f4,<f4', 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': '(99999999,99999999)f4', 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': '<U999999999', 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': [], 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': ('<f4', (99999999, 99999999)), 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "2," * 65 + ")}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}".ljust(10_001),
        "(" * 9000,
        "-" * 9000 + "1",
        "__import__('os').system('false')",
        "",
    ],
)
def test_other_headers_are_refused(refusal, text):
    content = b"\x93NUMPY\2\0" + struct.pack("<I", len(text)) + text.encode() + bytes(24)
    assert "bad.npy" in refusal("bad.npy", content)


def test_a_huge_claim_is_checked_before_memory_is_taken(refusal):
    X = np.lib.stride_tricks.as_strided(np.zeros(1, "f4"), (10**9, 300), (0, 0))
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(X))
    text = refusal("claims.npy", file.getvalue() + bytes(400))
    assert "1,000,000,000 × 300" in text
    assert "400 bytes" in text
