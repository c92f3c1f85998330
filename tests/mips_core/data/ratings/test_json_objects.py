"""Ratings as objects of JSON."""

import json

import pandas as pd

from tests.mips_core.data.ratings.written import THREE


def test_json_lines(triples):
    text = (
        '{"reviewerID": "u1", "asin": "007", "helpful": [0, 1], "overall": 5.0, "reviewText": ""}\n'
        '{"reviewerID": 12, "asin": 1e3, "overall": "4", "unixReviewTime": 1355616000}\n'
    )
    assert triples("reviews.json", text) == [("u1", "007", 5.0), ("12", "1e3", 4.0)]


def test_json_arrays(triples):
    rows = [{"user": user, "item": item, "stars": value} for user, item, value in THREE]
    assert triples("x.json", json.dumps(rows, indent=1)) == THREE
    assert triples("x.json", json.dumps(rows)) == THREE
    frame = pd.DataFrame(rows)
    assert triples("x.jsonl", frame.to_json(orient="records", lines=True)) == THREE
