"""What the Data page shows before it is used: a draft beside the visitor's session."""

from dataclasses import dataclass, field

from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Metric
from mips_core.data.queries import QueryRecipe
from pages._ui.data import reading
from pages._ui.data.reading import Asked
from pages._ui.data.result import Reading, Refused
from pages._ui.state.session import DEFAULT_DATA, Session
from pages._ui.work import data_files, jobs
from pages._ui.work.data_file import File

SHIPPED, UPLOAD, FOLDER = "Shipped", "Upload", "Folder"


@dataclass
class Draft:
    """Choices on the Data page that have not been used yet."""

    origin: str
    shipped: str  # key of the catalog
    files: tuple[File, ...] = ()  # given last, read together
    given_by: str = UPLOAD  # the origin of these files
    asked: Asked = field(default_factory=Asked)  # how they are to be understood
    earlier: Asked | None = None  # how they were understood last
    recipe: QueryRecipe | None = None  # None: the usual one
    metric: Metric | None = None  # None: the one in use
    adding: bool = False  # whether the next upload joins these files
    problem: str = ""  # why the last press of a button led to nothing, in Markdown
    round: int = 0  # a new one empties the uploader

    @property
    def reads(self) -> tuple[File, ...]:
        """The files that the chosen origin stands for."""
        return self.files if self.given_by == self.origin else ()


def of(session: Session) -> Draft:
    """The visitor's draft; at first, what is searched now."""
    if session.draft is None:
        session.draft = _start(session, 0)
    draft: Draft = session.draft
    return draft


def drop(session: Session) -> None:
    """Back to what is searched now; nobody needs the files any more."""
    draft = of(session)
    _stop_reading(draft)
    data_files.remove(draft.files)
    session.draft = _start(session, draft.round + 1)


def _start(session: Session, round_: int) -> Draft:
    known = session.data in CATALOG
    upload = bool(session.missing) or not known
    return Draft(
        UPLOAD if upload else SHIPPED, session.data if known else DEFAULT_DATA, round=round_
    )


def take_files(draft: Draft, files: tuple[File, ...]) -> None:
    """Read these files from now on: what was read before belongs to them no longer."""
    _stop_reading(draft)
    data_files.remove(file for file in draft.files if file not in files)
    draft.files, draft.given_by = files, draft.origin
    draft.asked, draft.earlier, draft.recipe, draft.problem = Asked(), None, None, ""
    draft.adding = draft.adding and bool(files)


def correct(draft: Draft, asked: Asked) -> None:
    """Understand the same files otherwise; everything else stays."""
    _stop_reading(draft)
    draft.asked, draft.problem = asked, ""


def _stop_reading(draft: Draft) -> None:
    job = jobs.find(reading.key_of(draft.files, draft.asked))
    if job is not None and job.active:
        jobs.cancel(job)
        jobs.forget(job)  # the same may be asked for again


def come_back(draft: Draft) -> None:
    """The page was left and is open again: what was refused or stopped then is not news."""
    draft.problem = ""
    key = reading.key_of(draft.files, draft.asked)
    found, job = reading.result(key), jobs.find(key)
    settled = isinstance(found, Reading) or (job is not None and job.active)
    if not draft.files or settled or (isinstance(found, Refused) and found.may_be_settled):
        return
    if draft.earlier is not None:
        draft.asked = draft.earlier
    elif found is not None or job is not None:
        take_files(draft, ())
