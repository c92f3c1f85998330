"""A search followed over a lattice of groups, so that all it shows is known beforehand.

The address says: n, side (groups along one side), plain (no search), hostile, outlines, beam,
stray (a true answer far from all others), kinds or values (for colours).
"""

from functools import lru_cache

import numpy as np
import streamlit as st

from pages._ui.elements import blobs, component
from pages._ui.elements.map import map_element
from pages._ui.elements.map_message import (
    Colouring,
    MapLayout,
    MapLevel,
    MapMessage,
    MapSearch,
    Outlines,
    PathStep,
)

HOSTILE = "<img src=x onerror=alert(1)> **b** {found} & \x01"
SENTENCE = (
    "**{name}**, {effort} {noun}: {candidates} {candidateNoun}, **{found} of {K}** true answers "
    "found, {missed} missed. {speedup}× fewer inner products."
)
BELOW = "**{name}**, {effort} {noun}: {speedup}×, **more** inner products than exact search."
STRAY = (90, -40)
GAP = 4.0  # between the middles of neighbouring groups
RANKS = (0, 0, 1, 3, 9)  # of the groups the true answers lie in, by the order of opening
BEAM = (2, 8)  # an answer that a wide beam loses, and the position from which it does


def lattice(n, side):
    """Middles float32 (k, 2) of the groups; places float32 (n, 2) and group int32 of each item.

    Item g stands in the middle of group g; group sizes differ by one at most.
    """
    k = side * side
    middles = GAP * np.stack([np.arange(k) % side, np.arange(k) // side], axis=1)
    group = (np.arange(n) % k).astype(np.int32)
    away = np.sqrt(np.arange(n) // k / max(n / k, 1))[:, None]
    angle = 2.4 * np.arange(n)[:, None]
    at = middles[group] + away * np.hstack([np.cos(angle), np.sin(angle)])
    return middles.astype(np.float32), at.astype(np.float32), group


def opening(middles):
    """The groups in the order a search from the middle of group 0 opens them."""
    return np.argsort(np.linalg.norm(middles, axis=1), kind="stable").astype(np.int32)


def answers(order, k):
    """The true answers: item number per answer, none of them in the middle of its group."""
    return np.array([order[rank] + (i + 1) * k for i, rank in enumerate(RANKS)], np.int32)


def found_by(position, beam=False):
    """Which true answers are found at a position of the slider."""
    lost = beam and position >= BEAM[1]
    return [rank <= position and not (lost and i == BEAM[0]) for i, rank in enumerate(RANKS)]


def followed(n, side, chosen, hostile, beam):
    middles, _, group = lattice(n, side)
    k = side * side
    order = opening(middles)
    first = np.empty(k, np.int32)
    first[order] = np.arange(k)
    candidates = np.cumsum(np.bincount(group, minlength=k)[order]).astype(np.int32)
    coarse = np.arange(4, dtype=np.int32)
    effort = chosen + 1
    steps = (
        PathStep("Level 1: 4 clusters scored, 2 kept", 0, coarse, coarse[:2], 4.0),
        PathStep(
            f"Level 2: {k} clusters scored", 1, np.arange(k, dtype=np.int32), order[:effort], 1.0
        ),
        PathStep("Items scored", -1, order[:0], order[:0], float(candidates[chosen])),
    )
    return MapSearch(
        name=HOSTILE if hostile else "castle", place=tuple(map(float, middles[0])), item=0,
        effort_label="Probes", effort_nouns=("probe", "probes"), effort_help="",
        efforts=np.arange(1, k + 1, dtype=np.int32), chosen=chosen,
        opened=blobs.of_array(first[group]),
        lost_starts=np.zeros(k + 1, np.int32), lost_ids=order[:0], candidates=candidates,
        costs={"centroids": np.full(k, k, np.float32), "candidates": candidates.astype("float32")},
        true=answers(order, k),
        found=np.array([found_by(i, beam) for i in range(k)], np.uint8),
        why=[f"In group {order[rank]}." for rank in RANKS],
        order=order, order_at=np.arange(k, dtype=np.int32), steps=steps,
        sentence=SENTENCE, sentence_below_one=BELOW,
    )  # fmt: skip


def levels(n, side, names):
    middles, _, group = lattice(n, side)
    k = side * side
    half = np.arange(side) >= side / 2
    parents = (2 * half[np.arange(k) // side] + half[np.arange(k) % side]).astype(np.int32)
    quarter = parents[group]
    coarse_middles = np.array([middles[parents == q].mean(0) for q in range(4)], np.float32)
    return (
        MapLevel("4 clusters", ("cluster", "clusters"), blobs.of_array(quarter),
              np.bincount(quarter, minlength=4).astype(np.int32), list("abcd"),
              np.array([np.argmax(parents == q) for q in range(4)], np.int32),
              np.arange(4, dtype=np.uint8), centroids=coarse_middles),
        MapLevel(f"{k} clusters", ("cluster", "clusters"), blobs.of_array(group),
              np.bincount(group, minlength=k).astype(np.int32), names,
              np.arange(k, dtype=np.int32), (np.arange(k) % 12).astype(np.uint8), parents, middles),
    )  # fmt: skip


def squares(middles):
    """An outline around each group."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 1.2
    k = len(middles)
    points = (middles[:, None] + corners).reshape(-1, 2).astype(np.float32)
    return Outlines(points, 4 * np.arange(k + 1, dtype=np.int32), np.arange(k, dtype=np.int32))


def colouring(n, asked):
    if "kinds" in asked:
        kinds = blobs.of_array((np.arange(n) % 3).astype(np.int32))
        return Colouring("kinds", "Part", kinds, names=["noun", "verb", HOSTILE])
    if "values" in asked:
        values = blobs.of_array(np.linspace(0.5, 8, n, dtype=np.float32))
        return Colouring("values", "Norm", values, low=0.5, high=8.0)
    return Colouring("groups", "Cluster")


@lru_cache(4)
def picture(n, side, chosen, asked):
    middles, at, _ = lattice(n, side)
    if "stray" in asked:
        at[answers(opening(middles), side * side)[4]] = STRAY
    labels = [f"word {i}" for i in range(n)]
    if "hostile" in asked:
        labels[answers(opening(middles), side * side)[3]] = HOSTILE
    names = labels[: side * side]
    if "hostile" in asked:
        names[-1] = HOSTILE
    search = followed(n, side, chosen, "hostile" in asked, "beam" in asked)
    return MapMessage(
        n=n, topic=f"{n} {side}", layout=MapLayout(blobs.of_array(at), note="A lattice."),
        colouring=colouring(n, asked), levels=levels(n, side, names), level=1,
        norms=blobs.of_array(np.ones(n, np.float32)), labels=blobs.of_texts(labels),
        alt=f"{n:,} items on a lattice.", followed=None if "plain" in asked else search,
        outlines=squares(middles) if "outlines" in asked else None,
        show_tree=False, file_name="map: a/b",
    )  # fmt: skip


def draw():
    st.set_page_config(layout="wide")
    component.draw_style()
    asked, state = st.query_params.to_dict(), st.session_state
    state.setdefault("effort", 4)
    state.setdefault("heard", 0)
    n, side = int(asked.get("n", 400)), int(asked.get("side", 4))
    flags = frozenset(asked)
    choice = map_element(picture(n, side, state.effort, flags), key="map")
    if choice.fresh and choice.effort is not None:
        state.effort = choice.effort
        state.heard += 1
        st.rerun()  # with the steps of this effort
    st.text(f"{state.heard} choices, position {state.effort}")


if __name__ == "__main__":
    draw()
