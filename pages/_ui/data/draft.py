"""What the Data page shows before it is used: a draft beside the session, and what it leads to."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from mips_core import Dataset, MipsError
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Metric
from mips_core.data.folder import VARIABLE
from mips_core.data.queries import QueryRecipe, default_recipe
from mips_core.scale.manifest import NAME
from pages._ui.data import reading
from pages._ui.data.reading import Interpretation, Reading, Refusal
from pages._ui.parts.folder_files import FOLDER, SHIPPED, UPLOAD, FolderFile
from pages._ui.state import app_state
from pages._ui.state.dataset_in_use import possible_recipe
from pages._ui.state.session import DEFAULT_DATA, Session, shipped
from pages._ui.text.widgets import refusal
from pages._ui.work import data_files, jobs, uploads
from pages._ui.work.data_files import File
from pages._ui.work.task import once
from pages._ui.work.uploads import DataOrigin

EARLIER, PUBLISHED = "Earlier", "Published"


@dataclass
class Draft:
    """Choices on the Data page that have not been used yet."""

    origin: str
    shipped: str  # key of the catalog
    files: tuple[File, ...] = ()  # given last, read together
    given_by: str = UPLOAD  # the origin of these files
    interpretation: Interpretation = field(default_factory=Interpretation)  # of these files
    earlier: Interpretation | None = None  # how they were understood last
    name: str = ""  # what the data are to be called; "": as their files are
    recipe: QueryRecipe | None = None  # None: the usual one
    metric: Metric | None = None  # None: the one in use
    adding: bool = False  # whether the next upload joins these files
    problem: str = ""  # why the last press of a button led to nothing, in Markdown
    round: int = 0  # a new one empties the uploader
    again: bool = False  # whether these are the files of data that a link misses
    published: str = "movielens-latest"  # key of a published set

    @property
    def reads(self) -> tuple[File, ...]:
        """The files that the chosen origin stands for."""
        return self.files if self.given_by == self.origin else ()


def draft_of(session: Session) -> Draft:
    """The visitor's draft; at first, what is searched now."""
    if session.draft is None:
        session.draft = _start(session, 0)
    draft: Draft = session.draft
    return draft


def drop_draft(session: Session) -> None:
    """Back to what is searched now; nobody needs the files any more."""
    draft = draft_of(session)
    _stop_reading(draft)
    data_files.remove(draft.files)
    session.draft = _start(session, draft.round + 1)


def _start(session: Session, round_: int) -> Draft:
    of_catalog = session.data in CATALOG
    upload = bool(session.missing) or not of_catalog
    return Draft(
        UPLOAD if upload else SHIPPED, session.data if of_catalog else DEFAULT_DATA, round=round_
    )


def take_files(draft: Draft, files: tuple[File, ...]) -> None:
    """Read these files from now on: what was read before belongs to them no longer."""
    _stop_reading(draft)
    data_files.remove(file for file in draft.files if file not in files)
    draft.files, draft.given_by = files, draft.origin
    draft.interpretation, draft.earlier = Interpretation(), None
    draft.recipe, draft.problem = None, ""
    draft.adding, draft.again, draft.name = draft.adding and bool(files), False, ""


def correct(draft: Draft, interpretation: Interpretation) -> None:
    """Understand the same files otherwise; everything else stays."""
    _stop_reading(draft)
    draft.interpretation, draft.problem = interpretation, ""


def _stop_reading(draft: Draft) -> None:
    job = jobs.find(reading.key_of(draft.files, draft.interpretation))
    if job is not None and job.active:
        jobs.forget(jobs.cancel(job, app_state.current().owner))  # the same may be asked for again


def come_back(draft: Draft) -> None:
    """The page was left and is open again: what was refused or stopped then is not news."""
    draft.problem = ""
    key = reading.key_of(draft.files, draft.interpretation)
    outcome, job = reading.result(key), jobs.find(key)
    settled = isinstance(outcome, Reading) or (job is not None and job.active)
    if not draft.files or settled or (isinstance(outcome, Refusal) and outcome.may_be_settled):
        return
    if draft.earlier is not None:
        draft.interpretation = draft.earlier
    elif outcome is not None or job is not None:
        take_files(draft, ())


