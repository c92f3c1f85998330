"""What a search of Tune will take, said before it is started; what will not fit is told."""

import streamlit as st

from mips_core import Index, MipsError
from mips_core.base.text import counted, memory
from mips_core.studies import forecast
from mips_core.studies.tuning import scouting
from pages._ui.state.session import Session
from pages._ui.text.widgets import refusal
from pages._ui.tune import search


def draw(session: Session) -> bool:
    """Say how long all that is not known yet takes, if long; whether any of it can be built."""
    dataset = session.dataset
    missing = [one for one in search.wanted(session) if one.result is None]
    indexes = {one.building.key: one.index for one in missing}  # one that settings share once
    fitting: list[Index] = []
    reasons: list[str] = []
    for index in indexes.values():
        try:
            forecast.refuse_too_large([index], dataset.n, dataset.d, dataset.m)
            fitting.append(index)
        except MipsError as error:
            reasons.append(refusal(error))
    if reasons:
        how_many = f"{len(reasons):,} of {counted(len(indexes), 'index', 'indexes')}"
        st.error(f"**{how_many} would not fit in memory.** {reasons[0]}")
    if fitting and forecast.rate_is_known():
        every = [forecast.forecast(one, dataset.n, dataset.d, dataset.m) for one in fitting]
        count = scouting.KEPT[-1] + scouting.EACH * len(session.methods)
        few = forecast.is_large(dataset.n) and len(every) > count
        dearest = sorted((one.seconds for one in every), reverse=True)
        seconds = sum(dearest[:count] if few else dearest)
        if few:  # no more than so much is built, but the first whatever it takes
            room = scouting.room(dataset.n, dataset.d, scouting.KEPT[-1]) / forecast.rate()
            seconds = min(seconds, room + dearest[0] * (dearest[0] > room))
        if seconds >= forecast.LONG:
            what = counted(count if few else len(fitting), "index", "indexes")
            time = forecast.long_in_words(seconds)
            most = memory(max(one.bytes for one in every))
            first = (
                f"{counted(len(fitting), 'index', 'indexes')} are tried on samples of "
                f"{' and '.join(f'{size:,}' for size in scouting.SAMPLES)} items first. "
            )
            takes = "at most about" if few else "about"
            st.caption(f"{first * few}Trying {what} takes {takes} {time} and {most} of memory.")
    return bool(fitting) or not reasons
