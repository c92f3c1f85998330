"""An answer's rows and report name what they are of."""

from pages._ui.parts import on_all as section
from pages._ui.tune import answer_table
from pages._ui.tune.answer import answer_of
from pages._ui.work import jobs, parts_data
from tests.pages.conftest import session_of


def test_rows_name_the_sample_or_all_and_count_settings_by_their_items(sampled):
    at = sampled.go("tune.py")
    at.button(key="tune find").click().run()
    assert jobs.wait(120)
    session = session_of(at)
    answer = answer_of(session)
    sample = answer_table.in_use(session)
    manifest = parts_data.sampled_of(session.dataset)
    whole = section.whole(session.dataset, manifest)
    everything = answer_table.AnsweredData("tune all", whole, manifest.named(), on_all=True)
    for data, name in (
        (sample, "words, sample of 150 of 400"),
        (everything, "words, all 400 vectors"),
    ):
        rows = answer_table._table(answer, list(answer.runners_up), data).to_dict("records")
        assert {row["data"] for row in rows} == {name}
        assert [row["setting"] for row in rows] == [
            trial.setting.in_words(150) for trial in answer.runners_up
        ]
    assert sample.report["dataset"]["n"] == 150
    assert everything.report["manifest"]["n"] == 400
