"""hnswlib, where it refuses to answer."""

import numpy as np

from mips_core.serving.other_libraries.hnswlib import HnswlibHNSW


def test_a_query_that_hnswlib_refuses_gets_no_answer():
    class Refusing:
        """Answers queries of positive first entry alone."""

        def set_ef(self, ef):
            self.ef = ef

        def knn_query(self, Q, K):
            if (Q[:, 0] < 0).any():
                raise RuntimeError("Cannot return the results in a contiguous 2D array.")
            return np.full((len(Q), K), self.ef, np.uint64), None

    Q = np.array([[1, 0], [-1, 0], [2, 0]], np.float32)
    ids = HnswlibHNSW(Refusing()).search(Q, 2, 7)
    assert ids.tolist() == [[7, 7], [-1, -1], [7, 7]]
