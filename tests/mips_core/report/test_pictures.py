"""Pictures of a report tell what they show."""

from mips_core.report import (
    html_of,
)
from tests.mips_core.report.reports import Page


def test_pictures_tell_what_they_show(made):
    html = html_of(made)
    names = [value for name, value in Page(html).attributes if name == "id"]
    assert len(names) == len({*names})
    assert html.count('role="img"') == 4  # wide, narrow, and two other K
    assert html.count("<title>") == 1 + 4 + 2 + sum(
        len(curve.points) for curve in made.curves if curve.K == 10
    )
    assert html.count('scope="row"') > 20
