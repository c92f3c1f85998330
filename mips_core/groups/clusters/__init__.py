"""The groups an index puts items into: named, coloured, outlined, and compared with others."""

from mips_core.groups.clusters.colouring import COLOURS
from mips_core.groups.clusters.levels import MOST_LEVELS, GroupLevel, describe, level_label
from mips_core.groups.clusters.matching import Moved, moved
from mips_core.groups.clusters.outlines import OutlineRings, outlines_of
