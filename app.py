"""The app. Run it with `streamlit run app.py`."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

from mips_core.base.errors import MipsError
from mips_core.data.folder import folder_in
from pages._ui import warmup
from pages._ui.elements import blobs, serve
from pages._ui.work import data_files, earlier, memory

try:
    folder_in(os.environ)
    earlier.room_in(os.environ, is_open=False)
except MipsError as error:  # said now, not when somebody asks for the folder
    sys.exit(str(error))


@asynccontextmanager
async def _lifespan(_: st.App) -> AsyncIterator[None]:
    memory.start()
    serve.answer_at_once()
    serve.prepare()
    earlier.start()
    warmup.start()
    yield
    data_files.remove_all()


app = st.App(
    Path(__file__).parent / "pages/_ui/main.py",
    routes=[*serve.routes(), *blobs.routes()],
    lifespan=_lifespan,
)
