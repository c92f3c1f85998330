"""Every limit with a name, in one place. A message that refuses something shows the number."""

# Answers and clusters
MAX_K = 100  # most answers a query may ask for in an evaluation or on a page
MAX_SEED = 2**63 - 1  # largest seed
MAX_CLUSTERS = 200_000  # most clusters of one level
# Queries shorter than this, or than this share of the longest query where that is shorter than 1,
# are dropped from evaluation: every item scores the same.
ZERO_NORM = 1e-6

# Files that are read
MAX_FILE_BYTES = 2_000 * 2**20  # largest file read, before and after decompression
# Most times its own size that a packed file may grow: zeros in gzip grow 1,032 times.
MAX_EXPANSION = 1_500
MAX_ARRAY_EXPANSION = 200  # the same of arrays of numbers: HDF5, Parquet, Arrow
SMALL_UNPACKED_BYTES = 64 * 2**20  # what any packed file may grow to, however small it is
# Memory that unpacking an .xz file may take; its header may ask for 4 GB.
MAX_UNPACKER_BYTES = 256 * 2**20
# Most files read together, or taken from one archive: Netflix comes as 17,770.
MAX_FILES = 20_000
MAX_LISTED_FILES = 1_000  # most files of the data folder that are offered
MAX_FOLDER_ENTRIES = 100_000  # most files and folders looked at to list the data folder
MAX_FOLDER_DEPTH = 2  # how many subfolders down the data folder is listed

# What is in them
# Most columns of a table of vectors: text of so many takes many times its size in memory.
MAX_TABLE_COLUMNS = 50_000
# Most numbers (rows x columns) taken from one file: 1.6 GB as float32.
MAX_VALUES = 400_000_000
# Largest absolute value of a vector's entry: beyond it float32 products may overflow.
MAX_MAGNITUDE = 1e15
# Most bytes the labels of one file, or the columns of text of one table, may take.
MAX_TEXT_BYTES = 400 * 2**20
MAX_ARRAYS = 10_000  # most arrays looked at in one file
# Longest header of a safetensors file; a tensor takes about 120 bytes of it.
MAX_HEADER_BYTES = 4 * 2**20
# Most labels taken from one array: as text they take about 100 bytes each.
MAX_LABELS = 10_000_000
# Most characters of a JSON document held at once, such as one row; parsed, they take more.
MAX_JSON_PIECE = 32 * 2**20
# Most vectors by name in one JSON object; each takes some 400 bytes beside its numbers.
MAX_JSON_NAMES = 3_000_000
# Most zeros filled in for each entry of a sparse matrix, so that a small file stays small.
MAX_ZEROS = 10_000
MAX_RATINGS = 120_000_000  # most ratings taken together: Netflix has 100,480,507
# Most columns of a table of ratings with a column for each item: MovieLens 25M has 59,047.
MAX_RATING_COLUMNS = 200_000
MAX_NAMES = 20_000_000  # most different users and items of ratings, together

# Parsers in a child process
CHILD_MEMORY_BYTES = 4 * 2**30  # memory (addresses) that one may take
CHILD_SECONDS = 1  # processor time that one has for the smallest file, rounded up, …
# … and what it must read a second beyond that; ten times less than was measured.
CHILD_BYTES_A_SECOND = 8 * 2**20
CHILD_STILL_SECONDS = 60  # one that reports no progress for so long is ended

# Memory and disk
BLOCK_BYTES = 64 * 2**20  # memory one evaluation block may take for candidates
CACHE_BYTES = 1_500 * 2**20  # what all remembered results of one process may take together
UNSEEN_CACHE_BYTES = 150 * 2**20  # of it, results that nobody has looked at for a while
ALONE_CACHE_BYTES = 32 * 2**20  # the same while nobody has the app open
# What copies of uploaded files may take on disk together, until they are used or dropped.
MAX_COPIED_BYTES = 8_000 * 2**20
# What blocks of numbers kept for browsers may take together: 20 MB a map of a million items.
MAX_BLOB_BYTES = 400 * 2**20
# What layouts of maps may take on disk together; the oldest are removed first.
MAX_LAYOUT_BYTES = 500 * 2**20
# What earlier data, and all that was measured on them, take on disk unless it is said otherwise.
MAX_EARLIER_BYTES = 2_000 * 2**20

# Visitors
MAX_VISITORS = 100  # most visitors with a page open; each takes some 3 MB of memory
# Files and sockets that are kept free of visitors: for data, kernels and child processes.
SPARE_DESCRIPTORS = 80
MAX_JOBS = 2_000  # most jobs of one visitor that wait or run
MAX_BEGUN = 3  # most jobs that have begun and stand aside for others; each keeps its memory
MAX_JOB_SECONDS = 6 * 3_600  # how long one job may work

# Runs
MAX_RUNS = 200  # most runs kept by one visitor, or in one file of runs
MAX_RUNS_TOGETHER = 20  # most runs drawn in one picture and held against each other
MAX_RUNS_FILE_BYTES = 64 * 2**20  # largest file of runs
# Most numbers (efforts x queries x values of K) a run keeps to be compared query by query.
MAX_RUN_HITS = 1_000_000
