"""Every limit with a name, in one place. A message that refuses something shows the number."""

MAX_K = 100
"""Most answers a query may ask for in an evaluation or on a page."""

MAX_FILE_BYTES = 2_000 * 2**20
"""Largest file read, before and after decompression."""

MAX_VALUES = 400_000_000
"""Most numbers (rows x columns) taken from one file: 1.6 GB as float32."""

MAX_MAGNITUDE = 1e15
"""Largest absolute value of a vector's entry: beyond it float32 products may overflow."""

MAX_CLUSTERS = 200_000
"""Most clusters of one level."""

BLOCK_BYTES = 64 * 2**20
"""Memory one evaluation block may take for candidates."""

CACHE_BYTES = 1_500 * 2**20
"""What all remembered results of one process may take together."""

ZERO_NORM = 1e-6
"""Queries shorter than this, or than this share of the longest query where that is shorter than 1,
are dropped from evaluation: every item scores the same."""
