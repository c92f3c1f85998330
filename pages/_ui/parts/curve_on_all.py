"""Where data are a sample of vectors in parts: the curve of the index in use on all of them.

Measured when a button is pressed, by the cluster or the threads of this machine, part by part.
"""

from typing import TYPE_CHECKING

import streamlit as st

from mips_core import Evaluation
from mips_core.figures import tradeoff
from mips_core.figures.template import NARROW
from mips_core.studies.curve_table import columns
from pages._ui.elements.chart import chart
from pages._ui.parts import on_all, result_table
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain
from pages._ui.work import on_all as work
from pages._ui.work import parts_data
from pages._ui.work.task import Task

if TYPE_CHECKING:
    from mips_core.scale.manifest import Manifest

HEIGHT = 340


def waits() -> bool:
    """Whether the curve of the index in use is being measured."""
    session = app_state.current().snapshot()
    manifest = parts_data.sampled_of(session.dataset)
    return manifest is not None and on_all.waits(session, _task(session, manifest))


def draw() -> None:
    """The section; nothing where the data in use are no sample of parts."""
    session = app_state.current().snapshot()
    manifest = parts_data.sampled_of(session.dataset)
    if manifest is None:
        return
    task, problem = _task(session, manifest), work.why_not_on_all(session.index, manifest)
    if not on_all.head(session, manifest, task, problem):
        return
    setting = plain(session.index.setting(manifest.n))
    index = f"**{session.index.label}, {setting}**"
    where = f"on all {manifest.n:,} by {work.worker_words()}"

    def told(evaluation: Evaluation | None) -> str:
        if evaluation is None:
            return f"*Measure on all* builds {index} {where} and asks it the same queries."
        return f"This is {index}, built {where} and asked the same queries."

    evaluation = on_all.ask(session, task, "on all", "Measure on all", told)
    if evaluation is not None:
        _show(session, manifest, evaluation)


def _task(session: Session, manifest: "Manifest") -> Task[Evaluation]:
    """The index in use, built on all vectors and asked the queries of the sample."""
    dataset, index, seed = session.dataset, session.index, session.seed
    return Task(
        ("on all parts", manifest.key, dataset.query_fingerprint, index, seed),
        on_all.job_label(index, manifest, seed),
        lambda progress: work.measured_on_all(dataset, manifest, index, seed, progress),
    )


def _show(session: Session, manifest: "Manifest", evaluation: Evaluation) -> None:
    """The curve on all over that of the sample, and its points as files."""
    K, n = session.K, evaluation.truth.n
    curve = evaluation.curve((K,))
    small = session.measurement_of(session.index).evaluation
    pale = [] if small is None else [small.curve((K,))]
    traces = [trace for one in pale for trace in tradeoff.single(one, K, pale=True)]
    traces += tradeoff.single(curve, K)
    axes = tradeoff.layout(K, *tradeoff.span_of([curve, *pale], K, [curve]))
    chart(
        {"data": [*traces, tradeoff.exact_point(n)], "layout": axes},
        key="curve on all",
        height=HEIGHT,
        alt=f"Precision at {K} against speedup, on all {n:,} vectors.",
        narrow=NARROW,
        topic=f"{session.source.fingerprint} {session.index}",
        file_name=f"on-all-{K}",
    )
    thin = f" Thin line: on the sample of {session.dataset.n:,}." if pale else ""
    st.caption(f"Thick line: on all {n:,}, with its 95% interval over {curve.m:,} queries.{thin}")
    whole = on_all.whole(session.dataset, manifest)
    result_table.draw_files(
        "on all",
        f"on-all-{K}",
        lambda: columns(whole, [curve], K),
        lambda: {**manifest.named(), "queries": curve.m, "curves": [curve.as_dict()]},
    )
