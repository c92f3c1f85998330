"""The line over every page: which data, which K, which queries, and what is computed now."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from mips_core.base.arrays import Matrix
from mips_core.base.params import Param, params_of, with_text
from mips_core.base.text import counted
from mips_core.data.metrics import measure_of
from mips_core.data.rankable import queries_evaluated, rankable, repeats_in_words
from pages._ui.elements.copy_link import copy_link
from pages._ui.parts import fields, progress, queue_list
from pages._ui.state import app_state
from pages._ui.state.open_sets import OpenSet
from pages._ui.text.dataset_words import ranked_by
from pages._ui.text.widgets import PAGES, plain, short
from pages._ui.work import jobs
from pages._ui.work.job import Job
from pages._ui.work.task import once

BY_LINK = 5.0  # seconds after which a page sees that its data are shared no more
SELDOM = 3600.0  # seconds; a page with a clock asks anew when it has lost its server for a while
_USUAL = (1, 10, 100)
_SEED_HELP = "Fixes every random draw: queries, starts, noise."


def draw() -> None:
    """Draw the bar. Its container's key carries the style."""
    bar = st.container(horizontal=True, key="context", gap="small", vertical_alignment="center")
    with bar:
        _data()
        _metric()
        _answers()
        _queries()
        copy_link()
        _work()


def _data() -> None:
    session = app_state.current()
    source = session.source
    mark = " · simulated" if source.simulated else ""
    name = plain(short(source.name))
    with st.popover(f"**{name}** {source.n:,} × {source.d:,}{mark}", width="content"):
        items = counted(source.n, "item", "items")
        dimensions = counted(source.d, "dimension", "dimensions")
        st.markdown(f"**{plain(source.name)}**  \n{items} · {dimensions}{mark}")
        st.page_link(PAGES / "data.py", label="Use other data")
        if others := session.open.sets[::-1]:
            st.markdown("**Also open**, as you left them:")
            for number, one in enumerate(others):
                _open_set(number, one)


def _open_set(number: int, one: OpenSet) -> None:
    """A button that goes back to it, and one that closes it."""
    mark = " · simulated" if one.simulated else ""
    label = f"{plain(short(one.name))} · {one.n:,} × {one.d:,}{mark}"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button(
            label,
            key=f"context open {number} {one.key[0]}",
            on_click=app_state.switch,
            args=(one,),
            help=None if one.here else "It was let go of to make room, and is read again.",
        )
        st.button(
            "✕",
            key=f"context close {number} {one.key[0]}",
            type="tertiary",
            on_click=_close,
            args=(one,),
            help=f"Close {plain(short(one.name))}",
        )


def _close(one: OpenSet) -> None:
    app_state.current().open.take(one.key)


def _metric() -> None:
    dataset = app_state.current().dataset
    noun = measure_of(dataset).noun
    with st.popover(f"by **{noun}**", width="content"):
        st.markdown(ranked_by(dataset))
        st.page_link(PAGES / "data.py", label="Search by something else")


def _answers() -> None:
    """The usual numbers at a press, any other by typing."""
    session = app_state.current()
    with st.container(key="context-k", width="content"), st.popover(f"**K** {session.K}"):
        usual = [k for k in _USUAL if k <= session.most_answers]
        pressed = session.K if session.K in usual else None
        key = app_state.key_for("context K", pressed)
        answers = Param("Answers per query, K", "How many of the best items a search must return.")
        words = {k: str(k) for k in usual}
        fields.buttons(answers, words, pressed, key, _take_answers, "context K", key)
        if session.most_answers > 1:
            key = app_state.key_for("context any K", session.K)
            most = session.most_answers
            any_number = Param(f"Any K, 1 to {most}", "", 1, most)
            fields.number(any_number, session.K, 1, key, _take_answers, "context any K", key)


def _take_answers(name: str, key: str) -> None:
    picked = app_state.widget(key)
    if app_state.is_shown(name, key) and picked is not None:
        app_state.current().K = picked


