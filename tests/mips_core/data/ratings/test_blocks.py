"""Ratings while they are read: repeated pairs, limits, faults with their places."""

import pytest

from mips_core.base import limits
from mips_core.base.errors import DataError

FAULTS = """user,item,rating
a,x,3
b,y,
c,z,nan
d,q,1e999
e,q,five
,q,1
f,,2
g,q
h,q,1,2
ok,x,1
i,x,1_0
"""
PLACES = ["no rating in line 3", "“nan” as rating in line 4", "“1e999” as rating in line 5",
          "“five” as rating in line 6", "no user in line 7"]  # fmt: skip


def test_faults_are_listed_or_left_out(refusal, load):
    text = refusal("bad.csv", FAULTS)
    assert "9 lines hold no usable rating" in text
    assert all(place in text for place in PLACES)
    ratings = load("bad.csv", FAULTS, skip_bad=True)
    assert list(ratings.users) == ["a", "ok"]
    assert ratings.offers.bad_lines == 9
    assert ratings.user_names == ["a", "ok"]
    assert any("9 lines left out" in note for note in ratings.notes)


@pytest.mark.parametrize("time", [",{}", ",1999-12-{}", ",1999-12-{}T00:00:00", ""])
def test_the_latest_of_a_repeated_pair_is_kept(load, time):
    days = [20, 10, 30, 15]
    rows = [("a", "x", 1), ("b", "x", 2), ("b", "x", 3), ("a", "x", 4)]
    lines = [",".join(map(str, row)) + time.format(day)
             for row, day in zip(rows, days, strict=True)]  # fmt: skip
    ratings = load(
        "d.csv", "user,item,rating" + ",timestamp" * bool(time) + "\n" + "\n".join(lines)
    )
    assert ratings.values.tolist() == ([1, 3] if time else [4, 3])
    assert ratings.users == ["a", "b"]
    said = next(note for note in ratings.notes if "repeated" in note)
    assert "2 pairs" in said
    assert "2 ratings are left out" in said
    assert ("by time" if time else "the last in the file") in said


@pytest.mark.parametrize(
    ("limit", "words"), [("MAX_RATINGS", "2 ratings"), ("MAX_NAMES", "2 diff")]
)
def test_limits_are_kept(load, monkeypatch, limit, words):
    monkeypatch.setattr(limits, limit, 2)
    for text in ("a,x,1\nb,y,2\nc,z,3\n", "a, x ,1\nb,y,2\nc,'z',3,\n"):
        with pytest.raises(DataError, match=f"more than {words}"):
            load("many.csv", "user,item,rating\n" + text)
