"""The app. Run it with `streamlit run app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

from pages._ui import serve, warmup


@asynccontextmanager
async def _lifespan(_: st.App) -> AsyncIterator[None]:
    serve.prepare()
    warmup.start()
    yield


app = st.App(
    Path(__file__).parent / "pages/_ui/main.py",
    routes=serve.routes(),
    lifespan=_lifespan,
)
