"""Every method is told apart by its line and its marker."""

import pytest

from mips_core.figures.styles import METHODS
from mips_core.report.templates import environment


def swatch(key):
    return environment().get_template("parts.html").module.swatch(key)


@pytest.mark.parametrize("key", METHODS)
def test_every_method_has_a_swatch_of_its_own(key):
    drawn = swatch(key)
    assert drawn not in [
        swatch(other).replace(f"m-{other}", f"m-{key}") for other in METHODS if other != key
    ]
    assert drawn.count('class="marker') == 1
    assert "nan" not in drawn
