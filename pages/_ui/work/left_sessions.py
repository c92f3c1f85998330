"""Sessions of visitors who left are ended when their time is over, whether or not others come.

Streamlit keeps them for a while (server.disconnectedSessionTTL), so that who comes back finds all
as it was, but looks for those to end only when the next visitor leaves: until then each holds its
memory and three descriptors, and a server that has none left can be reached by nobody.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from streamlit.runtime import Runtime, get_instance

EVERY = 5.0  # seconds


async def end_in_time(leave: Callable[[Any], None]) -> None:
    """End those whose time is over, now and again, until cancelled."""
    while True:
        await asyncio.sleep(EVERY)
        try:
            end_expired(leave)
        except Exception:  # another Streamlit: it ends them by itself, only later
            logging.getLogger(__name__).exception("Sessions that were left are ended late")
            return


def number() -> int:
    """How many have the app open, or may come back to it as it was."""
    if not Runtime.exists():
        return 0
    return get_instance()._session_mgr.num_sessions()


def end_expired(leave: Callable[[Any], None]) -> int:
    """End those whose time is over, each given to `leave` before; returns their number.

    Must run on the server's event loop.
    """
    # Streamlit has no public call: test_left_sessions.py holds that these names are there.
    ended = get_instance()._session_mgr._session_storage._cache.expire()  # type: ignore[attr-defined]
    for _, kept in ended:
        leave(kept.session)
        kept.session.shutdown()
    return len(ended)
