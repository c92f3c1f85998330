"""What the pages a visitor has opened still wait for; what none of them wants is taken back."""

from collections.abc import Hashable, Iterable

from pages._ui.state.session import Session
from pages._ui.work import jobs


def want(session: Session, page: str, keys: Iterable[Hashable]) -> None:
    """`page` waits for the jobs of these keys, and no more for those it wanted before.

    So the work for a page goes on when it is left, until other choices are made there.
    """
    before = session.wishes.get(page, frozenset())
    session.wishes[page] = frozenset(keys)
    jobs.take_back(session.owner, before.difference(*session.wishes.values()))


def forget(session: Session) -> None:
    """No page waits for anything any more: other data, or other queries, are asked about."""
    for page in list(session.wishes):
        want(session, page, ())
