"""The button that copies the address stands in the line over every page; tests/e2e presses it."""

import pytest


@pytest.mark.parametrize("page", [None, "methods.py"])
def test_it_stands_on_every_page_once(app, page):
    at = app(page)
    names = [getattr(getattr(node, "proto", None), "component_name", "") for node in at.main]
    assert names.count("mips_link") == 1
    assert not at.exception
