"""Where data are a sample of vectors in parts: the cheapest setting on all of them."""

from typing import TYPE_CHECKING

from mips_core import INDEXES, Index
from mips_core.base.text import counted
from pages._ui.parts import on_all
from pages._ui.state.session import Session
from pages._ui.tune import need, recommendation, search
from pages._ui.tune.answer_table import AnsweredData
from pages._ui.work import on_all as work
from pages._ui.work import parts_data
from pages._ui.work.on_all import TunedOnAll
from pages._ui.work.task import Task

if TYPE_CHECKING:
    from mips_core.scale.manifest import Manifest

LEFT = "Clusters of settings that no worker can hold whole, and 4 bytes a vector of each,"


def waits(session: Session) -> bool:
    """Whether what is asked is being answered of all vectors."""
    manifest = parts_data.sampled_of(session.dataset)
    return manifest is not None and _task(session, manifest).active


def draw(session: Session) -> None:
    """The section; nothing where the data in use are no sample of parts."""
    manifest = parts_data.sampled_of(session.dataset)
    if manifest is None:
        return
    indexes = _indexes(session, manifest)
    none = "" if indexes else "No method is chosen that could be tried. Choose under Methods."
    if not on_all.head(session, manifest, need.too_few(session) or none):
        return
    many = counted(len(indexes), "setting", "settings")
    labels = ", ".join(dict.fromkeys(index.label for index in indexes))

    def told(tuned: TunedOnAll | None) -> str:
        if tuned is None:
            return (
                f"*Tune on all* tries {many} ({labels}), and some near the best, on all "
                f"{manifest.n:,} by {work.worker_words()}, for what is asked above and with the "
                "same queries."
            )
        out = f" Left out, as no worker can hold them: {', '.join(tuned.left_out)}."
        return (
            f"This is of all {manifest.n:,}, asked the same queries. "
            f"{recommendation.rests_on(tuned.answer)}{out * bool(tuned.left_out)}"
        )

    tuned = on_all.ask(session, _task(session, manifest), "tune on all", "Tune on all", told, LEFT)
    if tuned is not None:
        whole = on_all.whole(session.dataset, manifest)
        report = {**manifest.named(), "seed": session.seed}
        data = AnsweredData("tune all", whole, report, on_all=True)
        recommendation.draw_answer(session, tuned.answer, data)


def _indexes(session: Session, manifest: "Manifest") -> list[Index]:
    keys = [key for key in session.methods if key in INDEXES]
    return work.grid_on_all(keys, manifest, faiss=search.state_of(session).faiss)


def _task(session: Session, manifest: "Manifest") -> Task[TunedOnAll]:
    """What is asked on this page, answered of all vectors."""
    dataset, K, seed, state = session.dataset, session.K, session.seed, search.state_of(session)
    goal, indexes = search.need_of(state), _indexes(session, manifest)
    what = (manifest.key, dataset.query_fingerprint, K, goal, seed, state.faiss)
    return Task(
        ("tuned on all parts", *what, *indexes),
        f"Tuning on all {manifest.n:,}",
        lambda progress: work.tuned_on_all(
            dataset, manifest, indexes, K, goal, seed, progress, faiss=state.faiss
        ),
    )
