"""Writing small files and reading them back."""

import h5py
import pyarrow as pa
import pytest
from scipy.io import savemat

from mips_core.base.errors import DataError
from mips_core.data.readers import read
from tests.mips_core.data.readers.in_child.arrow_writing import WRITERS


@pytest.fixture
def load(tmp_path):
    """load(name, content, …) writes the files, content as text or bytes, and reads them."""

    def load(*named):
        paths = []
        for name, content in zip(named[::2], named[1::2], strict=True):
            paths.append(tmp_path / name)
            paths[-1].write_bytes(content.encode() if isinstance(content, str) else content)
        return read(paths)

    return load


@pytest.fixture
def refusal(load):
    """refusal(name, content, …) is the text of the DataError those files raise."""

    def refusal(*named):
        with pytest.raises(DataError) as caught:
            load(*named)
        assert named[0] in str(caught.value) or named[-2] in str(caught.value)
        assert caught.value.remedy
        return str(caught.value)

    return refusal


@pytest.fixture
def arrow_file(tmp_path):
    """arrow_file(name=column, …) is a Parquet file, or one by another of WRITERS."""

    def arrow_file(columns, suffix="parquet"):
        columns = columns if isinstance(columns, pa.Table) else pa.table(columns)
        WRITERS[suffix](columns, str(tmp_path / f"x.{suffix}"))
        return tmp_path / f"x.{suffix}"

    return arrow_file


@pytest.fixture
def hdf5_file(tmp_path):
    """hdf5_file(path=array, …) is a file with these data sets; "attrs" are those of the file."""

    def hdf5_file(arrays, attrs=None, name="file.h5", **options):
        with h5py.File(tmp_path / name, "w") as file:
            for path, array in arrays.items():
                file.create_dataset(path, data=array, **options)
            file.attrs.update(attrs or {})
        return tmp_path / name

    return hdf5_file


@pytest.fixture
def matlab_file(tmp_path):
    def matlab_file(packed=False, **variables):
        path = tmp_path / "m.mat"
        savemat(path, variables, do_compression=packed)
        return path

    return matlab_file
