"""Small damage, as disks, networks, editors and other programs do it; and some of ill will.

A mutation is a function (content, rng, other) -> content; `other` is another seed's content, to
splice with. All draw from `rng` alone, so that a file can be made again from its number.
"""

import re
import struct
from collections.abc import Callable
from random import Random
from typing import Literal

MOST = 200_000
"""Bytes of a file that mutations let grow no further."""

Mutation = Callable[[bytes, Random, bytes], bytes]

EXTREMES = bytes([0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x3A, 0x7B])
INTEGERS = (0, 1, -1, 2, 127, 255, 256, 2**15 - 1, 2**16 - 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1,
            2**32, 2**62, 2**63 - 1, 2**63, 2**64 - 1)  # fmt: skip
NUMBERS = (
    b"nan", b"inf", b"-Infinity", b"1e999", b"-1e999", b"1e-999", b"1e38", b"3.5e38", b"-0", b"0",
    b"1", b"-1", b"2147483648", b"9223372036854775807", b"18446744073709551616", b"9" * 400,
    b"9" * 5000, b"0." + b"3" * 5000, b"1e9999999999", b"1_000", b"0x1F", b"1.5.2", b"--1", b"1,5",
    b"1.234,5", "−1".encode(), "١".encode(), "²".encode(), b"", b"NA", b"NULL", b"None", b"true",
    b"1d5", b"+", b"-", b".", b"e", b"1e", b"1e+", b"[1, 2]", b"...", "…".encode(),
)  # fmt: skip
SEPARATORS = (b",", b";", b"\t", b" ", b"  ", b"|", b"::", b":", b"\xc2\xa0", b"\n", b"")
LINE_ENDS = (
    b"\n", b"\r\n", b"\r", b"\n\r", b"\x0b", b"\x0c", b"\xc2\x85", "\u2028".encode(), b"\n\n", b" ",
)  # fmt: skip
ODDITIES = (
    b'"', b"'", b'""', b'"\n', b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1a", b"\xed\xa0\x80",
    b"\xc3", "\u202e".encode(), "\u200b".encode(), "\U0001f600".encode(), b"[", b"]", b"{", b"}",
    b"[[", b"(", b")", b"#", b"\\", b"\\u0000", b"\\ud800", b"<b>", b"=1+1", b"`", b"$", b"%s",
    b"{0}",
)  # fmt: skip
NESTS = (b"[", b"(", b"{", b'{"a":', b'"', b"-", b",", b"\n", b" ", b"\t", b"<a>", b"1 ", b"[1,")
NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def _at(content: bytes, rng: Random, width: int = 0) -> int:
    """A place for `width` bytes; beginnings, where headers are, are drawn more often."""
    room = max(0, len(content) - width)
    return rng.randint(0, min(room, 128) if rng.random() < 0.4 else room)


