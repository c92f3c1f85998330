"""Two visitors at random: neither sees what the other uploaded, called, set or started.

They upload files of equal content again and again, so that whatever goes by content would show.
"""

import random
import re
from dataclasses import dataclass, field, replace
from itertools import count
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.data.queries import default_recipe
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.data import reading
from pages._ui.state import app_state, links, runs_state
from pages._ui.state.page_states import default_states
from pages._ui.state.runs_state import RunsState, Shelf
from pages._ui.state.session import DEFAULT_DATA, Session
from pages._ui.work import (
    data_files,
    jobs,
    measurement,
    results,
    task,
    upload_copy,
    uploads,
)
from pages._ui.work.uploads import DataOrigin
from tests.pages.data_page import Sent, numbers

INTERLEAVINGS, STEPS = 1_000, 6
INDEX = FlatKMeans(n_clusters=3)
CONTENTS = [numbers(9, seed=seed) for seed in (1, 2)]
TAG = re.compile(r"\b[ab]-\d+\b")  # of an upload: whose it is, and its number


def labels(tag):
    return [f"{tag} {i}" for i in range(9)]


class Address(dict):
    """Parameters as Streamlit has them."""

    def get_all(self, name):
        return self[name]

    def from_dict(self, words):
        self.clear()
        self.update({name: list(values) for name, values in words.items()})


@dataclass
class Visitor:
    """A browser, and the tags that it may see: its own, and those of links it was given."""

    name: str
    state: dict = field(default_factory=dict)
    address: Address = field(default_factory=Address)
    own: set = field(default_factory=set)
    given: dict = field(default_factory=dict)  # tag -> key of the link that it came by
    K: int = 0  # as this visitor has set it last; 0: not since the page was opened

    @property
    def session(self):
        return self.state["session"]


class World:
    """Both visitors, and what they do."""

    def __init__(self, patch, seed):
        self.patch, self.random, self.numbers = patch, random.Random(seed), count()
        self.a, self.b = Visitor("a"), Visitor("b")
        self.done = []  # what was done, to be read where it led to a leak
        self.first = {}  # private name of items -> tag of the upload that brought them
        self.open_runs = set()  # kept beside data that all may open: their name opens them
        self.run(self.a)
        self.run(self.b)
        self.acts = [self.upload, self.upload, self.rename, self.build, self.set_k, self.give_link,
                     self.give_link, self.stop, self.leave, self.refresh, self.guess, self.wait,
                     self.keep_run, self.go_on]  # fmt: skip

    def step(self):
        """One of them does something, and nothing shows to whom it must not."""
        who, other = self.random.sample([self.a, self.b], 2)
        act = self.random.choice(self.acts)
        self.done.append(f"{who.name} {act.__name__}")
        self.run(who, lambda: act(who, other))
        self.run(other)
        self.check(self.a)
        self.check(self.b)

    def run(self, who, act=lambda: None):
        """What a run of a page does, with `act` as what was pressed."""
        self.patch.setattr(
            app_state, "st", SimpleNamespace(session_state=who.state, query_params=who.address)
        )
        app_state.follow_share()
        act()
        app_state.follow_share()
        app_state.publish()

    def upload(self, who, other):
        tag = f"{who.name}-{next(self.numbers)}"
        items = self.random.choice(CONTENTS)
        files = data_files.store([Sent(f"{tag}.npy", items.tobytes())])
        key = reading.key_of(files, reading.Interpretation())
        assert jobs.find(key) is reading.result(key) is None
        source = Dataset(items, name=tag, labels=labels(tag), private=files[0].private)
        origin = DataOrigin(tag, source.n, source.d, (f"{tag}.npy",), 9)
        who.own.add(tag)
        self.first[source.private] = tag
        who.session.use(source, source.fingerprint, default_recipe(source), origin=origin)
        data_files.remove(files)

    def rename(self, who, other):
        source = who.session.source
        if who.session.data != DEFAULT_DATA:
            tag = f"{who.name}-{next(self.numbers)}"
            who.own.add(tag)
            named = replace(source, name=tag, labels=labels(tag))
            who.session.use(named, named.fingerprint, who.session.recipe)

    def build(self, who, other):
        measured = who.session.measurement_of(INDEX)
        tag = self.first.get(who.session.source.private)
        if tag:  # what is computed of shared data is shared
            jobs.start(measured.key, f"Build for {tag}", lambda progress: None, who.session.owner)
            if self.random.random() < 0.5:
                results.remember(measured.building.key, f"Built for {tag}")

    def set_k(self, who, other):
        who.K = who.session.K = self.random.randint(1, 5)

    def keep_run(self, who, other):
        number = next(self.numbers)
        who.own.add(f"{who.name}-{number}")
        shelf = Shelf((f"{who.name}-{number}",), f"{number:032}")
        if who.session.share.key:
            state = RunsState(shelf=shelf.name, kept=shelf)
            who.session.states = {**who.session.states, "runs": state}

    def give_link(self, who, other):
        """`who` sends a copied link, and the other opens it; they mean to share what it names."""
        words, key = dict(who.address), who.session.share.key
        if key:
            words[links.KEY] = [key]  # as copy_link.js does
            shelf = who.session.states["runs"].kept
            source = who.session.source
            tags = {source.name, self.first.get(source.private, ""), *(shelf.runs if shelf else ())}
            other.given |= dict.fromkeys(tags - other.own, key)
        self.open(other, words)

    def open(self, who, words):
        who.address.from_dict(words)
        who.state.clear()
        who.K = 0

    def stop(self, who, other):
        share = who.session.share
        if share.is_own:
            app_state.stop_sharing()
            other.given = {tag: key for tag, key in other.given.items() if key != share.key}
        elif share.key:
            assert uploads.share_of(f"{share.key}.{'0' * 32}").proof == ""

    def leave(self, who, other):
        ended = SimpleNamespace(session_state=SimpleNamespace(filtered_state=dict(who.state)))
        app_state.leave(ended)
        self.open(who, {})

    def refresh(self, who, other):
        words = dict(who.address)
        self.open(who, words)

    def guess(self, who, other):
        """What the other has, by its fingerprint, with all that can be tried for a key."""
        theirs = other.session
        tried = self.random.choice(["", "x", "0" * 32, who.session.share.text])
        shelf = f"shelf={theirs.states['runs'].shelf}"
        words = {"data": [theirs.missing or theirs.data], "runs": [shelf]}
        self.open(who, {**words, **({links.KEY: [tried]} if tried else {})})

    def wait(self, who, other):
        """Days pass: what nobody holds is gone."""
        now = uploads.monotonic() + 1e6
        self.patch.setattr(uploads, "monotonic", lambda: now)

    def go_on(self, who, other):
        if who.session.missing:
            who.session.missing, who.session.lost, who.session.share = "", None, uploads.NOBODY
            who.session.withdrawn = False

    def check(self, who):
        """Nothing of what `who` has or could find is another's."""
        session = who.session
        measured = session.measurement_of(INDEX)
        job = measured.job
        shelf = session.states["runs"].kept
        shown = [session.source.name, *(session.source.labels or ())[:1], str(measured.built),
                 *(shelf.runs if shelf else ()), job.label if job else ""]  # fmt: skip
        if not session.missing:  # else the address tells what a link told
            shown += [word for words in who.address.values() for word in words]
        if shelf and not session.share.key:
            self.open_runs |= set(shelf.runs)
        leaked = set(TAG.findall(" ".join(shown))) - who.own - set(who.given) - self.open_runs
        assert not leaked, f"{who.name} sees {leaked} after {self.done}"
        assert who.K in (0, session.K), "another’s K"
        assert session.share.proof == "" or session.share.is_own
        if session.withdrawn:
            assert session.data == DEFAULT_DATA


