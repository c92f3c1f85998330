"""Widgets ask what their key holds; Streamlit lists for each what all keys hold, to look up one.

That grows with the widgets of a page times all that a session has chosen so far.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state import SafeSessionState

NAME = "filtered_state"  # private: test_widget_values.py holds that it is there


class Values(Mapping[str, Any]):
    """What each key of a session holds, looked up as it is asked for; `every` lists all."""

    def __init__(self, state: SafeSessionState, every: Any) -> None:
        self._state, self._every = state, every

    def __getitem__(self, key: str) -> Any:
        with self._state._lock:  # without the look for a newer run that asking the state itself is
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every(self._state))

    def __len__(self) -> int:
        return len(self._every(self._state))


def look_up_one() -> None:
    """From now on. Nothing where Streamlit has another name for it."""
    listed = getattr(SafeSessionState, NAME, None)
    every = listed.fget if isinstance(listed, property) else None
    if every is None or hasattr(every, "one"):
        return

    def values(state: SafeSessionState) -> Values:
        return Values(state, every)

    values.one = True  # type: ignore[attr-defined]
    setattr(SafeSessionState, NAME, property(values))
