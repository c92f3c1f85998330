"""Beyond one machine: vectors in parts on storage that all see, and work on each part.

Everything a task needs is a file or a small value, and so is all that it leaves. The functions that
run on a part are the same on the threads of this process and on a cluster of Dask, and so are the
bits: sums are int64 fixed point, near ties are decided in float64, draws are hashes of row numbers.
"""