def with_little(source, data):
    """A session whose address is short, so that it is written quickly."""
    usual = default_states()
    states = {name: usual[name] for name in ("runs", "report", "learn")}
    return Session(source, data, default_recipe(source), indexes=[INDEX], states=states)


@pytest.fixture
def interleave(monkeypatch, temporary):
    """Many short lives of two visitors on a server that is open to others; nothing is computed."""
    idle = SimpleNamespace(is_alive=lambda: True)
    monkeypatch.setattr(jobs, "_WORKERS", {"measure": idle, "child": idle, "show": idle})
    monkeypatch.setattr(upload_copy, "_SWEEPER", [Thread()])
    monkeypatch.setattr(app_state, "usual", with_little)

    def go(times):
        for seed in range(times):
            world = World(monkeypatch, seed)
            for _ in range(STEPS):
                world.step()
            jobs._BOOK.clear()

    yield go
    jobs._BOOK.clear()


def test_nothing_of_one_visitor_shows_to_the_other(interleave):
    interleave(INTERLEAVINGS)


def by_content_alone(monkeypatch):
    monkeypatch.setattr(uploads, "_name", lambda fingerprint, key: fingerprint)


def found_without_a_key(monkeypatch):
    def find(data):
        held = uploads._UPLOADS._known.items()
        return next((dataset for name, dataset in held if name.startswith(data)), None)

    monkeypatch.setattr(app_state.earlier, "find", find)


def work_by_content(monkeypatch):
    monkeypatch.setattr(measurement, "items_name", lambda dataset: dataset.fingerprint)


def links_that_stay(monkeypatch):
    monkeypatch.setattr(uploads, "stop", lambda fingerprint, share: uploads.new_share(share.proof))


def runs_by_name_alone(monkeypatch):
    held = runs_state.hold
    monkeypatch.setattr(runs_state, "hold", lambda states, key="": held(states))


@pytest.mark.parametrize(
    "leak",
    [by_content_alone, found_without_a_key, work_by_content, links_that_stay, runs_by_name_alone],
)
def test_a_planted_leak_is_seen(interleave, monkeypatch, leak):
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=" sees "):
        interleave(INTERLEAVINGS)


def test_names_are_by_content_only_for_what_is_nobodys_own():
    items = np.ones((2, 2), np.float32)
    public, own = Dataset(items), Dataset(items, private="ab")
    assert task.items_name(public) == public.fingerprint
    assert task.items_name(own) != task.items_name(public)
