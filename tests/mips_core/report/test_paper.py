"""The files of a run: every figure three times, verdicts, one page that asks no one."""

import csv
import json
from io import StringIO

import pytest

from mips_core.figures.paper import WAYS, drawings
from mips_core.report import paper
from mips_core.report.paper import html_of_paper, paper_files, picture_files, pictures
from tests.mips_core.studies.paper.paper_cases import whole


@pytest.fixture(scope="module")
def files():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "as_png", lambda drawing: b"png")  # drawn in tests of its own
        return dict(paper_files(whole()))


def test_every_figure_is_there_in_three_forms(files):
    names = {drawing.name for way in WAYS for drawing in drawings(whole(), way)}
    assert len(names) == len(pictures(whole())) == 17
    for name in names:
        assert {f"{name}.svg", f"{name}.png", f"{name}.csv"} <= files.keys()
    rows = list(csv.DictReader(StringIO(files["few-words-figure-2-ours.csv"].decode())))
    assert {row["line"] for row in rows} >= {"Flat k-means", "PCA-tree"}
    assert [name for name, _ in picture_files(pictures(whole())[:1], png=False)] == [
        "few-words-figure-2-paper.svg",
        "few-words-figure-2-paper.csv",
    ]


def test_verdicts_are_there_for_people_and_programs(files):
    told = json.loads(files["claims.json"])
    assert len(told["claims"]) == 35
    assert len(list(csv.DictReader(StringIO(files["claims.csv"].decode())))) == 35


def test_the_page_shows_every_claim_and_figure_and_fetches_nothing(files):
    page = files["report.html"].decode()
    for drawing in pictures(whole()):
        assert f'id="{drawing.name}"' in page
    for one in whole().judgements:
        assert f"{one.claim.number}. {one.claim.text}" in page
    assert f"{whole().comparisons} comparisons were made" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "<script" not in page
    assert "{{" not in page


def test_names_of_files_are_text_in_the_page():
    result = whole()
    first = result.sets[0]
    hostile = type(first.facts)(**{
        name: getattr(first.facts, name) for name in first.facts.__dataclass_fields__
    } | {"name": "<script>alert(1)</script>"})  # fmt: skip
    changed = type(result)((type(first)(hostile, first.sums), *result.sets[1:]), None, True)
    page = html_of_paper(changed, pictures(changed))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
