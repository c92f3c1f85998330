"""How the text of a file is encoded: in UTF-8, or as older programs write it."""

import codecs
import re

from mips_core.data.readers.contract import Source

BLOCK = 8 * 2**20
WINDOWS = re.compile(rb"[\x80-\x9f]")  # control characters in Latin-1
NOT_WINDOWS = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")  # undefined in Windows-1252


def encoding_of(source: Source) -> tuple[str, list[str]]:
    """How the text of a file is encoded, and a note where it is not UTF-8."""
    if _is_utf8(source):
        return "utf-8-sig", []
    controls, undefined = _holds(source, WINDOWS), _holds(source, NOT_WINDOWS)
    if controls and not undefined:
        return "cp1252", [f"The text of {source.name} is not UTF-8; it is read as Windows-1252."]
    return "latin-1", [f"The text of {source.name} is not UTF-8; it is read as Latin-1."]


def _is_utf8(source: Source) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with source.path.open("rb") as file:
            while chunk := file.read(BLOCK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _holds(source: Source, pattern: re.Pattern[bytes]) -> bool:
    """Whether some byte of the file is one of `pattern`."""
    with source.path.open("rb") as file:
        return any(pattern.search(chunk) for chunk in iter(lambda: file.read(BLOCK), b""))


def begins_in_utf8(head: bytes) -> bool:
    """Whether `head`, which may be cut within a character, is UTF-8."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True
