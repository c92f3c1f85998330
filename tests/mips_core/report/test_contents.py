"""A report as plain values."""

import json

from mips_core.report import (
    html_of,
)


def test_the_numbers_are_in_the_page_for_programs(made):
    html = html_of(made)
    told = html.partition('type="application/json" id="report">')[2].partition("</script>")[0]
    assert json.loads(told) == json.loads(json.dumps(made.as_dict()))
