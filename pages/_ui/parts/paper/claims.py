"""What became of the paper's claims: a table, the claim that is picked in full, and the files."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from mips_core.base.text import counted
from mips_core.figures.paper import bare
from mips_core.report.paper import html_of_paper
from mips_core.studies.paper import wording
from mips_core.studies.paper.verdicts import Judged, Judgement
from pages._ui.parts import result_table
from pages._ui.parts.paper import work
from pages._ui.parts.paper.work import ShownPaper
from pages._ui.state import app_state
from pages._ui.text.widgets import plain

SIGNS = {"holds": "✓ holds", "does not hold": "✗ does not hold", "cannot tell": "? cannot tell"}


def draw(shown: ShownPaper) -> None:
    """All of it, of a run that is done."""
    state = work.state_of(app_state.current())
    st.subheader("What became of the claims", anchor=False)
    lines = wording.summary_in_words(shown.result)
    st.markdown("  \n".join(f"**{plain(line)}**" for line in lines))
    st.caption(plain(f"{wording.RULE} {shown.told}"))
    picked = min(state.claim, len(shown.rows) - 1)
    result_table.draw_to_pick(
        _columns(shown), _config(), total=len(shown.rows), key="paper claims", picked=picked,
        take=_take,
    )  # fmt: skip
    _in_full(shown.result.judgements[picked], shown.rows[picked])
    _files(shown)


def _columns(shown: ShownPaper) -> dict[str, list[Any]]:
    several = {"data": "data"} if len(shown.result.sets) > 1 else {}
    names = {"claim": "claim", "verdict": "verdict", **several, "effect": "effect", "says": "says"}
    columns = {title: [row[name] for row in shown.rows] for name, title in names.items()}
    return columns | {"verdict": [SIGNS[row["verdict"]] for row in shown.rows]}


def _config() -> Mapping[str, Any]:
    text = st.column_config.TextColumn
    return {
        "claim": st.column_config.NumberColumn("no.", width=40),
        "data": text(width=180),
        "verdict": text(width=120),
        "effect": text("effect (95% interval)", width=210),
        "says": text("the paper says", width=560),
    }


def _take(row: int | None) -> None:
    if row is not None:
        _change(claim=row)


def _change(**values: Any) -> None:
    session = app_state.current()
    session.states[work.PAGE] = replace(work.state_of(session), **values)


def _in_full(one: Judgement, row: Mapping[str, Any]) -> None:
    """The claim that is picked: what was measured, the effect, why, and every condition."""
    with st.container(border=True):
        st.markdown(
            f"**{one.claim.number}. {plain(one.claim.text)}**  \n"
            f":gray[Section {plain(one.claim.section)} of the paper · {plain(one.data)}]"
        )
        effect = f": {plain(row['effect'])}" if row["effect"] else ""
        st.markdown(f"**{SIGNS[row['verdict']]}**{effect}; {plain(row['conditions'])}")
        st.markdown(f"Effect: {plain(one.claim.sought)}.")
        if one.why:
            st.markdown(f"Why: {plain(one.why)}")
        elif one.weakest is not None and one.verdict != "holds":
            st.markdown(f"Speaks most against it: {plain(one.weakest.words)}.")
        if row["clock"]:
            st.markdown(plain(row["clock"]))
        st.button("Show its figure", key="paper figure of claim", on_click=_show, args=(row,))
        if one.conditions:
            count = counted(len(one.conditions), "condition", "conditions")
            st.caption(
                f"{count}, and the mean of them. p: how likely an effect so far from none is by "
                "chance alone, with as many comparisons as were made."
            )
            rows = [_condition(one, each) for each in (*one.conditions, one.mean) if each]
            result_table.draw_all(rows, {}, height=min(35 * len(rows) + 38, 320))


def _condition(one: Judgement, each: Judged) -> dict[str, Any]:
    return {
        "at": each.words,
        "effect (95% interval)": wording.effect_in_words(each.estimate, one.claim.unit),
        "p by Holm": f"{each.adjusted:.2g}",
        "surely": wording.SIGNS[each.sign],
    }


def _show(row: Mapping[str, Any]) -> None:
    """Draw the figure behind a claim, in the way that it was read off."""
    name = str(row["figure"])
    way = {"way": "ours"} if name.endswith("-ours") else {}
    way = {"way": "paper"} if name.endswith("-paper") else way
    _change(figure=bare(name), **way)


def _files(shown: ShownPaper) -> None:
    result = shown.result
    with st.container(horizontal=True, gap="small"):
        result_table.download(
            "Report (HTML)",
            lambda: html_of_paper(result, shown.pictures),
            "paper.html",
            "text/html",
            "paper report",
            type="primary",
        )
        result_table.draw_json("paper", "claims", lambda: wording.as_dict(result), "Claims (JSON)")
        result_table.draw_csv("paper", "claims", lambda: list(shown.rows), "Claims (CSV)")
