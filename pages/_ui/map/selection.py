"""What a visitor did on the map, kept: shared with the other pages where they have it too."""

from dataclasses import replace
from typing import Any

from mips_core.base.arrays import Ids
from pages._ui.elements.map_message import MapChoice
from pages._ui.map.places import PAGE, state_of
from pages._ui.map.scene import MapScene
from pages._ui.parts.question.question import QueryChoice
from pages._ui.state.map_state import Marked
from pages._ui.state.session import Session


def keep(session: Session, **values: Any) -> None:
    """Change what was chosen on the page."""
    session.states[PAGE] = replace(state_of(session), **values)


def take(scene: MapScene, choice: MapChoice) -> bool:
    """Keep what was done since the last run; whether the page must be drawn anew for it."""
    if not choice.fresh:
        return False
    session = scene.session
    moved = choice.effort is not None and choice.effort != scene.position
    zoomed = choice.focus != scene.focus
    marked = scene.marked
    if choice.selected is not None:
        marked = Marked(scene.topic, choice.selected, by_page=False)
    elif not (moved or zoomed):  # a selection by the page stays while other things are done
        marked = None
    keep(session, marked=marked, focus=choice.focus, focused=scene.shown)
    if choice.follow is not None:
        follow(session, QueryChoice("item", choice.follow))
    elif moved:
        session.effort = int(scene.efforts[choice.effort])
    return choice.follow is not None or moved or zoomed


def select(scene: MapScene, items: Ids) -> None:
    """Select items (s,) ascending on the map in the place of what was; none where there are 0."""
    keep(scene.session, marked=Marked(scene.topic, items, by_page=True))


def shown_again(scene: MapScene) -> None:
    """The map is drawn anew: what a visitor had selected is now for the page to select."""
    if scene.selected is not None:
        select(scene, scene.selected)


def follow(session: Session, query: QueryChoice) -> None:
    """Show the search for this query on the map, and ask it on Search."""
    session.query = query.text
    keep(session, follow=True)


def focus(scene: MapScene, group: int) -> None:
    """Zoom to a group of the level shown, and list it; -1 is none."""
    keep(scene.session, focus=group, focused=scene.shown)
