"""What a map will take: laws of growth, what is refused, and that the advice holds."""

from dataclasses import replace

import pytest

from mips_core.base.errors import ParamError
from mips_core.groups.projection import ProjectionRecipe
from mips_core.studies import map_forecast as module
from mips_core.studies.map_forecast import forecast_map, refuse_large_map

USUAL = ProjectionRecipe()
N, D = 200_000, 100


@pytest.mark.parametrize("method", ["umap", "pca"])
def test_more_takes_more(method):
    sizes = [(10_000, 10), (10_000, 100), (100_000, 100), (1_000_000, 100)]
    every = [forecast_map(USUAL, n, d, method) for n, d in sizes]
    works, rooms = [one.work for one in every], [one.bytes for one in every]
    assert works == sorted(works)
    assert rooms == sorted(rooms)


def test_umap_takes_more_than_pca_and_by_its_recipe():
    usual, pca = forecast_map(USUAL, N, D), forecast_map(USUAL, N, D, "pca")
    assert pca.work < usual.work / 10
    assert pca.bytes < usual.bytes
    for more in ({"n_neighbors": 60}, {"epochs": 1000}, {"sample": N}):
        assert forecast_map(replace(USUAL, **more), N, D).work > usual.work
    assert forecast_map(replace(USUAL, n_neighbors=60), N, D).bytes > usual.bytes


def test_what_will_not_fit_is_refused_with_what_does(monkeypatch):
    def allow(size):
        monkeypatch.setattr(module, "budget", lambda: size)

    every, flat = (forecast_map(USUAL, N, D, method).bytes for method in ("umap", "pca"))
    allow(every)
    refuse_large_map(USUAL, N, D)
    allow(every - 1)
    with pytest.raises(ParamError, match=r"by UMAP takes .* 200,000 items .* PCA would fit\."):
        refuse_large_map(USUAL, N, D)
    refuse_large_map(USUAL, N, D, "pca")
    allow(flat - 1)
    for method in ("umap", "pca"):
        with pytest.raises(ParamError, match=r"A sample of [\d,]+ items would fit\.") as told:
            refuse_large_map(USUAL, N, D, method)
        fewer = int(str(told.value).rpartition("sample of ")[2].partition(" ")[0].replace(",", ""))
        refuse_large_map(USUAL, fewer, D, method)
    allow(1)
    with pytest.raises(ParamError, match="The data alone do not fit"):
        refuse_large_map(USUAL, N, D)
