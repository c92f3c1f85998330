"""The Paper page, on a run over few data with few settings, measured once a process."""

import pytest

from pages._ui.parts.paper import work
from pages._ui.work import jobs, results
from tests.mips_core.studies.paper.paper_cases import whole
from tests.pages.conftest import session_of, texts

_SHOWN = []  # what the page shows of it


def said(at):
    return texts(at).replace("\\", "")


@pytest.fixture
def opened(app):
    """Open the page, maybe with that run `known`; Home, passed on the way, has measured its own."""

    def go(paper="data=own", known=False):
        at = app("paper.py", settle=False, paper=paper, queries="rows 60 0.1 no")
        assert jobs.wait(300)
        if known:
            if not _SHOWN:
                _SHOWN.append(work._shown(whole()))
            results.remember(work.paper_of(session_of(at)).key, _SHOWN[0])
        return at.run()

    return go
