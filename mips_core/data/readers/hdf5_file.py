"""HDF5: benchmark sets (train, test), Keras weights, MATLAB 7.3, or any file with a table in it."""

from mips_core.data.readers.child import read_table
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register

SIGNATURE = b"\x89HDF\r\n\x1a\n"
OFFSETS = (0, *(512 << k for k in range(7)))  # where the format allows it


def matches(head: bytes, name: str) -> bool:
    """The signature of HDF5, perhaps after a block of another program, such as MATLAB."""
    return any(head.startswith(SIGNATURE, at) for at in OFFSETS)


def read(source: Source, choices: Choices) -> Table:
    """What `in_child.hdf5.parse` finds."""
    return read_table("mips_core.data.readers.in_child.hdf5:parse", "HDF5", source, choices)


register(Reader("hdf5", "HDF5", (".hdf5", ".h5", ".hdf", ".h5ad"), Rank.MAGIC, matches, read))
