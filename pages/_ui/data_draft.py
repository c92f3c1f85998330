"""What the Data page shows before it is used: a draft beside the visitor's session."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from mips_core import Dataset
from mips_core.catalog import CATALOG
from mips_core.queries import QueryRecipe, default_recipe
from pages._ui import data_reading
from pages._ui.choices import DEFAULT_DATA, Session, shipped

SHIPPED, UPLOAD = "Shipped", "Upload"


@dataclass
class Draft:
    """Choices on the Data page that have not been used yet."""

    origin: str
    shipped: str  # key of the catalog
    reading: Hashable = None  # names the uploaded files that were read
    recipe: QueryRecipe | None = None  # None: the usual one
    round: int = 0  # a new one empties the uploaders


@dataclass(frozen=True, eq=False)
class Preview:
    """Data that could be used, and where it is from."""

    source: Dataset
    data: str  # its key in the catalog, or its fingerprint
    reading: data_reading.Reading | None = None  # of an upload that was read here


def of(session: Session) -> Draft:
    """The visitor's draft; at first, what is searched now."""
    if session.draft is None:
        session.draft = _start(session, 0)
    draft: Draft = session.draft
    return draft


def drop(session: Session) -> None:
    """Back to what is searched now; uploaders are emptied."""
    session.draft = _start(session, of(session).round + 1)


def _start(session: Session, round_: int) -> Draft:
    known = session.data in CATALOG
    upload = bool(session.missing) or not known
    return Draft(UPLOAD if upload else SHIPPED, session.data if known else DEFAULT_DATA, None, None,
                 round_)  # fmt: skip


def preview(session: Session, draft: Draft) -> Preview | None:
    """What the draft leads to; None where a file is missing, refused, or being read."""
    if draft.origin == SHIPPED:
        return Preview(shipped(draft.shipped), draft.shipped)
    if draft.reading is None:
        return None if session.data in CATALOG else Preview(session.source, session.data)
    found = data_reading.result(draft.reading)
    if not isinstance(found, data_reading.Reading):
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
    return replace(recipe, seed=session.seed)


def use(session: Session, shown: Preview, recipe: QueryRecipe) -> None:
    """Search what is shown from now on."""
    session.use(shown.source, shown.data, recipe)
    of(session).recipe = None
