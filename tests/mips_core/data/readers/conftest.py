"""Writing small files and reading them back."""

import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import read


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
