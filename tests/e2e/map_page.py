"""A map of made-up items. The address says which: n, k, follow, hostile, epochs, colour, ..."""

import hashlib
from functools import lru_cache

import numpy as np
import streamlit as st

from pages._ui.elements import blobs, component
from pages._ui.elements.map import map_element
from pages._ui.elements.map_message import Colouring, MapLayout, MapLevel, MapMessage, MapSearch

HOSTILE = "<img src=x onerror=alert(1)> & %{x} </script>"
EFFORTS = np.array([1, 2, 5, 10, 20, 40, 80, 141], np.int32)
SENTENCE = (
    "**{name}**, {effort} {noun}: {candidates} candidates, **{found} of {K}** true answers found, "
    "{missed} missed. {speedup}× fewer inner products."
)
BELOW = "**{name}**, {effort} {noun}: more inner products than exact search."


def places_of(n, k, turn=0.0):
    """Blobs, and item 0 alone in the middle of nowhere: float32 (n, 2), and group of each item."""
    rng = np.random.default_rng(0)
    middles = rng.uniform(-8, 8, (k, 2))
    group = rng.integers(0, k, n).astype(np.int32)
    group[: min(k, n)] = np.arange(min(k, n))
    spread = rng.uniform(0.15, 0.7, (k, 1))
    at = middles[group] + spread[group] * rng.normal(size=(n, 2))
    cos, sin = np.cos(turn), np.sin(turn)
    at = np.clip(at, -9.5, 9.5) @ np.array([[cos, sin], [-sin, cos]])
    at[0] = [10, 10]
    return at.astype(np.float32), group


def ids_told(ids):
    """What the page says of selected items: their number and a fingerprint."""
    ids = np.asarray(ids, np.int64)
    return f"{ids.size} items {hashlib.sha256(ids.tobytes()).hexdigest()[:12]}"


def level_of(group, k, at):
    sizes = np.bincount(group, minlength=k).astype(np.int32)
    central = np.arange(k, dtype=np.int32)
    return MapLevel(
        label=f"{k} clusters", nouns=("cluster", "clusters"), of=blobs.of_array(group),
        sizes=sizes, names=[f"name {g}" for g in range(k)], central=central,
        colours=(np.arange(k) % 12).astype(np.uint8),
        measures={"Share of misses": np.linspace(0, 1, k, dtype=np.float32)},
        centroids=middles_of(group, k, at),
    )  # fmt: skip


def middles_of(group, k, at):
    """The mean of each group, float32 (k, 2)."""
    sums = [np.bincount(group, weights=at[:, axis], minlength=k) for axis in (0, 1)]
    return (np.stack(sums, axis=1) / np.bincount(group, minlength=k)[:, None]).astype(np.float32)


def followed_of(group, k, at, chosen, asked, item):
    """A search that opens the clusters in the order of their distance from the query's."""
    efforts = EFFORTS[k >= EFFORTS]
    p, start = len(efforts), int(group[item])
    middles = middles_of(group, k, at)
    order = np.argsort(np.linalg.norm(middles - middles[start], axis=1), kind="stable")
    order_at = np.searchsorted(efforts, np.arange(1, k + 1)).astype(np.int32)
    first = np.empty(k, np.int32)
    first[order] = order_at
    opened = first[group]
    candidates = np.array([(opened <= i).sum() for i in range(p)], np.int32)
    true = np.argsort(np.linalg.norm(at - at[item], axis=1), kind="stable")[:10].astype(np.int32)
    lost_ids = true[1:2] if "lost" in asked else true[:0]  # from the third position on
    starts = np.zeros(p + 1, np.int32)
    starts[3:] = len(lost_ids) * np.arange(1, p - 1)
    lost_ids = np.repeat(lost_ids, max(p - 2, 0))
    found = (opened[true][None, :] <= np.arange(p)[:, None]).astype(np.uint8)
    if "bare" in asked:
        order, order_at = order[:0], order_at[:0]
    return MapSearch(
        name="castle", place=tuple(map(float, at[item])), item=item, effort_label="Probes",
        effort_nouns=("probe", "probes"), effort_help="Clusters opened for each query.",
        efforts=efforts, chosen=chosen, opened=blobs.of_array(opened),
        lost_starts=starts, lost_ids=lost_ids.astype(np.int32), candidates=candidates,
        costs={"centroids": np.full(p, k, np.float32), "candidates": candidates.astype("float32")},
        true=true, found=found, why=[f"It lies in cluster {group[i]}." for i in true],
        order=order.astype(np.int32), order_at=order_at, steps=(),
        sentence=SENTENCE, sentence_below_one=BELOW,
    )  # fmt: skip


