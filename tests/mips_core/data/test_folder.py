"""The data folder lists what can be read, and opens nothing else."""

import os
import sys

import pytest

from mips_core.base.errors import DataError
from mips_core.data import folder
from mips_core.data.folder import Folder, folder_in

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="names and links of POSIX systems")


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "data"
    (root / "a" / "b" / "c").mkdir(parents=True)
    for name in ("z.npy", "y.csv", "a/in.txt", "a/b/deep.txt", "a/b/c/deeper.txt", ".hidden"):
        (root / name).write_text(name)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("hidden too")
    (tmp_path / "secret.txt").write_text("outside")
    return root


def names(root):
    return [file.name for file in Folder.of(root).listing().files]


def test_files_two_folders_down_by_name_with_their_sizes(root):
    listing = Folder.of(root).listing()
    assert names(root) == ["y.csv", "z.npy", "a/in.txt", "a/b/deep.txt"]
    assert [file.size for file in listing.files] == [5, 5, 8, 12]
    assert listing.complete


def test_every_listed_file_can_be_opened(root):
    found = Folder.of(root)
    for file in found.listing().files:
        assert found.path_of(file.name).read_text() == file.name


@pytest.mark.parametrize(
    "name",
    ["../secret.txt", "a/../z.npy", "./z.npy", "a//in.txt", ".hidden", ".git/config", "a", "",
     "a/b/c/deeper.txt", "/etc/passwd", "z.npy\0", "nothing", "..", "a/..", "/", "~", "a\\in.txt"],
)  # fmt: skip
def test_a_name_that_is_not_listed_is_refused(root, name):
    with pytest.raises(DataError, match="not among the files of the data folder"):
        Folder.of(root).path_of(name)


@POSIX
def test_links_pipes_and_names_that_cannot_be_shown_are_left_out(root, tmp_path):
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "in.txt").symlink_to(root / "z.npy")
    (root / "outside").symlink_to(tmp_path)
    (root / "round").symlink_to(root)
    os.mkfifo(root / "pipe")
    (root / "two\nlines").write_text("")
    (root / os.fsdecode(b"not-\xff-utf8")).touch()
    assert names(root) == ["y.csv", "z.npy", "a/in.txt", "a/b/deep.txt"]


@POSIX
@pytest.mark.parametrize("name", ["z.npy", "a/in.txt"])
def test_what_became_a_link_after_it_was_listed_is_refused(root, tmp_path, name):
    found = Folder.of(root)
    assert name in names(root)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "in.txt").write_text("outside")
    if "/" in name:
        (root / "a").rename(tmp_path / "moved")
        (root / "a").symlink_to(tmp_path / "elsewhere")
    else:
        (root / name).unlink()
        (root / name).symlink_to(tmp_path / "secret.txt")
    with pytest.raises(DataError, match="or no longer"):
        found.path_of(name)


@POSIX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_what_may_not_be_read_is_not_listed(root):
    (root / "z.npy").chmod(0)
    (root / "a").chmod(0)
    try:
        assert names(root) == ["y.csv"]
    finally:
        (root / "a").chmod(0o700)


def test_the_folder_itself_may_be_a_link(root, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(root)
    assert Folder.of(link).root == root.resolve()
    assert Folder.of(link).path_of("z.npy") == root.resolve() / "z.npy"


@pytest.mark.parametrize(("most", "listed"), [(3, 3), (4, 4)])
def test_no_more_than_the_limit_and_it_says_so(root, monkeypatch, most, listed):
    monkeypatch.setattr(folder, "MAX_LISTED_FILES", most)
    listing = Folder.of(root).listing()
    assert (len(listing.files), listing.complete) == (listed, most == 4)


def test_no_more_entries_than_the_limit_are_looked_at(root, monkeypatch):
    monkeypatch.setattr(folder, "MAX_FOLDER_ENTRIES", 3)
    listing = Folder.of(root).listing()
    assert len(listing.files) <= 3
    assert not listing.complete


def test_a_folder_that_went_away_lists_nothing(root):
    found = Folder.of(root)
    root.rename(root.with_name("gone"))
    assert found.listing().files == ()


@pytest.mark.parametrize(
    ("path", "words"),
    [("nowhere", "does not exist"), ("data/z.npy", "is a file"), ("a\0b", "cannot be read")],
)
def test_what_is_no_folder_is_refused(root, tmp_path, path, words):
    with pytest.raises(DataError, match=words):
        Folder.of(tmp_path / path)


def test_the_variable_names_it(root):
    assert folder_in({}) is None
    assert folder_in({folder.VARIABLE: ""}) is None
    assert folder_in({folder.VARIABLE: str(root)}) == Folder.of(root)
    with pytest.raises(DataError, match="does not exist"):
        folder_in({folder.VARIABLE: str(root / "nowhere")})


def test_files_named_alone_are_all_that_is_offered(root):
    named = "\n".join(str(root / name) for name in ("z.npy", "a/in.txt"))
    opened = folder_in({folder.FILES: named})
    assert opened.first == ("z.npy", "a/in.txt")
    assert [file.name for file in opened.listing().files] == ["z.npy", "a/in.txt"]
    assert opened.path_of("a/in.txt").read_text() == "a/in.txt"
    with pytest.raises(DataError, match="not among the files"):
        opened.path_of("y.csv")


def test_files_named_with_a_folder_are_opened_first_and_all_of_it_is_offered(root):
    opened = folder_in({folder.VARIABLE: str(root), folder.FILES: str(root / "a/in.txt")})
    assert opened.first == ("a/in.txt",)
    assert len(opened.listing().files) == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing.npy", "nothing.npy was not found"),
        ("a", "a is a folder. Offer its files: --data-dir"),
        ("../secret.txt", "Not all files lie in the folder"),
        ("a/b/c/deeper.txt", "more than 2 folders below"),
        (".git/config", "it or its folder is hidden"),
    ],
)
def test_a_file_that_cannot_be_opened_first_is_refused_by_name(root, name, words):
    with pytest.raises(DataError, match=words):
        folder_in({folder.VARIABLE: str(root), folder.FILES: str(root / name)})
