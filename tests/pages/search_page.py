"""The Search page as tests drive it: opened, its slider moved, its answers read."""

import pandas as pd
from streamlit.testing.v1 import AppTest

from pages._ui.work import jobs
from tests.pages.conftest import MAIN, texts
from tests.pages.wire_reader import unpack


def opened(**address):
    """The Search page of a new visitor, with no more measured than it asks for."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": ["none"], **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / "search.py"))
    return at.run()


def search(**address):
    """The same once everything is there."""
    at = opened(**address)
    for _ in range(2):  # what is known of the index, then what is known of the query
        assert jobs.wait(300)
        at.run()
    return at


def words(at):
    """All text of the page, warnings too."""
    return " ".join([texts(at), *(warning.value for warning in at.warning)])


def told(at):
    """What the element with the answers was given; None where there is none."""
    assert not at.exception
    protos = [e.proto for e in at.get("bidi_component")]
    found = [unpack(p.bytes) for p in protos if p.component_name == "mips_answers"]
    return found[0] if found else None


def tables(at):
    """The true answers, and what was returned, as the browser writes them."""
    said = told(at)
    now, shares = said["at"], said["returnedShares"]
    returned = [item for item in said["returned"][now] if item >= 0]
    ranks = {item: f"✓ {rank}" for rank, item in enumerate(said["true"], 1)}
    others = ["= equal score" if right else "✕ not true" for right in said["right"][now]]
    true = items(said, said["true"], said["trueShares"])
    found = items(said, returned, None if shares is None else shares[now])
    true["answer"] = ["✓ found" if hit else "✕ missed" for hit in said["found"][now]]
    true["found from"] = said["since"]
    pairs = zip(returned, others, strict=False)  # fewer may be returned than were asked for
    found["true rank"] = [ranks.get(item, other) for item, other in pairs]
    return true, found


def items(said, places, shares):
    known = said["items"]
    columns = {"row": known["rows"][places], said["measure"]: known["values"][places]}
    if known["labels"]:
        columns["label"] = [known["labels"][place] for place in places]
    if shares is not None:
        columns["probability"] = shares[: len(places)]
    return pd.DataFrame(columns)


def widget(elements, label):
    return next(e for e in elements if e.label.startswith(label))
