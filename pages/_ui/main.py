"""The script behind every page: page settings, navigation, context bar, then the page itself."""

import streamlit as st

from pages._ui import warmup
from pages._ui.data import first_files, reopening
from pages._ui.elements import component, serve
from pages._ui.parts import context_bar
from pages._ui.state import app_state
from pages._ui.text.widgets import PAGES, short

st.set_page_config(
    page_title="MIPS Explorer",
    page_icon=str(serve.ASSETS / "favicon.svg"),
    layout="wide",
)
logo = "logo_dark.svg" if st.context.theme.type == "dark" else "logo.svg"
st.logo(
    str(serve.ASSETS / logo),
    size="large",
    icon_image=str(serve.ASSETS / "favicon.svg"),
)
component.draw_style()
page = st.navigation(
    {
        "Start": [
            st.Page(PAGES / "home.py", title="Home", default=True),
            st.Page(PAGES / "data.py", title="Data"),
        ],
        "Index": [
            st.Page(PAGES / "build.py", title="Build"),
            st.Page(PAGES / "tradeoff.py", title="Trade-off", url_path="trade-off"),
            st.Page(PAGES / "robustness.py", title="Robustness"),
            st.Page(PAGES / "tune.py", title="Tune"),
            st.Page(PAGES / "compare.py", title="Compare"),
            st.Page(PAGES / "drift.py", title="Keep fresh", url_path="drift"),
        ],
        "Inspect": [
            st.Page(PAGES / "search.py", title="Search"),
            st.Page(PAGES / "map.py", title="Map"),
            st.Page(PAGES / "report.py", title="Report"),
        ],
        "Understand": [
            st.Page(PAGES / "course.py", title="Learn", url_path="learn"),
            st.Page(PAGES / "methods.py", title="Methods"),
            st.Page(PAGES / "paper.py", title="Paper"),
            st.Page(PAGES / "guide.py", title="Guide"),
        ],
    }
)
app_state.follow_share()
app_state.drop_old_question()
name = short(app_state.current().source.name)
st.set_page_config(page_title=f"{page.title} · {name} · MIPS Explorer")
context_bar.draw()
if first_files.draw():
    pass  # nothing is asked of them yet, so the address stays bare
else:
    if not reopening.draw():
        page.run()
    app_state.publish()
warmup.PAGE_DRAWN.set()
