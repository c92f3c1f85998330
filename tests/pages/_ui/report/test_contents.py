"""What the report holds."""

from mips_core.report import html_of
from tests.mips_core.report.reports import HOSTILE, Page
from tests.pages.conftest import MAIN, texts
from tests.pages.report_page import look, opened, report_on


def test_title_and_note_are_text_and_last(app):
    at = opened(app)
    at.text_input(key="report title").set_value(HOSTILE).run()
    at.text_area(key="report note").set_value(f"# One\n{HOSTILE}").run()
    assert not at.exception
    shown = texts(at)
    assert "\\<img src=x" in shown
    assert "<img" not in shown.replace("\\<", "")
    for page in ("tune.py", "report.py"):
        at.switch_page(str(MAIN.parents[1] / page)).run()
    report = report_on(look(at))
    assert (report.title, report.note) == (HOSTILE, f"# One\n{HOSTILE}")
    assert Page(html_of(report)).names.count("script") == 1
