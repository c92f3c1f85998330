"""The theme that a browser gets is the same, and options are gone through once."""

from streamlit import config
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session

from pages._ui.work import theme


def _themes():
    message = NewSession()
    categories = [f"theme.{category.value}" for category in config.CustomThemeCategories]
    app_session._populate_theme_msg(message.custom_theme)
    for section in categories:
        part = message.custom_theme
        for name in section.split(".")[1:]:
            part = getattr(part, name)
        app_session._populate_theme_msg(part, section)
    return message.SerializeToString(deterministic=True)


def test_it_says_the_same_and_is_read_once(monkeypatch):
    monkeypatch.setattr(app_session, theme.NAME, getattr(app_session, theme.NAME))
    before = _themes()
    assert before
    theme.read_once()
    assert _themes() == before
    theme.read_once()  # once is enough

    def again(section):
        raise AssertionError(f"{section} is read again")

    monkeypatch.setattr(config, "get_options_for_section", again)
    assert _themes() == before
