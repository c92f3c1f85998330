"""An index that was opened, put in use: on the data in use, or on the vectors that it holds.

What is opened belongs to who opened it. Its structure is remembered by the content of its file, so
that others with the same data and settings still get what is built here.
"""

from dataclasses import replace
from math import inf

from mips_core import DataError, MipsError, StoredIndex
from mips_core.data.dataset import Metric
from mips_core.serving.store.held import held_data
from pages._ui.build import opening as take_away_opening
from pages._ui.state.dataset_in_use import searched
from pages._ui.state.session import Session
from pages._ui.work import results
from pages._ui.work.measurement import Built, structure_name


def metric_of_use(session: Session, stored: StoredIndex) -> Metric | None:
    """What must rank the data in use so that `stored` is an index of them; None: nothing does."""
    if session.dataset.fingerprint == stored.fingerprint:
        return session.metric
    source = session.source
    if (source.n, source.d) != (stored.n, stored.d) or stored.metric == session.metric:
        return None
    try:
        other = searched(source, session.recipe, stored.metric)
    except MipsError:
        return None
    return stored.metric if other.fingerprint == stored.fingerprint else None


def use(session: Session, stored: StoredIndex, metric: Metric) -> None:
    """Put the index under the slider, with its seed and effort, on the data in use by `metric`.

    Raises MipsError where the session cannot have it so; nothing is changed then.
    """
    opening, index = take_away_opening.of(session), stored.index.explicit(stored.n)
    recipe = replace(session.recipe, seed=stored.seed)
    if (recipe, metric) != (session.recipe, session.metric):
        session.use(session.source, session.data, recipe, metric)
    name = structure_name(session.dataset, index, stored.seed)
    session.opened[name] = opening.digest
    session.keep(index)
    if stored.effort is not None:
        session.effort = stored.effort
    asked = session.asked_of(index)
    file = opening.file.name if opening.file else ""
    results.remember(asked.build_key, Built(index, stored.seed, stored.structure, inf, file))
    asked.ask_again()
    opening.used = replace(stored, items=None, labels=None)
    if stored.has_items:  # one copy of them is enough
        results.remember(opening.key, replace(stored, items=session.dataset.items))


def use_with_data(session: Session, stored: StoredIndex) -> None:
    """Search the vectors that the file holds, with its index. Raises MipsError as `use` does."""
    source, metric = held_data(stored)
    recipe = replace(
        session.recipe,
        source="rows" if session.recipe.source == "own" else session.recipe.source,
        exclude_self=session.recipe.exclude_self and source.n > 1,
        seed=stored.seed,
    )
    if searched(source, recipe, metric).fingerprint != stored.fingerprint:
        raise DataError(
            "The vectors in the file are not those that its index searches.", "Save it anew."
        )
    session.use(source, source.fingerprint, recipe, metric)
    use(session, stored, metric)
