from types import SimpleNamespace

from mips_core.base.errors import DataError
from mips_core.scale.handed_tasks import HandedTasks, plain_error


class Future:
    held = True

    def release(self):
        self.held = False

    def add_done_callback(self, call):
        call(self)


def test_a_second_copy_has_a_name_of_its_own_and_its_end_is_heard():
    submitted = []

    def submit(*task, key, workers, retries):
        submitted.append((key, task[3:], workers))
        return Future()

    handed = HandedTasks(abs, {4: (-3,)}, "pass")
    client = SimpleNamespace(submit=submit)
    handed.submit(client, 4)
    assert handed.latest(4) is handed.futures[4][0]
    handed.submit(client, 4, ["other"])
    assert handed.latest(4) is handed.futures[4][1]
    assert handed.meant_for == {4: {"other"}}
    assert handed.latest(5) is None
    copies = handed.futures[4]
    handed.let_go([4])
    assert handed.futures == {}
    assert not any(future.held for future in copies)
    assert submitted == [
        ("mips-pass-4", (-3,), None),
        ("mips-pass-4-again", (-3,), ["other"]),
    ]
    assert [handed.ended.get_nowait() for _ in range(2)] == [(4, f) for f in copies]


def test_a_word_of_a_worker_at_a_task_is_noted_and_of_others_is_not():
    handed = HandedTasks(abs, {0: ()}, "pass")
    handed.futures[0] = [SimpleNamespace(key="mine")]
    processing = {"works": ("mine",), "other": ("theirs",), "gone": ()}
    handed.heard, before = -1.0, -1.0
    for word, other, heard in ((5, 5, True), (5, 9, False), (6, 9, True), (6, 10, False)):
        handed.note_words({"works": word, "other": other}, processing)
        assert (handed.heard != before) == heard
        before = handed.heard = -1.0


def test_workers_that_died_are_told_with_a_remedy_and_other_errors_come_as_they_are():
    killed = type("KilledWorker", (Exception,), {})()
    for limit, told in (
        (600 * 2**20, "Workers that may take 600 MB each died"),
        (0, "Workers died"),
    ):
        killed.last_worker = SimpleNamespace(memory_limit=limit)
        error = plain_error(killed)
        assert isinstance(error, DataError)
        assert error.found.startswith(told)
        assert "--memory-limit" in error.remedy
    other = ValueError("own")
    assert plain_error(other) is other
