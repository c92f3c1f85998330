"""Names of files: harmless, whatever was given."""

import pytest

from pages._ui.text.widgets import safe_name


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
