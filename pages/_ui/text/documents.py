"""The pages of docs/ as the app shows them: text, and pictures between it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"
READ_HERE = {  # file: how it is called in the app
    "tour": "A tour",
    "curves": "Reading the curves",
    "choose": "Choosing an index",
    "precision": "Precision at equal cost",
    "growth": "How cost grows",
    "million": "A million vectors",
    "security": "Who can reach what",
}
PICTURE = re.compile(r"^!\[([^\]]*)\]\(([\w/-]+\.png)\)$", re.MULTILINE)


@cache
def parts_of(name: str) -> tuple[str | tuple[Path, str], ...]:
    """A page of READ_HERE, in order: Markdown, or a picture's file and what it shows.

    Links to other files of docs/ become their words, for they do not lead anywhere in the app.
    """
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)(?<!\.png\))", r"\1", text)
    return tuple(_parts(re.sub(r"^# ", "## ", text)))


def _parts(text: str) -> Iterator[str | tuple[Path, str]]:
    end = 0
    for match in PICTURE.finditer(text):
        yield text[end : match.start()]
        yield DOCS / match[2], match[1]
        end = match.end()
    yield text[end:]