def colouring_of(kind, norms, group):
    if kind == "values":
        values = norms.copy()
        values[1] = np.nan
        return Colouring("values", "Norm", blobs.of_array(values), low=0.5, high=8.0, log=True)
    if kind == "kinds":
        kinds = (group % 3).astype(np.int32)
        return Colouring("kinds", "Part", blobs.of_array(kinds), names=["noun", "verb", HOSTILE])
    return Colouring("groups", "Cluster")


@lru_cache(4)
def made(n, k):
    """What does not change between runs, made once."""
    at, group = places_of(n, k)
    norms = np.random.default_rng(1).lognormal(size=n).astype(np.float32)
    labels = [f"word {i}" for i in range(min(n, 100_000))]
    labels[0] = HOSTILE
    return at, group, norms, labels


def picture(asked, state):
    n = int(asked.get("n", 2000))
    k = min(int(asked.get("k", 24)), n)
    at, group, norms, labels = made(n, k)
    epochs = int(asked.get("epochs", 0))
    moving = state.epoch < epochs
    places = places_of(n, k, 0.05 * (epochs - state.epoch))[0] if moving else at
    item = state.item
    return MapMessage(
        n=n, topic=f"{n} {k} {state.topic}",
        layout=MapLayout(blobs.of_array(places), not moving, f"Epoch {state.epoch} of {epochs}"),
        colouring=colouring_of(asked.get("colour", "groups"), norms, group),
        levels=[] if "bare" in asked else [level_of(group, k, at)],
        level=0, norms=blobs.of_array(norms),
        labels=None if "unlabelled" in asked else blobs.of_texts(labels),
        alt=f"{n:,} items in {k} clusters.",
        followed=followed_of(group, k, at, state.effort, asked, item)
        if "follow" in asked
        else None,
        show_tree="tree" in asked, chosen=state.chosen, focus=state.focus, file_name="map",
        height=int(asked.get("height", 520)),
    )  # fmt: skip


def heard(choice, state):
    """Keep what the visitor did, and say it."""
    if choice.fresh and choice.effort is not None:
        state.effort = choice.effort
    if choice.follow is not None:
        state.item, state.follows = int(choice.follow.split()[1]), state.follows + 1
    chosen = "nothing" if choice.selected is None else ids_told(choice.selected)
    st.text(
        f"run {state.runs}: {choice.how or 'no choice'}, {chosen}, effort {state.effort}, "
        f"focus {choice.focus}, asked {state.follows} with {state.item}"
    )


st.set_page_config(layout="wide")
component.draw_style()
st.title("Map element", anchor=False)
state = st.session_state
first = {"runs": 0, "epoch": 0, "topic": 0, "effort": 2, "item": 5, "follows": 0, "focus": -1}
for name, value in {**first, "chosen": None}.items():
    state.setdefault(name, value)
state.runs += 1
with st.container(horizontal=True):
    if st.button("Next epoch"):
        state.epoch += 1
    if st.button("Other data"):
        state.topic += 1
    if st.button("Choose ten"):
        state.chosen = np.arange(10, 20)
    if st.button("Focus on 3"):
        state.focus = 3
    st.button("Run again")
asked = st.query_params.to_dict()
choice = map_element(picture(asked, state), key="map")
if asked.get("gone") == "always" or (asked.get("gone") == "once" and state.runs == 1):
    blobs._KEPT.clear()  # before the browser has asked for them
heard(choice, state)
