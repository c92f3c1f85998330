"""Whatever is put into a template is text there, and markup made here stays markup."""

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from mips_core.report.templates import environment, text


def filled(source, **values):
    return environment().from_string(source).render(values)


def test_signs_that_act_are_escaped_and_unseen_ones_are_spaces():
    assert text("<b>&\"'\u202e\x00\ud800") == "&lt;b&gt;&amp;&quot;&#x27;  ?"
    assert text(Markup("<b>")) == "<b>"
    assert text(1) == "1"
    assert (
        filled('<a title="{{ x }}">{{ x }}</a>', x="<\u202e>")
        == '<a title="&lt; &gt;">&lt; &gt;</a>'
    )
    assert filled("{{ x }}{{ x ~ '<i>' }}", x=Markup("<b>")) == "<b><b>&lt;i&gt;"


def test_a_line_ends_in_nothing_between_tags_and_in_a_space_within_a_sentence():
    assert filled("<p>\n  <b>{{ 1 }}\n</b>\n  one\n  two\n</p>") == "<p><b>1</b> one two </p>"


def test_a_name_that_is_not_there_is_an_error():
    with pytest.raises(UndefinedError, match="'nothing' is undefined"):
        filled("{{ nothing }}")
