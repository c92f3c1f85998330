"""Every figure of the paper, for both kinds of data, both ways."""

import pytest

from mips_core.figures.paper import WAYS, bare, drawings, each_once, of_set
from mips_core.studies.paper.one_set import SetResult
from mips_core.studies.paper.run import PaperResult
from mips_core.studies.paper.wording import figure_of, stems_of
from tests.mips_core.studies.paper.paper_cases import whole


def test_every_verdict_has_its_figure():
    result = whole()
    names = {drawing.name for way in WAYS for drawing in drawings(result, way)}
    stems = stems_of(result)
    assert {figure_of(one, stems[one.data]) for one in result.judgements} <= names


def test_titles_say_which_data_and_in_place_of_what():
    titles = {drawing.name: drawing.title for drawing in drawings(whole(), "paper")}
    assert titles["few-words-figure-2-paper"] == (
        "Figure 2: Few words, in place of words. The paper's way"
    )
    assert titles["few-users-figure-1-paper"] == "Figure 1: Few users. The paper's way"


@pytest.mark.parametrize("way", WAYS)
def test_panels_are_those_of_the_paper(way):
    first = of_set(whole().sets[1], way)[0]
    assert [panel.title for panel in first.panels] == ["(a) K = 1", "(b) K = 10", "(c) K = 100"]
    wanted = {"k-means(1)", "hier-k-means(8)"} if way == "paper" else {"Flat k-means"}
    assert wanted <= set(first.legend.values())
    assert {"PCA-tree", "SRP-hash", "WTA-hash", "Largest norms"} <= set(first.legend.values())
    second = of_set(whole().sets[1], way, "def")[0]
    assert second.panels[0].title == "(d) K = 1"


def test_partial_results_have_the_figures_that_can_be_drawn():
    words = whole().sets[0]
    begun = SetResult(words.facts, {"flat": words.sums["flat"]})
    names = [drawing.name for drawing in drawings(PaperResult((begun,), None, True), "paper")]
    assert names[0] == "few-words-figure-2-paper"
    assert not any("figure-3" in name or "drift" in name or "norms" in name for name in names)


def test_every_figure_comes_once_with_both_its_ways_together():
    drawn = [drawing for way in WAYS for drawing in drawings(whole(), way)]
    names = [drawing.name for drawing in each_once(drawn)]
    assert sorted(names) == sorted({drawing.name for drawing in drawn})
    assert names[:3] == [
        "few-words-figure-2-paper", "few-words-figure-2-ours", "few-words-figure-3-noisy",
    ]  # fmt: skip
    assert list(dict.fromkeys(map(bare, names))) == list(dict.fromkeys(map(bare, (
        drawing.name for drawing in drawings(whole(), "ours")))))  # fmt: skip
