"""The Data page as tests drive it: files to upload, buttons to press, words to read."""

import io

import numpy as np

from pages._ui.data.draft import UPLOAD
from pages._ui.text.widgets import PAGES
from pages._ui.work import jobs

PAGE = "data.py"


def session_of(at):
    return at.session_state["session"]


def npy(X):
    file = io.BytesIO()
    np.save(file, X)
    return file.getvalue()


def csv(labels, X):
    rows = [
        f'"{label}",' + ",".join(map(str, row))
        for label, row in zip(labels, X.tolist(), strict=True)
    ]
    return "\n".join(["title," + ",".join(f"v{j}" for j in range(X.shape[1])), *rows]).encode()


class Sent:
    """An upload, as Streamlit gives it."""

    def __init__(self, name, content):
        self.file_id, self.name, self.size, self.content = name, name, len(content), content

    def getvalue(self):
        return self.content


def numbers(n, d=5, seed=1):
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def upload(at, *file, batch=None):
    """Upload a file (name, content), or several at once: {name: content}."""
    if session_of(at).draft.origin != UPLOAD:
        at.segmented_control(key="data origin").set_value("Upload").run()
    files = [file] if batch is None else batch.items()
    at.file_uploader[0].set_value([(name, content, "") for name, content in files]).run()
    return read_on(at)


def read_on(at):
    """Wait until what the page reads is read."""
    jobs.wait(30)
    at.run()
    assert not at.exception
    return at


def button(at, label):
    return next(b for b in at.button if b.label.startswith(label))


def press(at, label):
    button(at, label).click().run()
    assert not at.exception


def understood(at):
    """The account of the data as a dict, its escapes undone."""
    table = at.table[0].value
    return {k: v.replace("\\", "") for k, v in table.itertuples(index=False)}


def texts(at):
    kinds = (at.markdown, at.info, at.warning, at.error, at.caption)
    return " ".join(e.value.replace("\\", "").replace("**", "") for kind in kinds for e in kind)


def leave_and_come_back(at):
    at.switch_page(str(PAGES / "build.py")).run()
    at.switch_page(str(PAGES / PAGE)).run()
    assert not at.exception


def choose(at, key, value):
    at.selectbox(key=key).set_value(value).run()
    return read_on(at)


def choose_metric(at, metric):
    at.segmented_control(key="data metric").set_value(metric).run()
    assert not at.exception
    return at
