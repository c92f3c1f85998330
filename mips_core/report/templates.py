"""The templates of a report: what a person or a file wrote becomes text in them, never markup."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from mips_core.base.text import UNSEEN, counted, times
from mips_core.figures.styles import METHODS
from mips_core.report import sentences
from mips_core.report.symbols import DASHES, marker

FOLDER = Path(__file__).with_name("templates")
WORDS = (
    *(sentences.amount, sentences.between, sentences.cells, sentences.effort_of),
    *(sentences.finding, sentences.heads, sentences.how_scored, sentences.made_on),
    *(sentences.points, sentences.setting_of, sentences.share, counted, times),
    *(sentences.estimate_or_promise, sentences.scored),
)


def render(template: str, **values: Any) -> Markup:
    """The template of that name, filled in."""
    return Markup(environment().get_template(template).render(values))


def text(value: object) -> Markup:
    """What stands in the page exactly as it is: no tag, no entity, no turn of direction."""
    if isinstance(value, Markup):
        return value
    return Markup(escape(str(value).encode(errors="replace").decode().translate(UNSEEN)))


class _Unindented(Extension):
    """A line's end is nothing between tags, and a space in a sentence."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        for token in stream:
            if token.type == "data":
                between = re.sub(r"(^|(?<=>))\s*\n\s*(?=<|$)", "", token.value)
                token = Token(token.lineno, "data", re.sub(r"\s*\n\s*", " ", between))
            yield token


@cache
def environment() -> Environment:
    """Where templates are found, and what they may call."""
    templates = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=text,  # which escapes, and takes away what turns the direction of text
        undefined=StrictUndefined,
        extensions=[_Unindented],
    )
    words = {word.__name__: word for word in WORDS}
    templates.filters |= words | {"px": "{:.1f}".format}
    templates.globals |= words | {"METHODS": METHODS, "DASHES": DASHES, "marker": marker}
    return templates
