"""NumPy's .npz: several arrays in one zip; which is which is told by name, then by shape."""

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays import npy, sparse_matrix
from mips_core.data.readers.arrays.array_roles import assign
from mips_core.data.readers.arrays.named_arrays import NamedArray
from mips_core.data.readers.arrays.npz_archive import Archive
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Rank, Reader, Source, Table, register


def matches(head: bytes, name: str) -> bool:
    """A zip whose first member is a .npy, or any zip called .npz."""
    if not head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return False
    length = int.from_bytes(head[26:28], "little")
    return name.endswith(".npz") or head[30 : 30 + length].endswith(b".npy")


def read(source: Source, choices: Choices) -> Table:
    """Items, and queries, labels and bias where names and shapes tell them.

    A sparse matrix as SciPy saves it is made dense.
    """
    archive = Archive(source)
    headers = archive.headers
    if not headers:
        raise DataError(f"{source.name} holds no arrays.", "Save the vectors with numpy.savez.")
    if sparse_matrix.is_sparse(archive):
        return sparse_matrix.dense(archive)
    if len(headers) == 1:
        ((key, header),) = headers.items()
        npy.check_numbers(header, archive.title(key))
        npy.check_dimensions(header, archive.title(key))
    arrays = {key: NamedArray(header.shape, header.dtype) for key, header in headers.items()}
    roles = assign(arrays, choices, source.name)
    if roles.label:
        npy.check_labels(headers[roles.label].count, archive.title(roles.label))
    return roles.table(archive.arrays(roles.names), (*archive.notes, *roles.notes))


register(Reader("npz", "NumPy .npz", (".npz",), Rank.MAGIC, matches, read))
