"""What a page has asked of jobs, so that it is drawn again only where the answer is another now."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import local
from time import monotonic

from pages._ui.work.job import Job

STEPS = 50  # of a job's progress: what is less is no news
SLOWLY = 6.0  # seconds after which what is said of other visitors' jobs is said anew
News = tuple[Hashable, ...] | None
_ASKED = local()  # of this thread: .looks, what notes the jobs it asks for; .visitor, who it is of


class Looks:
    """The jobs that one drawing of a page has asked for, and how each of them stood.

    Without `steps` it is no news how far a job is, and what it shows of its result by then.
    """

    def __init__(self, *, steps: bool = True) -> None:
        self.stood: dict[Hashable, News] = {}
        self.steps = steps
        self.again = False  # whether the next look is to draw, whatever it finds
        self._visitor = ""
        self._drawn = monotonic()

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note, from the start, what this thread asks for within."""
        self.stood, self._drawn, self.again = {}, monotonic(), False
        outer, _ASKED.looks = getattr(_ASKED, "looks", None), self
        try:
            yield
        finally:
            _ASKED.looks, self._visitor = outer, visitor()

    def changed(self, find: Callable[[Hashable], Job | None]) -> bool:
        """Whether another drawing would show anything else; `find` gives a job as it is now."""
        asks(self._visitor)
        waits, changed = False, self.again
        for key, stood in self.stood.items():
            job = find(key)
            waits |= job is not None and (job.aside or job.state == "waiting")
            changed |= _news_of(job, self.steps) != stood
        waits &= self.steps
        return changed or (waits and monotonic() - self._drawn >= SLOWLY)

    def stand(self, find: Callable[[Hashable], Job | None]) -> dict[Hashable, News]:
        """How the jobs that it has asked for stand now."""
        asks(self._visitor)
        return {key: _news_of(find(key), self.steps) for key in self.stood}

    def go_on(self, stand: dict[Hashable, News]) -> None:
        """With its jobs at this `stand`, what was drawn would be drawn so again."""
        self.stood, self._drawn = stand, monotonic()


def asks(owner: str) -> None:
    """This thread draws for this visitor."""
    _ASKED.visitor = owner


def visitor() -> str:
    """Whom this thread draws for; "" for none, as where work is done."""
    owner: str = getattr(_ASKED, "visitor", "")
    return owner


def tell(key: Hashable, job: Job | None) -> None:
    """This thread has asked for the job of this key."""
    looks: Looks | None = getattr(_ASKED, "looks", None)
    if looks is not None:
        looks.stood.setdefault(key, _news_of(job, looks.steps))


def _news_of(job: Job | None, steps: bool) -> News:
    """All of a job that pages show."""
    if job is None:
        return None
    if not steps:
        return job.number, job.state if not job.active else "", job.stop, job.error
    step = int(STEPS * job.fraction)
    shown = job.state, job.aside, step, job.message, id(job.partial), job.stop, job.error
    return job.number, *shown
