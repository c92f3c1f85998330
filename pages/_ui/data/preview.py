"""What the Data page's draft leads to: a data set, its queries and metric; and its use."""

from dataclasses import dataclass, replace

from mips_core import Dataset, MipsError
from mips_core.data.catalog import CATALOG
from mips_core.data.dataset import Metric
from mips_core.data.queries import QueryRecipe, default_recipe
from pages._ui.data import draft as data_draft
from pages._ui.data import reading as data_reading
from pages._ui.data.draft import SHIPPED, UPLOAD, Draft
from pages._ui.data.result import Reading
from pages._ui.state.session import Session, shipped
from pages._ui.text.widgets import refusal
from pages._ui.work import data_files


@dataclass(frozen=True, eq=False)
class Preview:
    """Data that could be used, and where it is from."""

    source: Dataset
    data: str  # its key in the catalog, or its fingerprint
    reading: Reading | None = None  # of files that were read here


def preview(session: Session, draft: Draft) -> Preview | None:
    """What the draft leads to; None where a file is missing, refused, or being read."""
    if draft.origin == SHIPPED:
        return Preview(shipped(draft.shipped), draft.shipped)
    if not draft.reads:
        own = draft.origin == UPLOAD and session.data not in CATALOG
        return Preview(session.source, session.data) if own else None
    found = data_reading.result(data_reading.key_of(draft.reads, draft.asked))
    if not isinstance(found, Reading):
        return None
    return Preview(found.dataset, found.dataset.fingerprint, found)


def is_current(session: Session, shown: Preview) -> bool:
    """Whether this very data, with its labels and queries, is what is searched now."""
    now, then = session.source, shown.source
    return now is then or (
        shown.data == session.data
        and now.name == then.name
        and now.query_fingerprint == then.query_fingerprint
        and (now.labels or ()) == (then.labels or ())
    )


def recipe_of(session: Session, draft: Draft, shown: Preview) -> QueryRecipe:
    """The queries the draft asks of `shown`, with the seed of the context bar."""
    usual = default_recipe(shown.source, session.seed)
    if shown.data in (session.data, session.missing):
        usual = session.recipe
        if shown.data == session.missing and session.asked:
            usual = replace(usual, source=session.asked.source)
    recipe = draft.recipe or usual
    if recipe.source == "own" and shown.source.m == 0:
        recipe = replace(recipe, source="rows")
    if shown.source.n == 1:  # a query sampled from one item has no other answer
        recipe = replace(recipe, exclude_self=False)
    return replace(recipe, seed=session.seed)


def metric_of(session: Session, draft: Draft, shown: Preview) -> Metric:
    """What is to rank the items of `shown`."""
    return "inner product" if shown.source.logits else draft.metric or session.metric


def use(session: Session, shown: Preview, recipe: QueryRecipe, metric: Metric) -> None:
    """Search what is shown from now on; copies of its files are not needed any more."""
    draft = data_draft.of(session)
    try:
        session.use(shown.source, shown.data, recipe, metric)
    except MipsError as error:
        draft.problem = refusal(error)
        return
    draft.recipe, draft.metric, draft.problem, draft.adding = None, None, "", False
    data_files.remove(draft.reads)
