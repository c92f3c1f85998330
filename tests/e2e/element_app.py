"""A server for the chart elements alone: made-up curves, nothing computed."""

from pathlib import Path

import streamlit as st

from pages._ui.elements import blobs, serve

app = st.App(Path(__file__).with_name("element_page.py"), routes=[*serve.routes(), *blobs.routes()])
