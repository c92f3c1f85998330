"""What a browser says was done on the map: read back exactly, and nonsense chooses nothing."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._ui.elements.blobs import Blob
from pages._ui.elements.map import items_of, read_choice
from pages._ui.elements.map_message import Colouring, MapLayout, MapLevel, MapMessage, MapSearch

N, K, P = 100, 7, 4


def varint(number):
    """A number in base 128, the least part first; the high bit says that more follow."""
    data = []
    while number >= 128:
        data.append(number % 128 + 128)
        number //= 128
    return [*data, number]


def runs(items):
    """Written as runs, from the definition."""
    data, end = [0], 0
    items = sorted(items)
    starts = [i for i in items if i - 1 not in set(items)]
    for start in starts:
        length = next(j for j in range(1, len(items) + 1) if start + j not in set(items))
        data += varint(start - end) + varint(length - 1)
        end = start + length
    return written(data)


def bits(items, n):
    data = [0] * -(-n // 8)
    for item in items:
        data[item // 8] += 1 << item % 8
    return written([1, *data])


def written(data):
    return base64.b64encode(bytes(data)).decode()


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_items_come_back_from_both_forms(case):
    n, items = case
    for text in (runs(items), bits(items, n)):
        found = items_of(text, n)
        if not items:
            assert found is None
        else:
            assert found.dtype == np.int64
            assert found.tolist() == sorted(items)


def test_items_far_apart():
    items = {0, 127, 128, 129, 20_000, 2_100_000, 2_100_001}
    assert items_of(runs(items), 2_100_002).tolist() == sorted(items)
    assert items_of(runs(items), 2_100_001) is None  # the last is none of them


def test_all_of_a_million_take_a_line():
    text = written([0, *varint(0), *varint(999_999)])
    assert len(text) < 12
    assert np.array_equal(items_of(text, 1_000_000), np.arange(1_000_000))


@pytest.mark.parametrize(
    "text",
    [
        *(None, 7, "", "not base64 ☹", "AAA", [1, 2], {"a": 1}, written([]), written([0])),
        written([0, 5]),  # a gap without a length
        written([0, 0, 200]),  # ends within a number
        written([0, 0, 100]),  # beyond the last item
        written([0, 255, 255, 255, 255, 255, 127, 0]),  # a number too large
        written([1, *[0] * 13]),  # nothing
        written([1, *[255] * 14]),  # bits beyond the last item
        written([2, 0, 0]),  # no such form
        "A" * 4000,  # too long for so few items
    ],
)
def test_nonsense_selects_nothing(text):
    assert items_of(text, N) is None


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: base64.b64encode(b).decode()))
def test_whatever_is_sent_gives_items_or_nothing(text):
    found = items_of(text, N)
    if found is not None:
        assert found.size > 0
        assert (np.diff(found) > 0).all()
        assert 0 <= found[0] <= found[-1] < N


def blob(address):
    return Blob(address, "int32", 0)


def picture(followed=True):
    level = MapLevel(
        "7 clusters", ("cluster", "clusters"), blob("of"), np.full(K, 1), ["a"] * K,
        np.arange(K), np.zeros(K, np.uint8),
    )  # fmt: skip
    search = MapSearch(
        "castle", (0.0, 0.0), 3, "Probes", ("probe", "probes"), "", np.arange(1, P + 1), 1,
        blob("opened"), np.zeros(P + 1, np.int32), np.zeros(0, np.int32), np.ones(P), {},
        np.array([3]), np.ones((P, 1), np.uint8), ["why"], np.zeros(0), np.zeros(0), (), "", "",
    )  # fmt: skip
    return MapMessage(
        N, "topic", MapLayout(blob("places")), Colouring("groups", "Cluster"), [level], 0,
        blob("norms"), None, "alt", followed=search if followed else None,
    )  # fmt: skip


SENT = {
    **{"topic": "topic", "search": "opened", "level": "of", "serial": 1},
    **{"effort": 2, "selected": runs({4, 5}), "how": "lasso", "focus": 6, "follow": "item 99"},
}


def test_a_whole_choice():
    choice = read_choice(SENT, picture())
    assert (choice.effort, choice.how, choice.focus, choice.follow) == (2, "lasso", 6, "item 99")
    assert choice.selected.tolist() == [4, 5]


@pytest.mark.parametrize(
    ("changed", "name", "without"),
    [
        *(({"search": "another"}, "effort", None), ({"level": "another"}, "focus", -1)),
        *(({"effort": P}, "effort", None), ({"effort": -1}, "effort", None)),
        *(({"effort": True}, "effort", None), ({"effort": "2"}, "effort", None)),
        *(({"focus": K}, "focus", -1), ({"focus": None}, "focus", -1)),
        *(({"follow": f"item {N}"}, "follow", None), ({"follow": 1.5}, "follow", None)),
        *(({"follow": "an item"}, "follow", None), ({"follow": "words "}, "follow", None)),
        *(({"how": "magic"}, "how", ""), ({"how": []}, "how", "")),
        *(({"selected": "☹"}, "selected", None), ({"selected": None}, "how", "")),
    ],
)
def test_what_makes_no_sense_is_left_out(changed, name, without):
    choice = read_choice(SENT | changed, picture())
    assert getattr(choice, name) == without
    untouched = {"effort", "focus", "follow"} - {name}
    assert all(getattr(choice, other) == SENT[other] for other in untouched)


@pytest.mark.parametrize("sent", [None, "text", [1], {}, SENT | {"topic": "other data"}])
def test_a_choice_for_other_data_is_none(sent):
    choice = read_choice(sent, picture())
    assert (choice.effort, choice.selected, choice.focus, choice.follow) == (None, None, -1, None)


def test_no_effort_without_a_search():
    assert read_choice(SENT, picture(followed=False)).effort is None
