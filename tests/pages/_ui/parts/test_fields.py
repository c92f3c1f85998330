"""Widgets of declared parameters bear their label and help, and hold the value."""

from streamlit.testing.v1 import AppTest


def script():
    from mips_core.base.params import params_of
    from pages._ui.parts import fields
    from pages._ui.state.page_states import RobustnessState

    declared = params_of(RobustnessState)["truth"]
    words = {"noisy": "Noisy query", "clean": "Clean query"}
    fields.buttons(declared, words, "clean", "truth buttons", lambda: None)
    fields.box(declared, words, "neither", "truth box", lambda: None, width=200)


def test_a_choice_is_drawn_as_it_is_declared():
    at = AppTest.from_function(script).run()
    assert not at.exception
    buttons = at.segmented_control(key="truth buttons")
    assert (buttons.label, buttons.value) == ("Truth", "clean")
    assert "as in the paper" in buttons.proto.help
    assert at.selectbox(key="truth box").value == "noisy"  # the first, where it is none of them
