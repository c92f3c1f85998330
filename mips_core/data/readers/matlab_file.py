"""MATLAB .mat files of version 5 to 7, read in a child process; those of 7.3 are HDF5.

A child takes a second to start, on a busy machine more: so what a look at the header and at the
length of each variable shows to be damaged is refused before.
"""

from struct import Struct, error

from mips_core.base import limits
from mips_core.data.readers.child import read_table
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, damage_told, register

MAGIC = b"MATLAB 5.0 MAT-file"
HEADER = 128  # bytes: a text, the version, and two letters that tell the order of bytes
MATRIX, COMPRESSED = 14, 15  # the kinds that a variable may be of


def matches(head: bytes, name: str) -> bool:
    """The text that MATLAB, Octave and SciPy begin such a file with."""
    return head.startswith(MAGIC)


def read(source: Source, choices: Choices) -> Table:
    """What `in_child.matlab.parse` finds."""
    with damage_told(f"{source.name} is a MATLAB file", (ValueError, error)):
        _check_variables(source)
    return read_table(
        "mips_core.data.readers.in_child.matlab:parse", "a MATLAB file", source, choices
    )


def _check_variables(source: Source) -> None:
    """Raise ValueError or struct.error where SciPy cannot list the variables.

    As it does, a last one that is cut short is let pass. No more are looked at than are read.
    """
    version = source.head[124:HEADER]
    little = version[2:] == b"IM"
    if len(version) < 4 or version[version[2] == ord("I")] not in (1, 2):
        raise ValueError("version")
    tag, at, looked = Struct("<II" if little else ">II"), HEADER, 0
    with source.path.open("rb") as file:
        while at < source.size and looked < limits.MAX_ARRAYS:
            file.seek(at)
            kind, length = tag.unpack(file.read(tag.size))
            if kind not in (MATRIX, COMPRESSED) or not length:
                raise ValueError("variable")
            at, looked = at + tag.size + length, looked + 1


register(Reader("matlab", "MATLAB .mat", (".mat",), Rank.MAGIC, matches, read))
