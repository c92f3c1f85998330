"""A visitor without a browser: speaks Streamlit's protocol over its WebSocket, and counts.

It holds what a browser would of the page that is open: its widgets and what they are set to, the
fragments and how often each asks to be run again.
"""

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

STREAM = "/_stcore/stream"
PATIENCE = 60.0  # seconds for a run
KEPT_RUNS = 2  # as long a browser keeps a message: Streamlit's global.maxCachedMessageAge


@dataclass(eq=False)
class Visitor:
    """One session, opened by `visit`. Times are in seconds, sizes in bytes."""

    socket: ClientConnection
    query: str = ""
    pages: dict[str, str] = field(default_factory=dict)  # path -> the hash that names the page
    page: str = ""  # hash of the page that is open
    widgets: dict[str, tuple[str, Any]] = field(default_factory=dict)  # id -> kind, message
    states: dict[str, WidgetState] = field(default_factory=dict)
    fragments: set[str] = field(default_factory=set)
    drawing: set[str] = field(default_factory=set)  # fragments of this run; none where all is drawn
    every: dict[str, float] = field(default_factory=dict)  # fragment -> seconds between runs
    boxes: list[str] = field(default_factory=list)  # errors that a page showed for itself
    stored: dict[str, tuple[ForwardMsg, int]] = field(default_factory=dict)  # and when
    polls: list[float] = field(default_factory=list)  # seconds of each run asked for by the clock
    sent: int = 0  # by the server, so far
    asked: int = 0  # of it, for what was not asked for by the clock
    runs: int = 0
    ended: int = 0  # of them, those that were not cut short by the next
    at_work: bool = False
    listening: asyncio.Task[None] | None = None
    finished: asyncio.Event = field(default_factory=asyncio.Event)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def listen(self) -> None:
        """Take in what the server sends, until it ends; a message sent by name is taken as new."""
        try:
            async for data in self.socket:
                assert isinstance(data, bytes)
                self.sent += len(data)
                message = ForwardMsg.FromString(data)
                if message.WhichOneof("type") == "ref_hash":
                    message = self._stored(message.ref_hash, message)
                elif message.metadata.cacheable:
                    self.stored[message.hash] = message, self.ended
                self._take(message)
        finally:
            self.finished.set()

    def _stored(self, name: str, reference: ForwardMsg) -> ForwardMsg:
        """The message of this name, where it goes now: it is used, and kept for longer."""
        message = ForwardMsg()
        message.CopyFrom(self.stored[name][0])
        message.metadata.CopyFrom(reference.metadata)
        self.stored[name] = self.stored[name][0], self.ended
        return message

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._begin(message)
            case "navigation":
                shown = message.navigation
                self.pages = {page.url_pathname: page.page_script_hash for page in shown.app_pages}
                self.page = shown.page_script_hash or self.page
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "auto_rerun":
                self.every[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            case "stop_auto_rerun":
                left = self.every.keys() - set(message.stop_auto_rerun.fragment_ids)
                self.every = {fragment: self.every[fragment] for fragment in left}
            case "delta":
                self._draw(message)
            case "script_finished":
                self.runs, self.at_work = self.runs + 1, False
                if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    self._forget_stored()
                self.finished.set()

    def _forget_stored(self) -> None:
        """Keep messages as long as browsers do: those of other fragments do not grow older."""
        self.ended += 1
        for name, (message, at) in list(self.stored.items()):
            drawn = not self.drawing or message.delta.fragment_id in self.drawing
            if drawn and self.ended - at > KEPT_RUNS:
                del self.stored[name]

    def _begin(self, message: ForwardMsg) -> None:
        self.page, self.at_work = message.new_session.page_script_hash or self.page, True
        self.drawing = set(message.metadata.run.fragment_ids)
        if not self.drawing:  # all is drawn anew
            for seen in (self.widgets, self.fragments, self.every):
                seen.clear()

    def _draw(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.fragment_id:
            self.fragments.add(delta.fragment_id)
        if delta.WhichOneof("type") == "new_element":
            kind = delta.new_element.WhichOneof("type")
            element = getattr(delta.new_element, str(kind))
            if getattr(element, "id", ""):
                self.widgets[element.id] = str(kind), element
            if kind == "exception":
                self.boxes.append(f"{element.type}: {element.message}")

    async def go(self, path: str, query: str | None = None) -> float:
        """Open the page at `path`, as a press in the sidebar or a link does; seconds it took."""
        self.states.clear()
        self.query = self.query if query is None else query
        self.page = self.pages.get(path, "")
        return await self.run(name=path if query is not None else "")

    async def set(self, widget: str, **value: Any) -> float:
        """Set a widget, by its id, and run the page; seconds it took. A press is sent once."""
        self.states[widget] = WidgetState(id=widget, **value)
        seconds = await self.run()
        if "trigger_value" in value:
            self.states.pop(widget, None)
        return seconds

    async def run(self, fragment: str = "", name: str = "", polled: bool = False) -> float:
        """Run the page, or a fragment of it; seconds until the server says that it ended."""
        async with self.turn:
            while self.at_work:
                await self._ended()
            if polled and fragment not in self.every:  # the page was drawn anew meanwhile
                return 0.0
            asked = BackMsg()
            asked.rerun_script.query_string = self.query
            asked.rerun_script.page_script_hash = self.page
            asked.rerun_script.page_name = name
            asked.rerun_script.fragment_id = fragment
            asked.rerun_script.is_auto_rerun = polled
            asked.rerun_script.cached_message_hashes.extend(self.stored)
            asked.rerun_script.widget_states.widgets.extend(self.states.values())
            runs, sent, began = self.runs, self.sent, time.perf_counter()
            await self.socket.send(asked.SerializeToString())
            while self.runs == runs or self.at_work:
                await self._ended()
            self.asked += 0 if polled else self.sent - sent
            return time.perf_counter() - began

    async def _ended(self) -> None:
        self.finished.clear()
        async with asyncio.timeout(PATIENCE):  # wait_for may swallow that the task was cancelled
            await self.finished.wait()
        if self.listening is not None and self.listening.done():
            self.listening.result()  # raises what ended it
        if self.socket.close_code is not None:
            raise ConnectionError(f"The server closed the connection ({self.socket.close_code}).")

    async def poll(self, longest: float = 60) -> None:
        """Run fragments as often as they ask for it, as browsers do; never ends by itself."""
        due: dict[str, float] = {}
        while True:
            await asyncio.sleep(0.05)
            for fragment, seconds in list(self.every.items()):
                now = time.perf_counter()
                if seconds > longest or now < due.setdefault(fragment, now + seconds):
                    continue
                due[fragment] = now + seconds
                if not self.turn.locked():
                    self.polls.append(await self.run(fragment, polled=True))

    def find(self, kind: str, label: str) -> str:
        """The id of the widget of that kind whose label begins so; "" where there is none."""
        return next(
            (
                name
                for name, (its, element) in self.widgets.items()
                if its == kind and getattr(element, "label", "").startswith(label)
            ),
            "",
        )

    def live_curve(self) -> tuple[str, dict[str, Any]]:
        """The id of the live curve on the page and what was sent to it; "", {} without one."""
        for name, (kind, element) in self.widgets.items():
            if kind == "bidi_component" and element.WhichOneof("data") == "bytes":
                length = int.from_bytes(element.bytes[:4], "little")
                sent = json.loads(element.bytes[4 : 4 + length])
                if "live" in sent:
                    return name, sent
        return "", {}

    async def leave(self) -> None:
        """Close the connection, as closing the browser's tab does."""
        await self.socket.close()


async def visit(url: str) -> Visitor:
    """A new session at the address of the app, http://…; nothing is shown yet."""
    address = url.replace("http", "ws", 1) + STREAM
    socket = await connect(address, subprotocols=["streamlit"], max_size=None, ping_interval=None)
    visitor = Visitor(socket)
    visitor.listening = asyncio.create_task(visitor.listen())
    return visitor