@dataclass(frozen=True, eq=False)
class Preview:
    """Data that could be used, and where it is from."""

    source: Dataset
    data: str  # its key in the catalog, or its fingerprint
    reading: Reading | None = None  # of files that were read here


def preview_of(session: Session, draft: Draft) -> Preview | None:
    """What the draft leads to; None where a file is missing, refused, or being read."""
    if draft.origin == SHIPPED:
        return Preview(shipped(draft.shipped), draft.shipped)
    if not draft.reads:
        own = draft.origin == UPLOAD and session.data not in CATALOG
        return Preview(session.source, session.data) if own else None
    key = reading.key_of(draft.reads, draft.interpretation)
    outcome = reading.result(key)
    if not isinstance(outcome, Reading):
        return None
    dataset, name = outcome.dataset, name_of(draft, outcome.dataset)
    named = once(("named", key, name), lambda: replace(dataset, name=name))
    return Preview(named, named.fingerprint, outcome)


def name_of(draft: Draft, dataset: Dataset) -> str:
    """What was said, else the file's name; of several files of the data folder their folder's.

    Of a manifest its folder's, and that it is a sample where not all fit.
    """
    paths = [PurePosixPath(file.name) for file in draft.reads]
    if draft.name or not paths:
        return draft.name or dataset.name
    if [path.name for path in paths] == [NAME]:
        return dataset.name
    if len(paths) > 1 and draft.origin == FOLDER:
        folder = PurePosixPath(os.environ.get(VARIABLE, "")).name
        return paths[0].parent.name or folder or paths[0].name
    return next((path.name for path in paths if path.stem == dataset.name), paths[0].name)


def is_current(session: Session, preview: Preview) -> bool:
    """Whether this very data, with its labels and queries, is what is searched now."""
    now, then = session.source, preview.source
    return now is then or (
        preview.data == session.data
        and now.name == then.name
        and now.items.dtype == then.items.dtype
        and now.query_fingerprint == then.query_fingerprint
        and tuple(now.labels or ()) == tuple(then.labels or ())
    )


def recipe_of(session: Session, draft: Draft, preview: Preview) -> QueryRecipe:
    """The queries the draft asks of `preview`, with the seed of the context bar."""
    usual = default_recipe(preview.source, session.seed)
    if preview.data in (session.data, session.missing):
        usual = session.recipe
        if preview.data == session.missing and session.asked:
            usual = replace(usual, source=session.asked.source)
    recipe = possible_recipe(preview.source, draft.recipe or usual)
    return replace(recipe, seed=session.seed)


def metric_of(session: Session, draft: Draft, preview: Preview) -> Metric:
    """What is to rank the items of `preview`."""
    return "inner product" if preview.source.logits else draft.metric or session.metric


def _origin_of(draft: Draft, preview: Preview) -> DataOrigin | None:
    """Where data that were read here came from."""
    source, reading = preview.source, preview.reading
    if reading is None:
        return None
    return DataOrigin(
        source.name, source.n, source.d, tuple(file.name for file in draft.reads),
        reading.size, draft.origin == FOLDER, draft.interpretation.text,
        draft.published if draft.origin == PUBLISHED else "",
    )  # fmt: skip


def watch(source: Dataset, files: Sequence[File]) -> None:
    """Let who uses `source` lose it where one of its `files`, from which it is mapped, changes."""
    mapped = [file for file in files if isinstance(file, FolderFile)]
    if mapped and source.is_mapped:
        changed = lambda: any(file.written_over for file in mapped)  # noqa: E731
        uploads.watch(source.fingerprint, changed)


def use_draft(session: Session, preview: Preview, recipe: QueryRecipe, metric: Metric) -> None:
    """Search what is shown from now on; copies of its files are not needed any more."""
    draft = draft_of(session)
    try:
        session.use(preview.source, preview.data, recipe, metric, _origin_of(draft, preview))
    except MipsError as error:
        draft.problem = refusal(error)
        return
    watch(preview.source, draft.reads)
    draft.recipe, draft.metric, draft.problem, draft.adding = None, None, "", False
    data_files.remove(draft.reads)
