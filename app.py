"""The app. Run it with `streamlit run app.py`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from mips_core.base import limits
from mips_core.base.errors import MipsError
from mips_core.data.folder import folder_in
from pages._ui import warmup
from pages._ui.elements import blobs, guard, serve, upload_room
from pages._ui.work import (
    downloads,
    earlier,
    left_sessions,
    memory,
    messages,
    theme,
    upload_copy,
    widget_values,
)

memory.share_arenas()
MAIN = Path(__file__).absolute().parent / "pages/_ui/main.py"
# Streamlit puts the folder of its script into this list before a run and takes it out after. A
# thread that goes through the list meanwhile misses an entry, and does not find a package that is
# there. What stands in the list for good is left alone.
sys.path.append(str(MAIN.parent))

try:
    limits.check()
    folder_in(os.environ)
    earlier.room_in(os.environ, is_open=False)
    guard.framed_by(os.environ)
except MipsError as error:  # said now, not when somebody asks for the folder or meets a limit
    sys.exit(str(error))


def _leave(ended: object) -> None:
    from pages._ui.state import app_state  # with all it needs, which a first page has loaded

    app_state.leave(ended)


@asynccontextmanager
async def _lifespan(_: st.App) -> AsyncIterator[None]:
    memory.start()
    guard.raise_descriptors()
    serve.answer_at_once()
    serve.prepare()
    theme.read_once()
    messages.gather()
    messages.keep_answers()
    downloads.keep()
    widget_values.look_up_one()
    earlier.start()
    warmup.start()
    ending = asyncio.create_task(left_sessions.end_in_time(_leave))
    yield
    ending.cancel()
    upload_copy.remove_all()


app = st.App(
    MAIN,
    routes=[*serve.routes(), *blobs.routes()],
    middleware=[Middleware(guard.Guard), Middleware(upload_room.UploadRoom)],
    lifespan=_lifespan,
)
