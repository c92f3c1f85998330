"""What a setting will cost on more data: measured on parts of the data, drawn on to larger n."""

from mips_core.studies.growth.measurement import FEWEST_ITEMS, measure_scaling
from mips_core.studies.growth.power_law import Range
from mips_core.studies.growth.scaling import ScalePoint, Scaling
from mips_core.studies.growth.wording import as_dict, in_words
