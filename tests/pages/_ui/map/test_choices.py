"""What is offered over the map."""

from tests.pages.map_page import a_map, message, widget


def test_labels_that_are_all_different_are_no_colours():
    at = a_map(map="colour=label")
    assert "Label" not in widget(at.selectbox, "Colour by").options
    assert message(at)["colouring"]["kind"] == "groups"