def _queries() -> None:
    recipe, dataset = app_state.current().recipe, app_state.current().dataset
    counts = partial(_counted, dataset.queries)
    m, zero, equal = once(("queries counted", dataset.query_fingerprint), counts)
    label = f"{counted(m, 'query', 'queries')}, seed {recipe.seed}"
    with st.popover(label, width="content"):
        for name, step in (("count", 100), ("seed", 1)):
            declared, value = params_of(recipe)[name], getattr(recipe, name)
            declared = replace(declared, help=_SEED_HELP if name == "seed" else declared.help)
            key = app_state.key_for(f"context {name}", value)
            fields.number(declared, value, step, key, _take_recipe, name, key)
        if zero:
            are, rank = ("is", "ranks") if zero == 1 else ("are", "rank")
            st.caption(f"{zero:,} more {are} zero, {rank} nothing, and {are} left out.")
        if equal:
            st.caption(equal)


def _counted(queries: Matrix) -> tuple[int, int, str]:
    """How many are asked, how many rank nothing, and in words how many are equal to another."""
    zero = int((~rankable(queries)).sum())
    return int(queries_evaluated(queries).sum()), zero, repeats_in_words(queries)


def _take_recipe(name: str, key: str) -> None:
    session = app_state.current()
    if app_state.is_shown(f"context {name}", key):
        session.recipe = with_text(session.recipe, {name: str(app_state.widget(key))})


_SHOWN_ON: dict[object, str] = {  # kind of job, the first part of its key: page
    "read": "data.py",
    "open index": "build.py",
    "built on all parts": "build.py",
    "noisy queries": "robustness.py",
    "under noise": "robustness.py",
    "clock": "compare.py",
    "samples": "tune.py",
    "tuned": "tune.py",
    "tuned on all parts": "tune.py",
    "settings between": "tune.py",
    "scaling": "tune.py",
    "drift": "drift.py",
    "map": "map.py",
    "map levels": "map.py",
    "map search": "map.py",
    "map outlines": "map.py",
    "answered": "search.py",
    "diagnosis": "search.py",
    "report": "report.py",
    "report misses": "report.py",
    "paper": "paper.py",
}


def _work() -> None:
    """What is computed, where there is anything."""
    session = app_state.current()
    watching, share = bool(jobs.of(session.owner)), session.share
    every = BY_LINK if share.key and not share.is_own and not session.missing else SELDOM
    st.fragment(_jobs, run_every=2 * progress.LOOK if watching else every)(watching)


def _jobs(watching: bool) -> None:
    """What runs now; looks again while something does."""
    owner = app_state.current().owner
    jobs.seen(owner)
    active = jobs.of(owner)
    if bool(active) != watching or app_state.share_stopped():
        st.rerun()
    if active:
        with st.container(horizontal=True, key="context-work", gap="small", width="content"):
            queue_list.draw(active)  # first, so that it stays where it is as the words change
            st.page_link(PAGES / _page_of(active[0]), label=_under_way(active))


def _kind(job: Job) -> object:
    return job.key[0] if isinstance(job.key, tuple) else job.key


def _page_of(job: Job) -> str:
    """Where its result is shown."""
    return _SHOWN_ON.get(_kind(job), "tradeoff.py")


def _under_way(active: Sequence[Job]) -> str:
    """What is computed, in a few words, and how far it is."""
    done = sum(job.fraction for job in active) / len(active)
    kinds = {_kind(job) for job in active}
    count = len(active)
    if count == 1 and kinds != {"evaluation"}:
        what = active[0].label
    else:
        noun = "setting" if kinds == {"evaluation"} else "piece"
        what = f"Measuring {count} {noun}{'s' * (count != 1)}"
    return f"{plain(what)} · {done:.0%}{_beside(active)}"


def _beside(active: Sequence[Job]) -> str:
    """What another visitor has the machine for, where that holds up all of this, or slows it."""
    first = jobs.running("measure")
    if first is None or first in active:
        return ""
    waiting = all(job.state == "waiting" for job in active)
    if not (waiting or _kind(first) == "clock"):
        return ""
    return f" · {'waits for' if waiting else 'beside'} {progress.under_way(first)}"
