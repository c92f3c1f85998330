"""The Robustness page as tests drive it."""

import time

from pages._ui.elements.stepped import SteppedMessage, SteppedScene, Steps
from pages._ui.robustness import picture
from pages._ui.robustness import progress as robustness_progress
from pages._ui.robustness.study import study_of
from pages._ui.work import jobs
from tests.pages.conftest import session_of

FEW = ["flat-kmeans", "largest-norm"]


def waits(session, at):
    """Whether anything is still to come with the slider at SPEEDUPS[at]."""
    study = study_of(session)
    return robustness_progress.unsettled(study, study.tasks(at))


def settled(at):
    """Look again until nothing is left to compute."""
    session = session_of(at)
    while waits(session, picture.places_of(session)[0]):
        assert jobs.wait(300)
        at.run()
        assert not at.exception
    at.run()  # the last of it may have come after it was drawn
    return at


def opened(app, **address):
    """The page, with everything on it computed."""
    return settled(app("robustness.py", settle=False, **{"method": FEW, **address}))


def at_view(speedup, sigma=0.3):
    return f"speedup={speedup},sigma={sigma}"


def waiting_forever(*inputs):
    while True:
        inputs[-1](0.1, "waiting")
        time.sleep(0.01)


def stepped_view(**changes):
    scene = SteppedScene([{"y": [1.0]}], ["one", "two"])
    steps = Steps("S", ["a", "b"], ["", ""])
    known = {
        **{"figure": {"data": [{}], "layout": {}}, "scenes": [scene, scene]},
        **{"places": [0.0, 1.0], "sliders": (steps, steps), "chosen": (0, 1), "alt": ""},
    }
    return SteppedMessage(**{**known, **changes})
