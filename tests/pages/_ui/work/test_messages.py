"""What a run says comes whole and in order, and the server's loop is woken a few times only."""

import asyncio
from threading import Thread
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event

from pages._ui.work import messages
from pages._ui.work.messages import Handful

MORE, ENDS = {"more_comes": True}, {"more_comes": False}


class Counted(asyncio.SelectorEventLoop):
    """A loop that counts how often another thread has woken it."""

    def __init__(self):
        super().__init__()
        self.woken = 0

    def call_soon_threadsafe(self, *args, **kwargs):
        self.woken += 1
        return super().call_soon_threadsafe(*args, **kwargs)


def _run(main):
    loop = Counted()
    try:
        return loop, loop.run_until_complete(asyncio.wait_for(main(loop), 30))
    finally:
        loop.close()


async def _from_another(loop, say):
    await loop.run_in_executor(None, say)


def test_calls_are_made_in_order_and_together():
    made = []

    async def main(loop):
        handful, ended = Handful(loop), asyncio.Event()

        def say():
            for number in range(500):
                handful.add(lambda n=number: made.append(n), **MORE)
            handful.add(ended.set, **ENDS)

        Thread(target=say).start()
        await ended.wait()

    loop, _ = _run(main)
    assert made == list(range(500))
    assert loop.woken < 100  # each 5 ms at most, beside the end


def test_what_is_said_comes_though_its_run_goes_on():
    async def main(loop):
        handful, said = Handful(loop), asyncio.Event()
        Thread(target=lambda: handful.add(said.set, **MORE)).start()
        await said.wait()

    _run(main)


def test_two_threads_lose_nothing():
    made = {0: [], 1: []}

    async def main(loop):
        handful, ended = Handful(loop), asyncio.Semaphore(0)

        def say(who):
            for number in range(2_000):
                handful.add(lambda n=number: made[who].append(n), more_comes=number % 7 > 0)
            handful.add(ended.release, **ENDS)

        for who in made:
            Thread(target=say, args=(who,)).start()
        for _ in made:
            await ended.acquire()

    _run(main)
    assert made[0] == made[1] == list(range(2_000))


def test_one_that_fails_is_told_and_the_others_are_made():
    made, told = [], []

    async def main(loop):
        loop.set_exception_handler(lambda _, context: told.append(context["exception"]))
        handful, ended = Handful(loop), asyncio.Event()

        def say():
            handful.add(lambda: made.append(1), **MORE)
            handful.add(lambda: 1 / 0, **MORE)
            handful.add(lambda: made.append(2), **MORE)
            handful.add(ended.set, **ENDS)

        Thread(target=say).start()
        await ended.wait()

    _run(main)
    assert made == [1, 2]
    assert [type(error) for error in told] == [ZeroDivisionError]


def test_a_closed_loop_hears_nothing():
    loop = Counted()
    loop.close()
    Handful(loop).add(lambda: 1 / 0, **ENDS)


@pytest.fixture
def gathered(monkeypatch):
    for owner, name in ((AppSession, messages.HEAR), (Runtime, messages.TELL)):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # given back after the test
    assert hasattr(AppSession, messages.HANDLE)
    before = getattr(AppSession, messages.HEAR)
    messages.gather()
    assert getattr(AppSession, messages.HEAR) is not before
    kept = getattr(AppSession, messages.HEAR)
    messages.gather()  # once is enough
    assert getattr(AppSession, messages.HEAR) is kept


@pytest.mark.usefixtures("gathered")
def test_events_of_a_session_are_handled_as_streamlit_would():
    heard = []

    async def main(loop):
        ended = asyncio.Event()
        session = AppSession.__new__(AppSession)
        session._event_loop = loop

        def handle(*event, **payload):
            heard.append((event, payload))
            if event[1] is Event.SHUTDOWN:
                ended.set()

        setattr(session, messages.HANDLE, handle)
        session.shutdown = lambda: None  # it is half made

        def say():
            hear = getattr(session, messages.HEAR)
            hear("runner", event=Event.SCRIPT_STARTED, page_script_hash="page")
            hear("runner", event=Event.ENQUEUE_FORWARD_MSG, forward_msg="message")
            hear("runner", Event.SHUTDOWN)

        await _from_another(loop, say)
        await ended.wait()

    _run(main)
    assert heard == [
        (("runner", Event.SCRIPT_STARTED), {"page_script_hash": "page"}),
        (("runner", Event.ENQUEUE_FORWARD_MSG), {"forward_msg": "message"}),
        (("runner", Event.SHUTDOWN), {}),
    ]


@pytest.mark.usefixtures("gathered")
def test_what_sends_is_woken_from_its_own_thread_and_from_others():
    async def main(loop):
        wants = SimpleNamespace(eventloop=loop, need_send_data=asyncio.Event())
        runtime = Runtime.__new__(Runtime)
        runtime._get_async_objs = lambda: wants
        tell = getattr(runtime, messages.TELL)
        tell()
        assert wants.need_send_data.is_set()
        assert loop.woken == 0
        wants.need_send_data.clear()
        Thread(target=tell).start()
        await wants.need_send_data.wait()

    _run(main)


@pytest.mark.parametrize("fragments", [None, ["its own"]])
def test_an_answer_is_sent_though_the_page_is_drawn_anew(monkeypatch, fragments):
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)  # given back
    messages.keep_answers()
    kept = ForwardMsgQueue.clear
    messages.keep_answers()  # once is enough
    assert ForwardMsgQueue.clear is kept
    queue, drawn, answer = ForwardMsgQueue(), ForwardMsg(), ForwardMsg()
    drawn.delta.new_element.text.body = "of the last run"
    drawn.delta.fragment_id = "its own"
    drawn.metadata.delta_path.append(0)
    getattr(answer, messages.ANSWER).request_id = "a file"
    for message in (drawn, answer):
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
    queue.enqueue(drawn)
    assert queue.flush() == [answer, drawn]
    assert queue.flush() == []
    queue.enqueue(answer)
    queue.clear()
    assert queue.is_empty()
