"""The section of kept runs alone, as the script of a small app."""

from pages._ui.compare import runs_section
from pages._ui.state import app_state

app_state.current()
runs_section.draw()
app_state.publish()
