"""What is built while an index is opened."""

import pytest

from mips_core.methods.kmeans import flat


@pytest.fixture
def builds(monkeypatch):
    """What is built of clusters from here on."""
    build_tree, made = flat.build_tree, []

    def counted(*asked):
        made.append(asked)
        return build_tree(*asked)

    monkeypatch.setattr(flat, "build_tree", counted)
    return made
