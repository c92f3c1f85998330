"""The figure that is shown, and how it is chosen."""

from pages._ui.parts.paper import work
from tests.pages._ui.parts.paper.conftest import said
from tests.pages.conftest import session_of


def test_a_figure_and_its_way_are_chosen_and_stand_in_the_link(opened):
    at = opened(known=True)
    assert at.selectbox[1].options[:4] == [
        "Figure 2 · Few words",
        "Figure 3. Noise, against the noisy query · Few words",
        "Figure 3. Noise, against answers before it · Few words",
        "Other methods · Few words",
    ]
    assert "the number of clusters k varies" in said(at)
    at.segmented_control(key="paper way paper").set_value("ours").run()
    assert "how many are opened, vary together" in said(at)
    at.selectbox[1].select("few-users-figure-drift").run()
    assert "Moving vectors: Few users" in said(at)
    assert at.query_params["paper"] == "data=own,way=ours,figure=few-users-figure-drift"


def test_a_figure_that_is_not_there_is_the_first(opened):
    assert "Figure 2: Few words" in said(opened("data=own,figure=others", known=True))


def test_every_picture_can_be_taken_away(opened):
    at = opened(known=True)
    assert {"SVG", "PNG", "CSV"} <= {button.label for button in at.get("download_button")}
    shown = work.paper_of(session_of(at)).result
    assert len({one.name for one in shown.pictures}) == len(shown.pictures) == 17
