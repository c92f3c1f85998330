"""The box that says that ratings are simulated, on every page that shows what was made of them."""

import streamlit as st

from mips_core import Dataset


def say(dataset: Dataset) -> None:
    """Say so where they are."""
    if dataset.simulated:
        st.info("**Simulated ratings.** Made by the seeded generator; no real people.")
