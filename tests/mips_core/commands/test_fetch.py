"""A published set by a command: its terms first, then the files."""

from click.testing import CliRunner

from mips_core.__main__ import main
from mips_core.base.cache_folder import VARIABLE
from mips_core.data.published.entries import MIRROR, PUBLISHED
from tests.mips_core.data.published.server import look_alike, movielens_100k, serving


def asked(*words, answer=""):
    return CliRunner().invoke(main, ["fetch", *words], input=answer)


def test_without_a_name_all_sets_are_listed_and_nobody_is_asked(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    listed = asked().output
    for key, entry in PUBLISHED.items():
        assert key in listed
        assert entry.about in listed
    assert list(tmp_path.iterdir()) == []


def test_terms_come_first_and_a_no_fetches_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    content = movielens_100k()
    monkeypatch.setitem(PUBLISHED, "movielens-100k", look_alike("movielens-100k", content))
    with serving(content) as (way, address):
        monkeypatch.setenv(MIRROR, address)
        refused = asked("movielens-100k", answer="n\n")
        assert (refused.exit_code, way.asked) == (1, [])
        assert "Licence: For research" in refused.output
        way.status = 503
        failed = asked("movielens-100k", "--yes")
        assert failed.exit_code == 1
        assert "it answers 503" in failed.output
        assert "By hand: Put ml-100k.zip" in failed.output
        way.status = None
        agreed = asked("movielens-100k", answer="y\n")
        again = asked("movielens-100k")
    paths = [str(tmp_path / "published" / "ml-100k" / name) for name in ("u.data", "u.item")]
    assert agreed.stdout.splitlines()[-2:] == again.stdout.splitlines() == paths
    assert way.asked == ["/ml-100k.zip"] * 2


def test_what_is_placed_by_hand_says_where(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    result = asked("netflix")
    assert result.exit_code == 1
    assert "combined_data_1.txt" in result.output
    assert str(tmp_path / "published") in result.output
