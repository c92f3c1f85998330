"""What is computed for this visitor now, in the line over every page."""

from collections.abc import Sequence

import streamlit as st

from pages._ui.state import app_state
from pages._ui.text.scripts import PAGES
from pages._ui.text.widgets import plain
from pages._ui.work import jobs
from pages._ui.work.job import Job

_SHOWN_ON: dict[object, str] = {  # kind of job, the first part of its key: page
    "noisy queries": "robustness.py",
    "under noise": "robustness.py",
    "clock": "compare.py",
    "scaling": "tune.py",
    "drift": "drift.py",
    "map": "map.py",
    "map levels": "map.py",
    "map search": "map.py",
    "map outlines": "map.py",
    "report misses": "report.py",
}


def draw() -> None:
    """Draw it, where there is anything."""
    watching = bool(jobs.of(app_state.current().owner))
    st.fragment(_jobs, run_every=1.0 if watching else None)(watching)


def _jobs(watching: bool) -> None:
    """What runs now; looks again each second while something does."""
    owner = app_state.current().owner
    jobs.seen(owner)
    active = jobs.of(owner)
    if bool(active) != watching:
        st.rerun()
    if active:
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
    return f"{plain(what)} · {done:.0%}"
