"""The line over every page: which data, which K, which queries, and what is being built."""

from pathlib import Path

import streamlit as st

from mips_core.metrics import measure_of
from mips_core.params import params_of, with_text
from mips_core.truth import rankable
from pages._ui import session, under_way
from pages._ui.metric_words import ranked_by
from pages._ui.widgets import plain, short

_PAGES = Path(__file__).parents[1]
_USUAL = (1, 10, 100)
_OTHER = "Other"
_SEED_HELP = "Fixes every random draw: queries, starts, noise."


def draw() -> None:
    """Draw the bar. Its container's key carries the style."""
    bar = st.container(horizontal=True, key="context", gap="small", vertical_alignment="center")
    with bar:
        _data()
        _metric()
        _answers()
        _queries()
        under_way.draw()


def say_missing() -> None:
    """Say on every page that a link's data is gone, and that other data is shown in its place."""
    chosen = session.current()
    if chosen.missing:
        st.info(
            f"**This link is from other data** (fingerprint {plain(chosen.missing[:4])}…, not in "
            f"memory). What you see is {plain(chosen.source.name)}. The link's settings were kept; "
            "load the same file on Data to see the same numbers."
        )


def _data() -> None:
    chosen = session.current()
    source = chosen.source
    mark = " · simulated" if source.simulated else ""
    name = plain(short(source.name))
    with st.popover(f"**{name}** {source.n:,} × {source.d:,}{mark}", width="content"):
        items, dimensions = "item" + "s" * (source.n != 1), "dimension" + "s" * (source.d != 1)
        st.markdown(
            f"**{plain(source.name)}**  \n{source.n:,} {items} · {source.d:,} {dimensions}{mark}"
        )
        st.page_link(_PAGES / "data.py", label="Use other data")


def _metric() -> None:
    dataset = session.current().dataset
    noun = measure_of(dataset).noun
    with st.popover(f"by **{noun}**", width="content"):
        st.markdown(ranked_by(dataset))
        st.page_link(_PAGES / "data.py", label="Search by something else")


def _answers() -> None:
    """Keys hold the value, so that a widget that was not shown yet cannot send an older one."""
    chosen = session.current()
    with st.popover(f"**K** {chosen.K}", width="content"):
        usual = [k for k in _USUAL if k <= chosen.most_answers]
        key = f"context K {chosen.K}"
        st.segmented_control(
            "Answers per query, K",
            [*usual, _OTHER],
            default=chosen.K if chosen.K in usual else _OTHER,
            key=key,
            on_change=_take_answers,
            args=(key,),
            help="How many of the best items a search must return.",
        )
        if chosen.most_answers > 1:
            key = f"context any K {chosen.K}"
            st.number_input(
                f"Any K, 1 to {chosen.most_answers}",
                1,
                chosen.most_answers,
                chosen.K,
                key=key,
                on_change=_take_answers,
                args=(key,),
            )


def _take_answers(key: str) -> None:
    """Widgets that are gone may report their old value once more while the page looks again."""
    picked, chosen = session.widget(key), session.current()
    if isinstance(picked, int) and key.endswith(f" {chosen.K}"):
        chosen.K = picked


def _queries() -> None:
    recipe = session.current().recipe
    kept = rankable(session.current().dataset.queries)
    m, dropped = int(kept.sum()), int((~kept).sum())
    with st.popover(f"{m:,} quer{'y' if m == 1 else 'ies'}, seed {recipe.seed}", width="content"):
        for name, step in (("count", 100), ("seed", 1)):
            declared, value = params_of(recipe)[name], getattr(recipe, name)
            key = f"context {name} {value}"
            st.number_input(
                declared.label,
                int(declared.low),
                int(declared.high),
                value,
                step=step,
                key=key,
                on_change=_take_recipe,
                args=(key, name),
                help=_SEED_HELP if name == "seed" else declared.help,
            )
        if dropped:
            st.caption(f"{dropped:,} more are zero, rank nothing, and are left out.")


def _take_recipe(key: str, name: str) -> None:
    chosen = session.current()
    if key.endswith(f" {getattr(chosen.recipe, name)}"):  # not one that is gone
        chosen.recipe = with_text(chosen.recipe, {name: str(session.widget(key))})
