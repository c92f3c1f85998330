"""The list of a visitor's work."""

from threading import Event

from pages._ui.work import jobs
from pages._ui.work.job import LATER


def test_what_runs_and_what_waits_stand_in_the_order_of_their_turns_and_can_be_cancelled(app):
    at = app("methods.py")
    owner, release, begun = at.session_state["session"].owner, Event(), Event()
    jobs.start("a", "First *one*", lambda progress: begun.set() or release.wait(20), owner)
    assert begun.wait(5)
    jobs.start("b", "Ahead", lambda progress: 1, owner, LATER)
    for number in range(9):
        jobs.start(number, f"Build {number}", lambda progress: 1, owner, -number)
    at.run()
    listed = [line.value for line in at.markdown if line.value.startswith(("**First", "**Build"))]
    assert len(listed) == 8
    assert listed[0].startswith("**First \\*one\\*")
    assert listed[1].startswith("**Build 8**  \nWaiting for “First")
    assert listed[2].startswith("**Build 7**  \nNumber 2 in the queue · now “First")
    assert any(caption.value == "and 3 more" for caption in at.caption)
    at.button(key=f"cancel queued {jobs.find(7).number}").click().run()
    assert jobs.find(7).state == "cancelled"
    release.set()
