"""Names of files: harmless, whatever was given."""

import pytest

from mips_core.base.errors import DataError
from pages._ui.parts.data_facts import as_text
from pages._ui.text.widgets import plain, refusal, safe_name


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("a.csv", "a.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\words.vec.gz", "words.vec.gz"),
        ("..", "upload"),
        ("", "upload"),
        (".npy", "upload.npy"),
        ("a\x00b\n.npy", "a_b_.npy"),
        ("字" * 300 + ".csv.gz", "字" * 50 + ".csv.gz"),
    ],
)
def test_file_names_are_harmless(given, safe):
    assert safe_name(given) == safe


def test_text_from_files_cannot_become_markdown():
    assert plain("**a** [b](c) <i> $x$ :red[d]") == (
        "\\*\\*a\\*\\* \\[b\\]\\(c\\) \\<i\\> \\$x\\$ \\:red\\[d\\]"
    )
    joined = plain("HTTPS://a.b http://a.b www.a.b a@b.c at@10").replace("\\", "").split(" ")
    assert joined == [
        "HTTPS:\u2060//a.b",
        "http:\u2060//a.b",
        "www\u2060.a.b",
        "a\u2060@b.c",
        "at@10",
    ]
    assert as_text("\u202eone\ntwo\ud800") == " one two?"  # turns nothing that follows it
    error = DataError("a_b.csv: row 3.", "Mend it.")
    assert refusal(error, "Done.") == "**a\\_b\\.csv\\: row 3\\.** Mend it\\. Done."
