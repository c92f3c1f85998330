"""The app for Streamlit Community Cloud, which gives 1 GB: name this as the main file there."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

LIMITS = {  # what visitors bring and build is kept small beside the app; no process waits for maps
    "MIPS_THREADS": "2",
    "MIPS_MEMORY_BYTES": "400MB",
    "MIPS_MAX_FILE_BYTES": "50MB",
    "MIPS_MAX_VALUES": "10000000",
    "MIPS_CACHE_BYTES": "100MB",
    "MIPS_UNSEEN_CACHE_BYTES": "20MB",
    "MIPS_MAX_UPLOADED_BYTES": "100MB",
    "MIPS_MAX_BLOB_BYTES": "40MB",
    "MIPS_MAX_VISITORS": "20",
    "MIPS_EXPLORER_KEEP": "0",
}
for name, value in LIMITS.items():
    os.environ.setdefault(name, value)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

if TYPE_CHECKING:  # never run: `streamlit run` reads this line to see that an app object is here
    app = st.App("app.py")
else:
    from app import app  # noqa: F401
