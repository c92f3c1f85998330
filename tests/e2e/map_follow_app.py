"""A server for a followed search on the map: a lattice of groups, nothing computed."""

from pathlib import Path

import streamlit as st

from pages._ui.elements import blobs, serve

PAGE = Path(__file__).with_name("map_follow_page.py")
app = st.App(PAGE, routes=[*serve.routes(), *blobs.routes()])
