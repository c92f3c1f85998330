"""One archive comes over the network into a file beside its place, and goes on where it stopped."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from mips_core.base.errors import DataError, disk_full
from mips_core.base.progress import Progress
from mips_core.base.text import memory
from mips_core.data.published.entries import PublishedArchive

PART = ".part"
ASIDE = ".mismatch"
CHUNK = 1 << 14  # bytes: a slow server can be left within a moment
PATIENCE = (10, 30)  # seconds: until there is a connection, and between two pieces
ROOM = 2  # an archive that is this many times its size is another
AGAIN = "Fetch it again: what came is kept, and it goes on from there."


def download(archive: PublishedArchive, place: Path, progress: Progress) -> None:
    """Fetch `archive` to `place`, whole and with its checksum, or not at all.

    Raises DataError where the server is not reached, stops half-way, or sends something else: that
    is kept beside `place`, to be looked at. Cancelled in a report leaves what came, to go on from.
    """
    import pooch

    def come(url: str, output: str, _: Any) -> None:
        part = place.with_name(place.name + PART)
        _come(url, part, archive, progress)
        check_content(archive, part, place, progress)
        part.replace(output)

    registry = {archive.name: f"sha256:{archive.sha256}"}
    urls = {archive.name: archive.source}
    pooch.get_logger().setLevel("WARNING")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        store = pooch.Pooch(path=place.parent, base_url="", registry=registry, urls=urls)
        store.fetch(place.name, downloader=come)
    except OSError as error:
        why = f"{archive.name} cannot be stored: {error.strerror or error}."
        raise disk_full(error) or DataError(why, "Check the folder, and fetch it again.") from None


def check_content(archive: PublishedArchive, path: Path, place: Path, progress: Progress) -> None:
    """Raise DataError where the file at `path` is not the published one, and put it aside."""
    import pooch

    if not archive.sha256:
        return
    progress(0.97, f"Checking {archive.name}")
    checksum = pooch.file_hash(str(path))
    if checksum == archive.sha256:
        return
    aside = place.with_name(place.name + ASIDE)
    path.replace(aside)
    raise DataError(
        f"{archive.name} is not the published file: its SHA-256 is {checksum[:12]}…, not "
        f"{archive.sha256[:12]}…. It was put aside as {aside.name} and is not read.",
        "Fetch it again; if it stays so, the file was changed where it is published.",
    )


def _come(url: str, part: Path, archive: PublishedArchive, progress: Progress) -> None:
    """Append to `part` what is missing. Raises DataError where not all comes."""
    import requests

    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    progress(0.0, f"Asking {archive.host} for {archive.name}")
    try:
        with requests.get(url, headers=headers, stream=True, timeout=PATIENCE) as answer:
            if answer.status_code == 416:  # there is no more: the checksum tells what it is
                return
            if answer.status_code not in (200, 206):
                raise DataError(
                    f"{archive.host} has no {archive.name}: it answers {answer.status_code}.",
                    "Place the file by hand, or try again later.",
                )
            if answer.status_code == 200 or not _goes_on(answer, have):
                have = 0
            total = have + int(answer.headers.get("Content-Length") or 0)
            have = _write(answer, part, have, total, archive, progress)
    except requests.RequestException as error:
        raise _stopped(archive, part, error) from None
    if have < total:
        raise _stopped(archive, part, None)


def _goes_on(answer: Any, have: int) -> bool:
    return str(answer.headers.get("Content-Range", "")).startswith(f"bytes {have}-")


def _write(
    answer: Any, part: Path, have: int, total: int, archive: PublishedArchive, progress: Progress
) -> int:
    most = ROOM * archive.size + CHUNK
    with part.open("r+b" if have else "wb") as file:
        file.seek(have)
        for piece in answer.iter_content(CHUNK):
            file.write(piece)
            have += len(piece)
            if have > most:
                file.close()
                part.unlink()
                raise DataError(
                    f"{archive.host} sends more than {memory(most)} as {archive.name}, which has "
                    f"{memory(archive.size)}.", "Place the file by hand.",
                )  # fmt: skip
            share = have / (total or archive.size)
            said = f"{archive.name}: {memory(have)} of {memory(total or archive.size)}"
            progress(min(0.96 * share, 0.96), said)
    return have


def _stopped(archive: PublishedArchive, part: Path, error: Exception | None) -> DataError:
    have = 0
    with suppress(OSError):
        have = part.stat().st_size
    if have:
        return DataError(f"{archive.host} stopped after {memory(have)} of {archive.name}.", AGAIN)
    reason = "took too long to answer" if "imeout" in type(error).__name__ else "was not reached"
    return DataError(
        f"{archive.host} {reason}.",
        "Is this machine online? Try again when it is.",
    )
