"""The page of a report: its text is text, and it needs nothing else."""

import json
from dataclasses import replace

from mips_core.report import (
    Origin,
    html_of,
    notebook_of,
)
from tests.mips_core.report.reports import (
    HOSTILE,
    Page,
    reported,
)


def test_hostile_text_is_text_and_nothing_is_fetched_or_run(case):
    raw, searched = (
        replace(one, name=HOSTILE, notes=(HOSTILE,), labels=[HOSTILE] * one.n) for one in case[:2]
    )
    loud = raw.items.copy()
    loud[7] *= 1000  # a norm so large that the summary names its label
    raw = replace(raw, items=loud)
    report = reported(
        raw, searched, case[2], title=f"Title {HOSTILE}", note=f"One\n\n{HOSTILE} two",
        misses=[HOSTILE], origin=Origin(files=(f"{HOSTILE}.npy",)),
    )  # fmt: skip
    html = html_of(report)
    page, quiet = Page(html), Page(html_of(reported(*case, misses=["x"], note="a\nb")))
    assert {*page.names} == {*quiet.names}
    assert page.names.count("script") == 1
    assert page.names.count("p") == quiet.names.count("p")
    shown = "</script><script>alert(1)</script>&amp;<img src=x onerror=alert(1)> back"
    assert sum(shown in text for text in page.text) >= 7
    assert not {"\u202e", "\x00"} & set(html)
    fetching = {"src", "onerror", "srcset", "action", "data"}
    assert not fetching & {name for name, _ in page.attributes}
    links = [value for name, value in page.attributes if name in ("href", "xlink:href")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "default-src 'none'" in html
    assert html.encode()  # UTF-8 holds all of it


def test_which_settings_were_built_of_many_items_is_said_as_text(case):
    told = "Of 9 settings, 2 were built."
    assert sum(told in text for text in Page(html_of(reported(*case, sampled=told))).text) == 1
    hostile = reported(*case, sampled=HOSTILE)
    assert Page(html_of(hostile)).names == Page(html_of(reported(*case, sampled=told))).names


def test_lone_surrogates_become_signs(case):
    report = reported(*case, title="a\udc80b", note="\ud800")
    assert "a?b" in html_of(report)
    assert html_of(report).encode()
    assert json.loads(notebook_of(report))
