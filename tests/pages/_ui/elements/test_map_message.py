"""The map's message has the names that its modules in the browser read."""

import re
from dataclasses import fields

import pytest

from pages._ui.elements import map_message
from pages._ui.elements.serve import ASSETS
from pages._ui.elements.wire import camel

JS = "".join(path.read_text() for path in ASSETS.glob("map*.js"))


@pytest.mark.parametrize(
    "cls",
    [
        map_message.MapLayout,
        map_message.MapLevel,
        map_message.Outlines,
        map_message.Colouring,
        map_message.PathStep,
        map_message.MapSearch,
        map_message.MapMessage,
    ],
)
def test_every_field_is_read_in_the_browser(cls):
    for field in fields(cls):
        assert re.search(rf"\b{camel(field.name)}\b", JS), field.name
