"""The section of kept runs alone, as the script of a small app."""

from pages._ui import runs_section, session

session.current()
runs_section.draw()
session.publish()
