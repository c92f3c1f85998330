"""What was measured, to hand on: one HTML page that opens anywhere, and a notebook beside it.

`report_of` gathers numbers that were measured elsewhere; nothing is searched here. The page holds
its pictures as SVG, drawn from the numbers: 0.1 to 0.7 MB, where Plotly's JavaScript alone takes
4.8 MB. It asks no one for anything and runs no script. Numbers stand in tables beside pictures, and
show over the points of a curve.
"""

from mips_core.report.contents import Origin, Report
from mips_core.report.gathering import report_of
from mips_core.report.notebook import notebook_of
from mips_core.report.page import html_of
from mips_core.report.recommendation import Recommendation, as_set, at_precision, by_tuning
from mips_core.report.studies import NoiseMeasured, Studies
