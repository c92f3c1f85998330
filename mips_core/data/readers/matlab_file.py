"""MATLAB .mat files of version 5 to 7, read in a child process; those of 7.3 are HDF5."""

from mips_core.data.readers.child import read_table
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register

MAGIC = b"MATLAB 5.0 MAT-file"


def matches(head: bytes, name: str) -> bool:
    """The text that MATLAB, Octave and SciPy begin such a file with."""
    return head.startswith(MAGIC)


def read(source: Source, choices: Choices) -> Table:
    """What `in_child.matlab.parse` finds."""
    return read_table(
        "mips_core.data.readers.in_child.matlab:parse", "a MATLAB file", source, choices
    )


register(Reader("matlab", "MATLAB .mat", (".mat",), Rank.MAGIC, matches, read))
