"""What one visitor has chosen. Only this file touches application state and the address.

Streamlit forgets the widgets of a page that was left, and a refresh is a new session: so choices
are copied here, and what defines the view is in the address, so that a link reopens it.
"""

from collections.abc import Collection, Mapping
from typing import Any

import streamlit as st

from mips_core import Dataset
from mips_core.data.catalog import CATALOG
from pages._ui.state import learn_state, links, open_sets, runs_state
from pages._ui.state.dataset_in_use import possible, possible_recipe
from pages._ui.state.open_sets import OpenSet
from pages._ui.state.session import DEFAULT_DATA, Session, shipped, usual
from pages._ui.work import earlier, jobs, looks, uploads
from pages._ui.work.task import items_name
from pages._ui.work.uploads import Share


def current() -> Session:
    """This visitor's choices; at the first call, those the address asks for."""
    if "session" not in st.session_state:
        st.session_state["session"] = _from_address()
    session: Session = st.session_state["session"]
    looks.asks(session.owner)
    return session


def publish() -> None:
    """Write the view into the address; keep uploads and runs alive for those who have the link."""
    session = current()
    runs_state.hold(session.states, "" if session.withdrawn else session.share.key)
    words = links.words_of(session)
    if session.data not in CATALOG:
        uploads.hold(session.source, key=session.share.key)
        earlier.keep_view(session.data, {k: v for k, v in words.items() if k != links.KEY})
    st.session_state["published place"] = words.get(learn_state.WORD)
    if {name: st.query_params.get_all(name) for name in st.query_params} != words:
        st.query_params.from_dict(words)


def reopen(words: Mapping[str, list[str]]) -> None:
    """Begin anew with the view of a link."""
    st.session_state["open sets"] = current().open
    st.query_params.from_dict(words)
    del st.session_state["session"]


def open_earlier(words: Mapping[str, list[str]]) -> None:
    """Go to data that are kept, in the view of these words; those in use stay open."""
    open_sets.leave(current())
    reopen(words)


def switch(to: OpenSet) -> None:
    """Go back to data that are open, as they were left; those in use stay open.

    What was let go of is opened anew where that can be, else it is missing as a link's may be.
    """
    session, left = current(), to.left
    session.open.take(to.key)
    open_sets.leave(session)
    if not to.here:
        left.source, left.share = _opened(left.data, left.share)
    if left.source is not None:
        open_sets.go_back(session, left)
        return
    left.source, left.missing, left.asked = session.source, left.data, left.recipe
    left.lost = earlier.origin_of(left.data, left.share.key)
    reopen(links.words_of(left))


def follow_link_into_course() -> None:
    """Go to the place of the course that a link on a page of this session names, if it is another.

    What the address held after the last run is no link: the visitor may have moved on since.
    """
    words = st.query_params.get_all(learn_state.WORD)
    if words and words != st.session_state.get("published place"):
        states = current().states
        states["learn"] = learn_state.with_words(states["learn"], {learn_state.WORD: words})


def stop_sharing() -> None:
    """Let the links that were made of this visitor's data so far open them no more."""
    session = current()
    session.share = uploads.stop(session.data, session.share)


def share_stopped() -> bool:
    """Whether what opened the data in use opens it no more, by a press elsewhere."""
    session = current()
    return session.share.stopped and not session.missing


def follow_share() -> None:
    """Go on under the next key where that is this visitor's own; else the data are gone.

    They are gone, too, where the file they are read from was written over.
    """
    session = current()
    if share_stopped():
        session.share = uploads.share_of(session.share.text)
    changed = session.source.is_mapped and uploads.drop_changed(session.data)
    if share_stopped() or changed:
        reopen(links.words_of(session))


def leave(ended: Any) -> None:
    """What only the visitor of this session of Streamlit's waits for ends, as the session does.

    What has begun goes on where all visitors are one person's, who may come back for it.
    """
    session = ended.session_state.filtered_state.get("session")
    if session is not None:
        jobs.leave(session.owner, begun=earlier.is_open())


def drop_old_question() -> None:
    """Take back what waits for data or queries that this visitor asks about no more."""
    session = current()
    question = (items_name(session.dataset), session.dataset.query_fingerprint, session.seed)
    if st.session_state.get("question", question) != question:
        session.forget_wishes()
    st.session_state["question"] = question


def widget(key: str) -> Any:
    """What the widget of this key holds; for its callback."""
    return st.session_state[key]


def set_widget(key: str, value: Any) -> None:
    """Let the widget of this key, drawn after this, show `value`; one in a popover may not hear."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def key_for(name: str, value: Any) -> str:
    """The key of a widget that shows `value`: kept, and with it the focus, where it holds that."""
    key = f"{name} {value}"
    last: str = st.session_state.get(f"{name} key", key)
    if last in st.session_state:
        key = last if st.session_state[last] == value else key + " again" * (key == last)
    st.session_state[f"{name} key"] = key
    return key


def is_shown(name: str, key: str) -> bool:
    """Whether `key` is the last of `name`: a widget that is gone may report once more."""
    return bool(st.session_state.get(f"{name} key") == key)


def start_widget(key: str, value: list[str], options: Collection[str]) -> None:
    """Let the list of choices of this key, drawn after this, start with `value`.

    What was chosen there and is no option any more is chosen no longer.
    """
    options_chosen = st.session_state.get(key, value)
    set_widget(key, [option for option in options_chosen if option in options])


def newly_drawn(key: str) -> bool:
    """Whether the widget of this key, drawn after this, was not on the page before."""
    return key not in st.session_state


def is_new_choice(key: str, serial: object) -> bool:
    """Whether the element `key` sent a choice with a serial that was not heard yet."""
    return bool(st.session_state.get(f"{key} serial") != serial)


def hear_choice(key: str, serial: object) -> None:
    """Let the choice of the element `key` with this serial be heard: the next run finds it old.

    Any call of Streamlit may end the run for a newer one, and what was heard but not acted upon is
    lost. So this is the last call before what the choice leads to is kept.
    """
    st.session_state[f"{key} serial"] = serial


def _from_address() -> Session:
    words = {name: st.query_params.get_all(name) for name in st.query_params}
    data, missing = links.data_of(words) or DEFAULT_DATA, ""
    source, share = _opened(data, links.share_of(words))
    if source is None:
        data, missing = DEFAULT_DATA, data
        source = shipped(data)
    session = usual(source, data)
    session.open = st.session_state.pop("open sets", session.open)
    session.open.take((data, share.key))
    session.missing, session.share = missing, share
    session.awaits = not links.data_of(words)
    links.take(session, words)
    if missing:
        session.asked, session.withdrawn = session.recipe, share.stopped
        session.lost = links.origin_of(words) or earlier.origin_of(missing)
    session.recipe = possible_recipe(source, session.recipe)
    session.metric = possible(source, session.recipe, session.metric)
    return session


def _opened(data: str, share: Share) -> tuple[Dataset | None, Share]:
    """The data of this name that `share` opens, or that need none, and what opened them."""
    if data in CATALOG:
        return shipped(data), Share()
    if share.stopped:
        return None, share
    source = uploads.find(data, share.key) if share.key else None
    if source is not None:
        return source, share
    source = earlier.find(data)
    return source, share if source is None else Share()
