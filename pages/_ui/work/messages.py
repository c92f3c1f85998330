"""What a run says is handed to the server's loop in handfuls: Streamlit wakes it for each element.

A page has up to a hundred. Each time the loop would wake, take the interpreter's lock from the page
that is being drawn, and look through all visitors for what is to be sent.

And an answer that the browser waits for, as where a file to download lies, is sent though the page
is drawn anew: Streamlit drops it with what was drawn before, and the button waits for ever.
"""

from asyncio import AbstractEventLoop, get_running_loop
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

SOON = 0.005  # seconds that what begins or goes on may wait for more; what ends a run does not
MORE_COMES = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
HEAR = "_on_scriptrunner_event"  # private, as HANDLE and TELL: test_messages.py holds that they
HANDLE = "_handle_scriptrunner_event_on_event_loop"  # are there
TELL = "_enqueued_some_message"
OWN = "_handful"  # of a session
QUEUE, ANSWER = "_queue", "backend_operation_response"  # of what is to be sent; one that is awaited


class Handful:
    """Calls for a loop, in order, from any thread; it is woken for many of them at once."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._calls: deque[Callable[[], Any]] = deque()
        self._is_coming = False  # whether the loop will look by itself

    def add(self, call: Callable[[], Any], *, more_comes: bool) -> None:
        """Let the loop make this call: soon where `more_comes`, else at once."""
        self._calls.append(call)
        if more_comes and self._is_coming:
            return
        self._is_coming = True
        wait = partial(self._loop.call_later, SOON, self._make) if more_comes else self._make
        try:
            self._loop.call_soon_threadsafe(wait)
        except RuntimeError:
            if not self._loop.is_closed():  # else the server ends, and nobody listens
                raise

    def _make(self) -> None:
        self._is_coming = False  # before the last look: what comes after that wakes the loop again
        try:
            while self._calls:
                self._calls.popleft()()
        finally:
            if self._calls:  # one failed, which the loop tells; the others are made
                self._loop.call_soon(self._make)


def gather() -> None:
    """From now on, for all sessions. Nothing where Streamlit has other names for it."""
    hear, tell = getattr(AppSession, HEAR, None), getattr(Runtime, TELL, None)
    if hear is None or tell is None or not hasattr(AppSession, HANDLE) or hasattr(hear, "gathers"):
        return

    def heard(self: Any, sender: Any, event: ScriptRunnerEvent, *args: Any, **payload: Any) -> None:
        own = self.__dict__
        handful = own.get(OWN) or own.setdefault(OWN, Handful(self._event_loop))
        call = partial(getattr(self, HANDLE), sender, event, *args, **payload)
        handful.add(call, more_comes=event in MORE_COMES)

    def told(self: Any) -> None:
        """Wake what sends: at once where this is its own thread already."""
        wants = self._get_async_objs()
        try:
            here = get_running_loop() is wants.eventloop
        except RuntimeError:  # of another thread
            here = False
        if here:
            wants.need_send_data.set()
        else:
            tell(self)

    heard.gathers = True  # type: ignore[attr-defined]
    setattr(AppSession, HEAR, heard)
    setattr(Runtime, TELL, told)


def keep_answers() -> None:
    """From now on, for all sessions. Nothing where Streamlit has other names for it."""
    clear = ForwardMsgQueue.clear
    if not hasattr(ForwardMsgQueue(), QUEUE) or hasattr(clear, "keeps_answers"):
        return

    def cleared(
        self: ForwardMsgQueue,
        retain_lifecycle_msgs: bool = False,
        fragment_ids_this_run: list[str] | None = None,
    ) -> None:
        before = getattr(self, QUEUE)
        clear(self, retain_lifecycle_msgs, fragment_ids_this_run)
        if retain_lifecycle_msgs:  # else all was just sent, or nobody listens
            kept = getattr(self, QUEUE)
            sent = {id(message) for message in kept}
            kept += [one for one in before if one.HasField(ANSWER) and id(one) not in sent]

    cleared.keeps_answers = True  # type: ignore[attr-defined]
    setattr(ForwardMsgQueue, "clear", cleared)  # noqa: B010
