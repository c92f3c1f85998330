"""A server for the map element alone: made-up items, nothing computed."""

from pathlib import Path

import streamlit as st

from pages._ui.elements import blobs, serve

app = st.App(Path(__file__).with_name("map_page.py"), routes=[*serve.routes(), *blobs.routes()])
