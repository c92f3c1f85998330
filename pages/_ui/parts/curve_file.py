"""The live curve as a file: it opens without a server, and its sliders move as on the page."""

from mips_core.base.text import counted
from pages._ui.elements.live_curve import live_curve_file
from pages._ui.parts import live_curve
from pages._ui.state.session import Session
from pages._ui.state.settings import settings_of


def file_of(session: Session) -> bytes:
    """The curve of the index under the slider, over what is known of the others; one is known."""
    data, K = session.dataset, session.K
    queries = counted(len(data.queries), "query", "queries")
    return live_curve_file(
        live_curve.message_of(session, settings_of(session)),
        f"{session.source.name}: precision and speedup",
        f"{data.n:,} items of {data.d:,} dimensions, {queries}, the true top {K} of each. Drag a "
        "slider: more effort finds more of them and saves fewer inner products.",
        live_curve.KEY.format(thin=live_curve.THIN[session.show]),
    )
