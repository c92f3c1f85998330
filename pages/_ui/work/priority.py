"""Who goes first where there are more threads to run than cores."""

import os
import sys
from threading import get_native_id

NICE = 10  # steps of priority that measuring stands below pages
BETWEEN = 5  # what a page shows better later, such as the next layout of a map
BELOW = {"measure": NICE, "read": NICE, "child": BETWEEN}  # by lane; for others a page waits


def let_pages_go_first(steps: int = NICE) -> None:
    """Lower the priority of the calling thread, where a thread has one of its own (Linux).

    Who holds the interpreter's lock must not wait for a core that a kernel has.
    """
    if sys.platform == "linux":
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + steps)
