"""A built index in a file, and asked from there.

    StoredIndex --save--> INDEX.mips --load--> StoredIndex --search--> ids, scores

The file is safetensors: named arrays, and a header that says what they are (docs/index-file.md).
Nothing in it is run, and nothing it says is believed before it is checked: the checksum over all
its bytes first, then that its parts fit together.
"""

from mips_core.serving.store.files import load, save
from mips_core.serving.store.stored import SUFFIX, StoredIndex, stored_index
