"""The map over a small made-up index of three nested levels. The address says what is shown:
level, colour, follow, flat (levels that do not nest), labels (how many), unlabelled.
"""

import numpy as np
import streamlit as st

from pages._ui.elements import blobs, component
from pages._ui.elements.map import map_element
from pages._ui.elements.map_message import Colouring, MapLayout, MapLevel, MapMessage, MapSearch

HOSTILE = "<img src=x onerror=alert(1)> & %{x}"
SIZES = np.array([40, 30, 0, 20, 10, 8, 6, 5, 1], np.int32)  # of the finest groups; one is empty
PARENTS = np.array([0, 0, -1, 1, 1, 2, 2, 3, 3], np.int32)
OVER = np.array([0, 0, 1, 1], np.int32)  # of the middle groups
NAMES = ["apple", HOSTILE, "", "castle", "dog", "egg", "fig", "grape", "hat"]
ORDER = np.array([3, 0, 5, 1, 4, 6, 7, 8], np.int32)  # in which groups are opened
NOT_KNOWN = 4  # group without a share of misses


def level_of(of, k, names, parents=None, **known):
    sizes = np.bincount(of, minlength=k).astype(np.int32)
    central = [np.flatnonzero(of == g)[0] if sizes[g] else -1 for g in range(k)]
    return MapLevel(
        label=f"{(sizes > 0).sum()} clusters", nouns=("cluster", "clusters"),
        of=blobs.of_array(of.astype(np.int32)), sizes=sizes, names=names,
        central=np.array(central, np.int32), colours=(np.arange(k) % 12).astype(np.uint8),
        parents=parents, **known,
    )  # fmt: skip


def followed_of(fine):
    """Each effort opens the next group; at the third, the first item of group 0 is lost."""
    p = len(ORDER)
    first = np.full(len(SIZES), p, np.int32)
    first[ORDER] = np.arange(p)
    opened = first[fine]
    true = np.array([90, 0, 40, 119], np.int32)  # of groups 3, 0, 1, 8
    found = opened[true][None, :] <= np.arange(p)[:, None]
    found[2, 1] = False
    starts = np.zeros(p + 1, np.int32)
    starts[3:] = 1
    candidates = np.array([(opened <= i).sum() for i in range(p)], np.int32)
    return MapSearch(
        name="castle", place=(0.0, 0.0), item=90, effort_label="Probes",
        effort_nouns=("probe", "probes"), effort_help="", efforts=np.arange(1, p + 1), chosen=0,
        opened=blobs.of_array(opened), lost_starts=starts, lost_ids=np.array([0], np.int32),
        candidates=candidates, costs={"candidates": candidates.astype(np.float32)}, true=true,
        found=found.astype(np.uint8), why=[""] * 4, order=ORDER,
        order_at=np.arange(p, dtype=np.int32), steps=(), sentence="{effort}",
        sentence_below_one="{effort}",
    )  # fmt: skip


def colouring_of(kind, n):
    if kind == "kinds":
        return Colouring(
            "kinds",
            "Part",
            blobs.of_array((np.arange(n) % 2).astype(np.uint8)),
            names=["x", HOSTILE],
        )
    if kind == "values":
        values = np.arange(n, dtype=np.float32)
        values[0] = np.nan
        return Colouring("values", "Norm", blobs.of_array(values), low=1, high=119.25)
    return Colouring("groups", "Cluster")


def picture(asked):
    n = int(asked.get("labels", SIZES.sum()))
    fine = np.resize(np.repeat(np.arange(len(SIZES)), SIZES), n)
    rng = np.random.default_rng(0)
    at = (rng.uniform(-8, 8, (len(SIZES), 2))[fine] + rng.normal(size=(n, 2))).astype(np.float32)
    labels = [f"{NAMES[g]} {i}" for i, g in enumerate(fine)]
    labels[5:9] = ["Straße", "STRASSE", "strasse 8", "eine strasse"]
    middle = PARENTS[fine]
    nested = "flat" not in asked
    share = np.linspace(0, 0.5, len(SIZES), dtype=np.float32)
    share[NOT_KNOWN] = np.nan
    levels = [
        level_of(OVER[middle], 2, ["near", "far"]),
        level_of(middle, 4, list("ABCD"), OVER if nested else None),
        level_of(fine, len(SIZES), NAMES, PARENTS if nested else None,
                 measures={"Share of misses": share}),
    ]  # fmt: skip
    return MapMessage(
        n=n, topic="panels", layout=MapLayout(blobs.of_array(at)),
        colouring=colouring_of(asked.get("colour"), n), levels=levels,
        level=int(asked.get("level", 2)), norms=blobs.of_array(np.ones(n, np.float32)),
        labels=None if "unlabelled" in asked else blobs.of_texts(labels), alt="A map.",
        followed=followed_of(fine) if "follow" in asked else None, height=320,
        query="castle" if "follow" in asked else "", offers=[("query 0", "Query 0 “fig”")],
    )  # fmt: skip


st.set_page_config(layout="wide")
component.draw_style()
choice = map_element(picture(st.query_params.to_dict()), key="map")
selected = "nothing" if choice.selected is None else list(map(int, choice.selected))
st.text(f"focus {choice.focus}, {choice.how or 'not'} selected {selected}, asked {choice.follow!r}")
