"""The theme is read once: Streamlit reads it out of all its options again at every run.

That is 1 ms of the event loop at every look of every page, in which no other visitor is heard.
"""

from functools import cache

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

NAME = "_populate_theme_msg"  # private: test_theme.py holds that it is there


def read_once() -> None:
    """From now on; an edit of the theme is seen at the next start. Nothing where it is not so."""
    read = getattr(app_session, NAME, None)
    if read is None or hasattr(read, "once"):
        return

    @cache
    def theme_of(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        read(message, section)
        return message

    def populate(message: CustomThemeConfig, section: str = "theme") -> None:
        known = theme_of(section)
        if known.ListFields():  # an empty one would count as set
            message.MergeFrom(known)

    populate.once = True  # type: ignore[attr-defined]
    setattr(app_session, NAME, populate)
