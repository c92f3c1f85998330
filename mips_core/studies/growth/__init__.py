"""What a setting will cost on more data: measured on parts of the data, drawn on to larger n."""

from mips_core.studies.growth.measure import FEWEST_ITEMS, FRACTIONS, measure_scaling
from mips_core.studies.growth.power_law import Growth, Range
from mips_core.studies.growth.resize import index_for
from mips_core.studies.growth.scaled import Advice, ScalePoint, Scaling

__all__ = [
    "FEWEST_ITEMS",
    "FRACTIONS",
    "Advice",
    "Growth",
    "Range",
    "ScalePoint",
    "Scaling",
    "index_for",
    "measure_scaling",
]
