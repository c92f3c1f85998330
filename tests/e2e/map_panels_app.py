"""A server for the panels of the map: a made-up index of three levels."""

from pathlib import Path

import streamlit as st

from pages._ui.elements import blobs, serve

app = st.App(
    Path(__file__).with_name("map_panels_page.py"), routes=[*serve.routes(), *blobs.routes()]
)