def _chunk(content: bytes, rng: Random) -> tuple[int, int]:
    length = rng.choice((1, 2, 4, 8, rng.randint(1, 64), rng.randint(1, max(1, len(content) // 2))))
    start = _at(content, rng, length)
    return start, start + length


def flip_bits(content: bytes, rng: Random, other: bytes) -> bytes:
    """One bit, or a few."""
    out = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8)) if out else 0):
        out[_at(content, rng, 1)] ^= 1 << rng.randrange(8)
    return bytes(out)


def set_bytes(content: bytes, rng: Random, other: bytes) -> bytes:
    """Bytes to extremes or to anything."""
    out = bytearray(content)
    for _ in range(rng.choice((1, 1, 3)) if out else 0):
        out[_at(content, rng, 1)] = rng.choice((rng.choice(EXTREMES), rng.randrange(256)))
    return bytes(out)


def set_integer(content: bytes, rng: Random, other: bytes) -> bytes:
    """A field of 1, 2, 4 or 8 bytes to a boundary value, or a little more or less than it was."""
    width = rng.choice((1, 2, 4, 8, 8))
    order: Literal["little", "big"] = "little" if rng.random() < 0.7 else "big"
    at = _at(content, rng, width) // width * width if rng.random() < 0.8 else _at(content, rng)
    old = int.from_bytes(content[at : at + width], order)
    value = rng.choice((*INTEGERS, old + 1, old - 1, old * 2, -old, len(content)))
    return content[:at] + (value % 2 ** (8 * width)).to_bytes(width, order) + content[at + width :]


def set_float(content: bytes, rng: Random, other: bytes) -> bytes:
    """A float32 or float64 to NaN, an infinity or an extreme."""
    kind = rng.choice(("<f", "<d", ">f", ">d", "<e"))
    largest = {"f": 3e38, "d": 1e308, "e": 6e4}[kind[1]]
    values = (float("nan"), float("inf"), -float("inf"), largest, -largest, 1e-45, -0.0)
    field = struct.pack(kind, rng.choice(values))
    at = _at(content, rng, len(field)) // len(field) * len(field)
    return content[:at] + field + content[at + len(field) :]


def delete(content: bytes, rng: Random, other: bytes) -> bytes:
    """A piece is lost."""
    start, stop = _chunk(content, rng)
    return content[:start] + content[stop:]


def duplicate(content: bytes, rng: Random, other: bytes) -> bytes:
    """A piece comes twice, or very often."""
    start, stop = _chunk(content, rng)
    times = rng.choice((1, 1, 2, 50, 3000))
    times = max(1, min(times, MOST // max(1, stop - start)))
    return content[:stop] + content[start:stop] * times + content[stop:]


def insert(content: bytes, rng: Random, other: bytes) -> bytes:
    """Something comes in between."""
    at = _at(content, rng)
    return content[:at] + rng.randbytes(rng.choice((1, 2, 4, 16, 200))) + content[at:]


def swap(content: bytes, rng: Random, other: bytes) -> bytes:
    """Two pieces change places."""
    (a, b), (c, d) = sorted((_chunk(content, rng), _chunk(content, rng)))
    if c < b:
        return content
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def truncate(content: bytes, rng: Random, other: bytes) -> bytes:
    """The end is lost, or the beginning."""
    at = rng.choice((rng.randint(0, len(content)), max(0, len(content) - rng.randint(1, 16))))
    return content[:at] if rng.random() < 0.9 else content[at:]


def extend(content: bytes, rng: Random, other: bytes) -> bytes:
    """Something follows the end."""
    return content + rng.choice((b"\0", b"\n", b"\0" * 512, content, rng.randbytes(7), b"\r\n\r\n"))


def splice(content: bytes, rng: Random, other: bytes) -> bytes:
    """The beginning of one file and the end of another."""
    return content[: rng.randint(0, len(content))] + other[rng.randint(0, len(other)) :]


def swap_number(content: bytes, rng: Random, other: bytes) -> bytes:
    """A written number becomes another, or something that is none."""
    found = list(NUMBER.finditer(content[:MOST]))
    if not found:
        return content
    match = rng.choice(found[: rng.choice((4, len(found)))])
    new = rng.choice((*NUMBERS, str(rng.choice(INTEGERS)).encode(), rng.choice(found)[0]))
    return content[: match.start()] + new + content[match.end() :]


def swap_separator(content: bytes, rng: Random, other: bytes) -> bytes:
    """One kind of separator becomes another, everywhere or once."""
    old, new = rng.choice(SEPARATORS[:-2]), rng.choice(SEPARATORS)
    places = content.count(old)
    if not places:
        return content
    if rng.random() < 0.5:
        return content.replace(old, new)
    head = old.join(content.split(old, at := rng.randint(1, places))[:at])
    return head + new + content[len(head) + len(old) :]


def swap_line_ends(content: bytes, rng: Random, other: bytes) -> bytes:
    """All line ends, or one, become others."""
    new = rng.choice(LINE_ENDS)
    if rng.random() < 0.5:
        return content.replace(b"\r\n", b"\n").replace(b"\n", new)
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    return b"\n".join(lines[: at + 1]) + new + b"\n".join(lines[at + 1 :])


def change_lines(content: bytes, rng: Random, other: bytes) -> bytes:
    """A line is lost, comes again, moves, is cut, or joins the next."""
    lines = content.splitlines(keepends=True) or [b""]
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(6)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines[to:to] = [lines[at]] * rng.choice((1, 2, min(400, 1 + MOST // (len(lines[at]) + 1))))
    elif what == 2:
        lines[at], lines[to] = lines[to], lines[at]
    elif what == 3:
        lines[at] = lines[at][: rng.randint(0, len(lines[at]))] + b"\n"
    elif what == 4:
        lines[at] = lines[at].rstrip(b"\r\n")
    else:
        lines[at] = rng.choice((b"\n", b" \n", b",,,\n", b"\t\t\n", b"#x\n", b"\x00\n")) + lines[at]
    return b"".join(lines)


def insert_oddity(content: bytes, rng: Random, other: bytes) -> bytes:
    """Quotes, NULs, byte order marks, brackets, half characters."""
    out = content
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = _at(out, rng)
        out = out[:at] + rng.choice(ODDITIES) + out[at:]
    return out


def insert_nest(content: bytes, rng: Random, other: bytes) -> bytes:
    """Thousands of brackets, quotes or blanks: what recursion and backtracking stumble over."""
    at = rng.choice((0, _at(content, rng)))
    return content[:at] + rng.choice(NESTS) * rng.choice((30, 2000, 30000)) + content[at:]


def recode(content: bytes, rng: Random, other: bytes) -> bytes:
    """The whole text in another encoding, or with a byte order mark that is not its own."""
    text = content.decode("utf-8", errors="replace")
    code = rng.choice(("utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-8-sig", "latin-1"))
    mark = rng.choice((b"", b"", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"))
    return mark + text.encode(code, errors="replace")


def swap_case(content: bytes, rng: Random, other: bytes) -> bytes:
    """Upper case for lower case."""
    return rng.choice((content.upper, content.lower, content.title))()


BINARY: tuple[Mutation, ...] = (
    flip_bits, flip_bits, flip_bits, set_bytes, set_bytes, set_integer, set_integer, set_integer,
    set_float, delete, duplicate, insert, swap,
    truncate, extend, splice, swap_number,
)  # fmt: skip
TEXT: tuple[Mutation, ...] = (
    swap_number, swap_number, swap_number, swap_separator, swap_line_ends, change_lines,
    change_lines, insert_oddity, insert_oddity, insert_nest, recode, swap_case, delete, duplicate,
    swap, truncate, splice, flip_bits, set_bytes, insert,
)  # fmt: skip


def mutations_for(content: bytes) -> tuple[Mutation, ...]:
    """Those of text for text; those of bytes for what is none."""
    return BINARY if b"\0" in content[:4096] or not _is_utf8(content[:4096]) else TEXT


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return error.start > len(content) - 4
    return True
