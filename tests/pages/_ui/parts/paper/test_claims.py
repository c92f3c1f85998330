"""The table of claims, and the one that is told in full."""

from tests.mips_core.studies.paper.paper_cases import whole
from tests.pages._ui.parts.paper.conftest import said


def test_every_claim_has_a_verdict_and_the_family_is_told(opened):
    at = opened(known=True)
    table = at.dataframe[0].value
    assert list(table["claim"]) == [*range(1, 18), *range(1, 18), 12]
    assert set(table["verdict"]) <= {"✓ holds", "✗ does not hold", "? cannot tell"}
    assert set(table["data"]) == {"Few words", "Few users", "Simulated vectors"}
    assert f"{whole().comparisons} comparisons were made" in said(at)
    assert "Holm" in said(at)
    labels = {button.label for button in at.get("download_button")}
    assert {"Report (HTML)", "Claims (JSON)", "Claims (CSV)"} <= labels


def test_the_claim_of_a_link_is_told_in_full_with_its_figure(opened):
    at = opened("data=own,claim=7", known=True)
    assert "8. Under noise k-means stays best, at 30×." in said(at)
    assert len(at.dataframe[1].value) == 19  # all conditions and their mean
    at.button(key="paper figure of claim").click().run()
    assert "Figure 3: Few words" in said(at)
    assert at.query_params["paper"] == "data=own,figure=few-words-figure-3-noisy,claim=7"


def test_the_figure_of_a_claim_is_drawn_the_way_it_was_read_off(opened):
    at = opened("data=own,claim=0", known=True)
    at.button(key="paper figure of claim").click().run()
    assert at.query_params["paper"] == "data=own,way=ours,figure=few-words-figure-2"


def test_a_claim_that_is_not_there_is_the_last(opened):
    at = opened("data=own,claim=999", known=True)
    assert "12. Hierarchical clusters are cheaper" in said(at)
