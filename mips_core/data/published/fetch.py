"""A published set on disk: whether it is there, how it gets there, how it is placed by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage

from mips_core.base.cache_folder import cache_folder
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import memory
from mips_core.data.published.download import check_content, download
from mips_core.data.published.entries import PublishedArchive, PublishedSet
from mips_core.data.published.unpack import unpack

try:
    import fcntl
except ImportError:  # Windows, where two processes are not kept apart
    fcntl = None  # type: ignore[assignment]


def folder() -> Path:
    """Where published sets lie, fetched or placed by hand."""
    return cache_folder() / "published"


def files_of(entry: PublishedSet) -> list[Path] | None:
    """The files to read; None where they are not all there."""
    paths = [folder() / name for name in entry.reads]
    return paths if all(path.is_file() for path in paths) else None


def placed(entry: PublishedSet) -> PublishedArchive | None:
    """The archive that lies in the folder, if one does."""
    return next((a for a in entry.archives if (folder() / a.name).is_file()), None)


def by_hand(entry: PublishedSet) -> str:
    """How to place the set without the network."""
    names = " or ".join(archive.name for archive in entry.archives) or ", ".join(entry.files)
    return f"Put {names} into {folder()}. Where to get it: {entry.terms}"


def fetch(entry: PublishedSet, *, progress: Progress = silent) -> list[Path]:
    """The files to read, fetched and unpacked where that was not done before.

    Nothing is asked of the network where the archive lies in the folder. Raises DataError for one
    that is not the published file, as `download` and `unpack` do, and with what to place by hand.
    """
    if paths := files_of(entry):
        return paths
    archive = placed(entry) or entry.archive
    if archive is None:
        raise DataError(f"{entry.label} is not fetched from anywhere.", by_hand(entry))
    place = folder() / archive.name
    with _alone(place):
        if place.is_file():
            check_content(archive, place, place, progress)
        else:
            _check_room(archive)
            try:
                download(archive, place, span(progress, 0.0, 0.8))
            except DataError as error:
                raise DataError(error.found, f"{error.remedy} By hand: {by_hand(entry)}") from None
        unpack(entry, place, folder(), span(progress, 0.8, 1.0))
    paths = files_of(entry)
    assert paths is not None
    return paths


def _check_room(archive: PublishedArchive) -> None:
    folder().mkdir(parents=True, exist_ok=True)
    free = disk_usage(folder()).free
    if free < 2 * archive.size:
        raise DataError(
            f"{archive.name} takes {memory(2 * archive.size)} with what is unpacked of it; "
            f"{memory(free)} are free in {folder()}.", "Make room, or name another cache folder.",
        )  # fmt: skip


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """One process at a time fetches an archive. Raises DataError for the second."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        lock = place.with_name(f".{place.name}.lock").open("wb")
    except OSError as error:
        raise DataError(
            f"{place.parent} cannot be written: {error.strerror}.", "Name another cache folder."
        ) from None
    with lock:
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise DataError(
                    f"{place.name} is being fetched already.", "Wait until that has ended."
                ) from None
        yield
