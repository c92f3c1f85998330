"""Another index held beside the one on the map: which items are in another cluster there."""

import numpy as np
import streamlit as st

from mips_core import MipsError
from mips_core.groups.clusters import GroupLevel, Moved
from pages._ui.map import compare_choice, compare_table, compare_work
from pages._ui.map.compare_work import Beside
from pages._ui.map.scene import Scene
from pages._ui.parts import built_index
from pages._ui.text.scripts import PAGES
from pages._ui.text.widgets import plain, refusal

NO_OTHER = "This is the only index that is kept. Build another, and it can be held beside this one."


def draw(scene: Scene) -> None:
    """The section; nothing before the index on the map is built."""
    level, chosen = scene.level, scene.chosen
    if level is None:
        return
    st.subheader("Compare with another index", anchor=False)
    other = compare_work.other_of(chosen)
    if len(chosen.kept) == 1 and other is None:
        st.caption(NO_OTHER)
        st.page_link(PAGES / "build.py", label="Build an index")
        return
    row = st.container(horizontal=True, vertical_alignment="top", gap="small")
    with row:
        compare_choice.choose(chosen)
    if other is None:
        return
    if other == chosen.index:
        st.info("**This is the index on the map: nothing differs.** Choose another one.")
        return
    try:
        beside = compare_work.beside(chosen)
        with row:
            compare_choice.choose_level(chosen, beside)
        _draw(scene, level, beside)
    except MipsError as error:
        st.error(refusal(error))


def _draw(scene: Scene, level: GroupLevel, beside: Beside) -> None:
    if beside.measured.built is None:
        built_index.unbuilt(beside.measured)
    elif beside.level is None:
        st.caption("The other index is being described.")
    elif reason := _why_not(scene, beside):
        st.info(reason)
    elif (moved := compare_work.moved_of(scene, beside)) is None:
        st.caption("The two are being compared.")
    else:
        _say(level, beside.level, moved)
        compare_table.draw(scene, level, beside.level, moved)


def _why_not(scene: Scene, beside: Beside) -> str:
    """Why nothing can be said of items that moved; "" where it can."""
    for measured, levels in (
        (scene.measured, scene.levels),
        (beside.measured, beside.levels),
    ):
        if compare_work.side_by_side(measured.index, levels):
            one = levels[-1].nouns[0]
            return (
                f"**{plain(measured.label)}** groups the items in several ways at once, and a "
                f"search uses them all. So an item has no one {one} that it could leave, and there "
                "is nothing to compare."
            )
    return ""


def _say(level: GroupLevel, there: GroupLevel, moved: Moved) -> None:
    """How much moved, in words, and how that is counted."""
    one, many = level.nouns
    index = f"{moved.adjusted_rand:.3f}".replace("-", "−")
    st.markdown(f"**{moved.sentence(one)}** The adjusted Rand index is **{index}**.")
    fewer, more = sorted(np.count_nonzero(groups.sizes) for groups in (level, there))
    unmatched = "" if fewer == more else f" At most {fewer:,} of {more:,} can have a match."
    st.caption(
        f"The adjusted Rand index is 1 for the same {many}, and about 0 for unrelated ones. Each "
        f"{one} is matched with one of the other index at most, so that as many items as possible "
        f"stay; all others changed.{unmatched}"
    )
