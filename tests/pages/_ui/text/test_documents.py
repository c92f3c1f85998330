"""Pages of the documentation in the app: nothing is lost but links to files."""

import re

import pytest

from pages._ui.text.documents import DOCS, READ_HERE, parts_of


def words(text):
    """All words but those of links' targets."""
    return re.findall(r"\w+", re.sub(r"\]\([^)]*\)", "]", text))


@pytest.mark.parametrize("name", READ_HERE)
def test_a_page_is_whole_and_leads_nowhere_outside_the_app(name):
    parts = parts_of(name)
    text = "".join(part for part in parts if isinstance(part, str))
    written = (DOCS / f"{name}.md").read_text()
    assert text.startswith("## ")
    assert not re.findall(r"\]\((?!https?:|#)", text)
    pictures = [part for part in parts if not isinstance(part, str)]
    assert len(pictures) == written.count("](pictures/")
    assert all(path.is_file() and shows for path, shows in pictures)
    kept = text + " ".join(shows for _, shows in pictures)
    assert sorted(words(kept)) == sorted(words(written))
