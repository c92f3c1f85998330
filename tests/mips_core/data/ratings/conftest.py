"""Writing small files of ratings and reading them back."""

import pytest

from mips_core.base.errors import DataError
from mips_core.data.ratings import RatingChoices, read_ratings


@pytest.fixture
def load(tmp_path):
    """load(name, content, …, **choices) writes the files and reads their ratings."""

    def load(*named, **choices):
        paths = []
        for name, content in zip(named[::2], named[1::2], strict=True):
            paths.append(tmp_path / name)
            paths[-1].write_bytes(content.encode() if isinstance(content, str) else content)
        return read_ratings(paths, RatingChoices(**choices))

    return load


@pytest.fixture
def triples(load):
    """triples(name, content, …) is the list of (user, item, value) in those files."""

    def triples(*named, **choices):
        ratings = load(*named, **choices)
        return list(zip(ratings.users, ratings.items, ratings.values.tolist(), strict=True))

    return triples


@pytest.fixture
def refusal(load):
    """refusal(name, content, …) is the text of the DataError those files raise."""

    def refusal(*named, **choices):
        with pytest.raises(DataError) as caught:
            load(*named, **choices)
        assert any(name in str(caught.value) for name in named[::2])
        assert caught.value.remedy
        return str(caught.value)

    return refusal
