"""The map to take away: what is selected, all coordinates and assignments, a page for itself."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pandas as pd
import streamlit as st

from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.figures.map_file import map_html
from mips_core.studies.map_table import MappedItems, SearchMarks, marks_of, write_csv, write_parquet
from pages._ui.map import places
from pages._ui.map.colours import colours_of
from pages._ui.map.items import columns_of
from pages._ui.map.picture import name_of, place_of
from pages._ui.map.scene import MapScene
from pages._ui.parts import result_table
from pages._ui.parts.data_export import file_stem

TYPES = {"csv": "text/csv", "parquet": "application/octet-stream", "html": "text/html"}


def draw(scene: MapScene, listed: Ids | None) -> None:
    """Buttons; each file is made when it is asked for, with the places that items have by then."""
    if scene.layout is None:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if listed is not None and len(listed) < scene.dataset.n:
            items = f"these {len(listed):,}" if len(listed) > 1 else "this one"
            _button(scene, f"CSV of {items}", "csv", lambda now: _listed_csv(now, listed), "listed")
            _button(
                scene, f"Parquet of {items}", "parquet", lambda now: _listed_parquet(now, listed),
                "listed",
            )  # fmt: skip
        _button(scene, "All as CSV", "csv", lambda now: _written(now, write_csv))
        _button(scene, "All as Parquet", "parquet", lambda now: _written(now, write_parquet))
        _button(scene, "Page (HTML)", "html", _page)
    st.caption(
        f"All: place, norm and groups of {counted(scene.dataset.n, 'item', 'items')}, and what the "
        "search that is shown makes of them."
    )


def mapped(scene: MapScene) -> MappedItems:
    """What is told of every item."""
    assert scene.layout is not None
    return MappedItems(
        name=scene.session.source.name,
        xy=scene.layout.xy,
        norms=scene.norms,
        labels=scene.dataset.labels,
        levels=scene.levels,
        answers=scene.answers,
        missed=scene.missed,
        search=_marks(scene),
        simulated=scene.session.source.simulated,
        note=f"{places.in_words(scene.session, scene.layout)} {scene.layout.note}".strip(),
    )


def _marks(scene: MapScene) -> SearchMarks | None:
    search, layout = scene.search, scene.layout
    if search is None or search.followed is None or layout is None:
        return None
    return marks_of(
        search.followed,
        scene.position,
        name=name_of(scene, search),
        place=place_of(scene, search, layout),
        effort=counted(scene.effort, *scene.measured.index.effort_nouns),
        item=search.query.number if search.query.kind == "item" else -1,
    )


def _button(
    scene: MapScene, label: str, kind: str, make: Callable[[MapScene], BytesIO], of: str = "all"
) -> None:
    name = f"map-{file_stem(scene.session)}{'-selected' if of == 'listed' else ''}.{kind}"
    key = f"map file {of} {kind}"
    file = lambda: make(_by_now(scene))  # noqa: E731
    st.download_button(label, file, name, TYPES[kind], key=key, on_click="ignore")


def _written(scene: MapScene, write: Callable[[BytesIO, MappedItems], None]) -> BytesIO:
    file = BytesIO()
    write(file, mapped(scene))
    file.seek(0)
    return file


def _page(scene: MapScene) -> BytesIO:
    return BytesIO(map_html(mapped(scene), colours_of(scene).points, level=scene.at))


def _by_now(scene: MapScene) -> MapScene:
    """The same with the best places there are: they come while the buttons stand."""
    return replace(scene, layout=places.best(scene.session) or scene.layout)


def _frame(scene: MapScene, items: Ids) -> pd.DataFrame:
    """The table below the map, all rows, with the places; text that has no UTF-8 gets a sign."""
    assert scene.layout is not None
    columns = columns_of(scene, items)
    table = pd.DataFrame({name: result_table.writable(column) for name, column in columns.items()})
    table["x"], table["y"] = scene.layout.xy[items].T
    return table


def _listed_csv(scene: MapScene, items: Ids) -> BytesIO:
    return BytesIO(result_table.csv(_frame(scene, items)))


def _listed_parquet(scene: MapScene, items: Ids) -> BytesIO:
    return BytesIO(_frame(scene, items).to_parquet(index=False))
