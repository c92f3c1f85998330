"""What a map is made of: an index asked at an effort that finds enough."""

import numpy as np
import pytest

from mips_core import Dataset, ParamError
from mips_core.base.progress import silent
from mips_core.commands.input_data import InputData
from mips_core.commands.map_items import USUAL_PRECISION, measure_index
from mips_core.data.open_files import Opened
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.kmeans.flat import FlatKMeans


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(300, 6)) * rng.lognormal(size=(300, 1))).astype(np.float32)
    raw = with_queries(Dataset(X), QueryRecipe(count=40))
    return InputData(Opened(raw), raw, raw, None)


def measured(data, effort):
    return measure_index(data, FlatKMeans(n_clusters=12), 0, 10, effort, silent)


def test_the_effort_taken_is_the_least_that_finds_enough(data):
    index = measured(data, None)
    precision = index.evaluation.curve((10,)).precision(10)
    at = list(index.evaluation.efforts).index(index.effort)
    assert 0 < at < len(precision) - 1
    assert precision[at] >= USUAL_PRECISION > precision[:at].max()
    assert index.effort_in_words == f"{index.effort} probes"


def test_an_effort_that_is_named_is_taken_and_none_that_is_not_offered(data):
    assert measured(data, 3).effort == 3
    with pytest.raises(ParamError, match=r"--effort 13 is not offered. Efforts go from 1 to 12"):
        measured(data, 13)
