"""Plausible curves under the live element, and a plain chart that updates."""

import time

import numpy as np
import streamlit as st

from mips_core.figures.styles import METHODS, plain
from mips_core.figures.template import NARROW, PRECISION_AXIS, SPEEDUP_AXIS, merge
from pages._ui.elements import component
from pages._ui.elements.chart import chart
from pages._ui.elements.live_curve import Build, Choice, CurvePoints, LiveMessage, live_curve

N, M, K = 20_000, 500, 10
HOSTILE = "<img src=x onerror=alert(1)> & %{x}"
SENTENCE = (
    "Opening **{effort} of {live} clusters**, this index finds **{precision}%** (±{half}) of the "
    "true top {K} with **{speedup}× fewer** inner products than exact search."
)
BELOW = "At this setting the search costs **more** than exact search: {s}×. Open fewer clusters."
OTHERS = {  # method: (speedup at which half is found, steepness)
    "hierarchical-kmeans": (120, 1.9),
    "multi-kmeans": (60, 1.6),
    "pca-tree": (22, 1.1),
    "wta-hash": (30, 1.0),
    "srp-hash": (7, 1.2),
    "l2-alsh": (4, 1.3),
    "largest-norm": (11, 1.0),
}


def points(clusters):
    """A curve as flat k-means draws them: most answers lie in the first clusters."""
    efforts = np.arange(1, clusters + 1)
    share = efforts / clusters
    found = 1 - 0.5 * np.exp(-(9 + clusters**0.35) * share**0.75)
    half = 1.96 * np.sqrt(found * (1 - found) * 0.35 / M) + 0.001
    steps = np.arange(K + 1)
    spread = np.exp(-(((steps - K * found[:, None]) / (0.7 + 4 * (1 - found[:, None]))) ** 2))
    histogram = np.round(M * spread / spread.sum(axis=1, keepdims=True)).astype(np.int32)
    histogram[:, K] += M - histogram.sum(axis=1)
    return CurvePoints(
        efforts=efforts.astype(np.int32),
        precision=found.astype(np.float32),
        low=np.maximum(found - half, 0).astype(np.float32),
        high=np.minimum(found + half, 1).astype(np.float32),
        parts={
            "centroids": np.full(clusters, clusters, np.float32),
            "candidates": (N * share**0.92).astype(np.float32),
        },
        missed_all=histogram[:, 0],
        histogram=histogram,
    )


def other(key, more):
    """The still curve of another method."""
    middle, steep = OTHERS[key]
    x = np.geomspace(1, 400, 60 + more)
    y = 1 / (1 + (x / middle) ** steep)
    line = {"color": f"${key}", "width": 2, "dash": METHODS[key].dash}
    marker = {"symbol": METHODS[key].symbol, "size": 8, "color": f"${key}"}
    common = {"type": "scatter", "legendgroup": key, "name": METHODS[key].label}
    return [
        common | {"mode": "lines", "line": line, "x": x, "y": y},
        common | {"mode": "markers", "marker": marker, "x": x[6::12], "y": y[6::12]},
    ]


def figure(more, hostile):
    layout = {
        "xaxis": merge(SPEEDUP_AXIS, {"range": [np.log10(0.82), np.log10(420)]}),
        "yaxis": merge(PRECISION_AXIS, {"title": {"text": f"Precision@{K}"}}),
        "margin": {"l": 56, "r": 14, "t": 10, "b": 46},
    }
    note = {"text": plain(HOSTILE), "x": 1, "y": 0.1, "showarrow": False, "xanchor": "left"}
    layout["annotations"] = [note] if hostile else []
    return {"data": [t for key in OTHERS for t in other(key, more)], "layout": layout}


def view(state, hostile):
    sizes = (35, 71, 141, 283, 566)
    builds = [
        Build(str(k), f"{k} clusters", "flat-kmeans", k - 1, points(k - 1))
        if k < 566 or state.built
        else Build(str(k), f"{k} clusters", "flat-kmeans", k - 1, None, state.message)
        for k in sizes
    ]
    return LiveMessage(
        figure=figure(state.more, hostile),
        builds=builds[-1:] if state.single else builds,
        chosen=state.chosen,
        **{"n": N, "m": M, "K": K, "sentence": SENTENCE, "sentence_below_one": BELOW},
        alt="Precision at 10 against speedup, one curve for each method.",
        **{"height": 470, "narrow": NARROW, "chips": ("flat-kmeans", *OTHERS)},
        labels={"pca-tree": HOSTILE} if hostile else {},
        effort_help="Clusters opened for each query: more probes find more and cost more.",
        build_help="Groups the items are put into. Values in italics are built when chosen.",
        file_name="curves",
    )


def count_commit():
    st.session_state.commits += 1


def start(state):
    state.setdefault("commits", 0)
    state.setdefault("more", 0)
    state.setdefault("built", False)
    state.setdefault("single", False)
    state.setdefault("message", "Building **566 clusters** · 40%")
    state.setdefault("chosen", Choice("141", 10))


st.set_page_config(layout="wide")
component.draw_style()
st.title("Elements", anchor=False)
state = st.session_state
start(state)
hostile = "hostile" in st.query_params
if "slow" in st.query_params:
    time.sleep(0.3)
state.chosen = live_curve(view(state, hostile), key="live", on_choice=count_commit)
st.text(f"{state.commits} commits, build {state.chosen.build}, effort {state.chosen.effort}")
with st.container(horizontal=True):
    if st.button("New data"):
        state.more += 1
        st.rerun()
    if st.button("More progress"):
        state.message = "Building **566 clusters** · 80%"
        st.rerun()
    if st.button("Build it"):
        state.built = True
        st.rerun()
    if st.button("Ten probes"):
        state.chosen = Choice("141", 10)
        st.rerun()
rounds = np.arange(1, 15 + state.more)
moves = {"type": "scatter", "mode": "lines+markers", "line": {"color": "$flat-kmeans"}}
chart(
    {
        "data": [moves | {"x": rounds, "y": 20_000 * 0.7**rounds}],
        "layout": {"yaxis": {"type": "log", "title": {"text": "Items that moved"}}},
    },
    **{"key": "plain", "height": 220, "alt": "Items that changed cluster in each round."},
)
if "panels" in st.query_params:
    second = {"xaxis": "x2", "yaxis": "y2"}
    right = [trace | second for trace in other("l2-alsh", 0)]
    axes = {
        "xaxis": {"domain": [0, 0.45]},
        "xaxis2": {"domain": [0.55, 1], "anchor": "y2"},
        "yaxis2": {"anchor": "x2"},
    }
    two = {"data": other("hierarchical-kmeans", 0) + right, "layout": axes}
    names = ("hierarchical-kmeans", "l2-alsh")
    chart(two, **{"key": "panels", "height": 320, "alt": "Two panels.", "chips": names})
