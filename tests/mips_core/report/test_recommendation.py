"""The setting to run is what was asked for."""

from mips_core import Setting
from mips_core.evaluation.builder import Tried
from mips_core.report import (
    as_set,
    at_precision,
    by_tuning,
)
from mips_core.studies.tuning import Budget, Need, cheapest, most_precise
from tests.mips_core.report.reports import reported


def test_the_setting_to_run_is_what_was_asked_for(case):
    evaluations = case[2]
    tried = [Tried(e, 1.0, 100) for e in evaluations]
    tuned = cheapest(tried, 10, Need(0.8))
    report = reported(*case, point=by_tuning(tuned))
    trial = tuned.chosen
    assert (report.point.measured.precision, report.point.measured.cost) == (
        trial.precision, trial.cost,
    )  # fmt: skip
    assert "Found by tuning for 0.8 at 95% confidence" in report.point.chosen
    within = most_precise(tried, 10, Budget(inner_products=150))
    assert "within a budget" in by_tuning(within).words
    assert by_tuning(most_precise(tried, 10, Budget(inner_products=0.001))) is None
    by_hand = as_set(Setting(evaluations[1].index, 0, int(evaluations[1].efforts[0])))
    report = reported(*case, point=by_hand)
    assert report.settings[report.point.measured.setting].words == evaluations[1].index.setting(300)
    assert at_precision(evaluations, 10, 0.9).target == 0.9
