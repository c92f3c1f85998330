"""Where data are a sample of vectors in parts: the cheapest setting on all of them."""

from typing import TYPE_CHECKING

from mips_core import INDEXES, Index
from mips_core.base.text import counted
from mips_core.studies.tuning import Budget, Need
from mips_core.studies.tuning.wording import left_out_in_words, percent_of
from pages._ui.parts import on_all
from pages._ui.state.session import Session
from pages._ui.tune import need, recommendation, search
from pages._ui.tune.answer import Answer
from pages._ui.tune.answer_table import AnsweredData
from pages._ui.work import on_all as work
from pages._ui.work import parts_data
from pages._ui.work.task import Task

if TYPE_CHECKING:
    from mips_core.scale.manifest import Manifest

LEFT = "Clusters of settings that no worker can hold whole, and 4 bytes a vector of each,"


def waits(session: Session) -> bool:
    """Whether what is asked is being answered of all vectors."""
    manifest = parts_data.sampled_of(session.dataset)
    return manifest is not None and on_all.waits(session, _task(session, manifest))


def draw(session: Session) -> None:
    """The section; nothing where the data in use are no sample of parts."""
    manifest = parts_data.sampled_of(session.dataset)
    if manifest is None:
        return
    indexes, task = _indexes(session, manifest), _task(session, manifest)
    none = "" if indexes else "No method is chosen that could be tried. Choose under Methods."
    if not on_all.head(session, manifest, task, need.too_few(session) or none):
        return
    many = counted(len(indexes), "setting", "settings")
    labels = ", ".join(dict.fromkeys(index.label for index in indexes))

    def told(answer: Answer | None) -> str:
        if answer is None:
            return (
                f"*Tune on all* tries {many} ({labels}), and some near the best, on all "
                f"{manifest.n:,} by {work.worker_words()}, for what is asked above and with the "
                "same queries."
            )
        said = f"This is of all {manifest.n:,}, asked the same queries."
        out = left_out_in_words(answer.left_out)
        return " ".join((said, recommendation.rests_on(answer), *out))

    answer = on_all.ask(session, task, "tune on all", "Tune on all", told, LEFT)
    if answer is not None:
        whole = on_all.whole(session.dataset, manifest)
        report = {**manifest.named(), "seed": session.seed}
        data = AnsweredData("tune all", whole, report, on_all=True)
        recommendation.draw_answer(session, answer, data)


def _indexes(session: Session, manifest: "Manifest") -> list[Index]:
    keys = [key for key in session.methods if key in INDEXES]
    return work.grid_on_all(keys, manifest, faiss=search.state_of(session).faiss)


def _task(session: Session, manifest: "Manifest") -> Task[Answer]:
    """What is asked on this page, answered of all vectors."""
    dataset, K, seed, state = session.dataset, session.K, session.seed, search.state_of(session)
    goal, indexes = search.need_of(state), _indexes(session, manifest)
    what = (manifest.key, dataset.query_fingerprint, K, goal, seed, state.faiss)
    return Task(
        ("tuned on all parts", *what, *indexes),
        f"Tuning for {_goal_in_words(goal, K)} on all {manifest.n:,}",
        lambda progress: work.tuned_on_all(
            dataset, manifest, indexes, K, goal, seed, progress, faiss=state.faiss
        ),
    )


def _goal_in_words(goal: Need | Budget, K: int) -> str:
    """Precision@10 of 0.9 at 95%; precision@10 within 500 inner products."""
    if isinstance(goal, Need):
        return f"precision@{K} of {goal.precision:g} at {percent_of(goal.confidence)}"
    limits = ", ".join(f"{limit:,g} {name}" for name, limit in goal.limits.items())
    return f"precision@{K} within {limits or 'no limit'}"
