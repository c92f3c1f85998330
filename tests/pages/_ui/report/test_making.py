"""The report is made by a job, once for the same."""

from dataclasses import replace

from pages._ui.report import assembly, making
from tests.pages.conftest import session_of
from tests.pages.report_page import look, opened


def test_while_measurements_come_a_report_is_made_now_and_then_and_words_are_heard_at_once(
    app, monkeypatch
):
    at = opened(app)
    at = look(at.button(key="report measure").click())
    session, clock, made = session_of(at), [making.monotonic() + 1000], []
    every = assembly.evaluations_of(session)
    make = making._maker
    monkeypatch.setattr(making, "monotonic", lambda: clock[0])
    monkeypatch.setattr(making, "PATIENCE", 60.0)

    def maker(session, evaluations, *rest):
        work = make(session, evaluations, *rest)
        return lambda: made.append(evaluations) or work()

    monkeypatch.setattr(making, "_maker", maker)
    monkeypatch.setattr(assembly, "measuring", lambda _: True)

    def report(count):
        some = every[:count]
        point = assembly.point_of(session, some)[1]
        return making.report_on(session, some, point, making.making_of(session, some, point))

    clock[0] += making.SECONDS
    first = report(1)
    assert report(1) is first
    assert report(2) is first  # too young to be made anew for one more
    session.states["report"] = replace(session.states["report"], title="Mine")
    assert report(2).title == "Mine"
    clock[0] += making.SECONDS
    assert report(3) is not first
    assert [len(some) for some in made] == [1, 2, 3]
    monkeypatch.setattr(assembly, "measuring", lambda _: False)
    report(4)
    assert len(made[-1]) == 4  # all is in: what stands is of all
