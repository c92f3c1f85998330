"""Files that are not read: each is named for what it is, with what to do instead."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Choices, RatingsFileError
from mips_core.data.readers.contract import NONE_LEFT, Rank, Reader, Source, Table, register
from mips_core.data.readers.ratings_signs import MATRIX_MARKET, is_ratings
from mips_core.data.readers.text.lines import is_text

AGAIN = "Open the link in a browser, download the file itself, and give that."
UNPACK = "Unpack it and give the file inside."
AS_TABLE = "Save the sheet as CSV and upload that."
PICKLE = (
    "Pickles can run code, so they are never opened. Save the array with numpy.save and upload "
    "the .npy."
)
WEIGHTS = "Save the embedding matrix with numpy.save and upload the .npy."
FROM_MATLAB = 'In MATLAB, save it again with save("x.mat", "X", "-v7"), and give that.'
AS_CSV = "Write the table as CSV and give that."
AS_PARQUET = "Write the table as Parquet and give that."
FROM_FAISS = (
    "Read it with faiss.read_index, save index.reconstruct_n(0, index.ntotal) with numpy.save and "
    "give the .npy. An index that compresses has no better than its approximations of the vectors."
)
PRINTED = "Printed numbers are rounded. Save the array with numpy.save and give the .npy."
TABLE_OF_RATINGS = "a table of ratings, not vectors"
RATINGS = "Read it with mips_core.read_ratings, which makes vectors of users and items of it."

MOSTLY = 0.8  # of the characters of a text are ASCII

_OLD_PICKLE = re.compile(
    rb"\([dl]p0\n|[\]})]q\0|c(numpy|torch|pandas|scipy|sklearn|builtins|__builtin__|copy_reg|"
    rb"collections)[\w.]*\n\w+\n"
)  # protocols 0 and 1

_PYTHON = re.compile(rb"\s*+(?:[\[(]?\s*+\{\s*[bu]?'[^'\n]*'\s*:|\[\s*\(\s*[bu]?['\"\d-])")

Test = Callable[[bytes, str], bool]


@dataclass(frozen=True)
class Kind:
    """One kind of file: "{file} is {what}." and what to do."""

    what: str
    remedy: str
    matches: Test


def begins(*magics: bytes, at: int = 0) -> Test:
    """Whether the file holds one of `magics` at offset `at`."""
    return lambda head, name: any(head[at:].startswith(magic) for magic in magics)


def text(pattern: bytes) -> Test:
    """Whether the file is text that begins with `pattern`, after blanks and a BOM."""
    compiled = re.compile(rb"(\xef\xbb\xbf)?\s*+(?:" + pattern + rb")", re.I)
    return lambda head, name: is_text(head) and compiled.match(head) is not None


def zipped(*members: bytes) -> Test:
    """Whether the file is a zip that names one of `members` near its start."""
    return lambda head, name: head.startswith(b"PK\x03\x04") and any(m in head for m in members)


def _is_utf16(head: bytes, name: str) -> bool:
    """Whether the file is text of two or four bytes a character, without the mark of UTF-16."""
    if not name.endswith((".txt", ".csv", ".tsv", ".tab", ".vec", ".json", ".jsonl")):
        return False  # rows of small whole numbers have the same look
    head = head.removeprefix(b"\xff\xfe\0\0").removeprefix(b"\0\0\xfe\xff")
    body = head[: min(len(head), 512) // 4 * 4]
    for start, step in ((0, 2), (1, 2), (0, 4), (3, 4)):
        shown = body[start::step]
        zeros = len(body) - len(shown)
        plain = sum(byte < 0x80 for byte in shown) > MOSTLY * len(shown)  # é is one byte, too
        if len(shown) > 8 and body.count(0) == zeros and is_text(shown) and plain:
            return 0 not in shown
    return False


def named(*suffixes: str, binary: bool = True) -> Test:
    """Whether the name ends in one of `suffixes` and the content is (not) binary."""
    return lambda head, name: name.endswith(suffixes) and is_text(head) != binary


def _is_pickle(head: bytes, name: str) -> bool:
    protocol = re.match(rb"\x80[\2-\5][^\0]", head) is not None  # \0: a dimension such as 640
    old = re.match(rb"\(?(lp|dp|i?c)[\w.]*\n", head) is not None and name.endswith((".pkl", ".p"))
    old = old or _OLD_PICKLE.match(head) is not None
    return protocol or old or (name.endswith((".pkl", ".pickle")) and not is_text(head))


def _is_faiss(head: bytes, name: str) -> bool:
    """Four letters, the dimension, the count, and 2**20 twice; of bits, their number and bytes."""
    mark = (2**20).to_bytes(8, "little")
    bits, size = (int.from_bytes(head[at : at + 4], "little") for at in (4, 8))
    floats = head[16:32] == mark * 2
    return re.match(rb"I[A-Za-z0-9]{3}", head) is not None and (
        floats or (head[1:2] == b"B" and 0 < bits == 8 * size)
    )


def _is_checkpoint(head: bytes, name: str) -> bool:
    part = re.search(r"\.(pb|ckpt\.index|data-\d{5}-of-\d{5}|ckpt(\..*)?)$", name)
    return part is not None and not is_text(head)


KINDS = (
    Kind("a Git LFS pointer, not the data", 'Run "git lfs pull" and upload the real file.',
         begins(b"version https://git-lfs", b"version http://git-media")),
    Kind("a web page (HTML), not vectors", AGAIN,
         text(rb"<!doctype html|<html|<head|<\?xml[^>]*>\s*<(!doctype )?html|<!--.{0,300}?<html")),
    Kind("an error message of a web server (XML), not the data", AGAIN,
         text(rb"(<\?xml[^>]*>\s*)?<Error>")),
    Kind("an XML document, not vectors", NONE_LEFT, text(rb"<\?xml|<svg")),
    Kind("an Excel workbook, not a table of vectors", AS_TABLE,
         lambda head, name: zipped(b"xl/")(head, name)
         or (zipped()(head, name) and name.endswith((".xlsx", ".xlsm")))),
    Kind("an old Excel workbook or another Office document, not a table of vectors", AS_TABLE,
         begins(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
    Kind("a spreadsheet or text document, not a table of vectors", AS_TABLE,
         zipped(b"word/", b"mimetypeapplication/", b"[Content_Types].xml")),
    Kind("a PyTorch file (zip with a pickle inside)", PICKLE,
         zipped(b"/data.pkl", b"/byteorder", b"/.format_version")),
    Kind("a PyTorch file (pickle)", PICKLE, begins(b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19")),
    Kind("a Keras model (zip)", WEIGHTS, zipped(b"model.weights.h5", b"config.json")),
    Kind("an empty ZIP archive", "Zip the data again.", begins(b"PK\x05\x06")),
    Kind("a ZIP archive that is damaged, or that was inside another",
         "Save or download it again, or unpack it and give the file inside.",
         begins(b"PK\x03\x04", b"PK\x07\x08")),
    Kind("a Python pickle", PICKLE, _is_pickle),
    Kind("a fastText model (.bin), not a table of vectors",
         "Export its vectors as .vec (the file written beside the model) and give that.",
         begins(b"\xba\x16\x4f\x2f")),
    Kind("a PDF document", NONE_LEFT, begins(b"%PDF")),
    Kind("an image", NONE_LEFT, begins(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")),
    Kind("an image", NONE_LEFT,
         lambda head, name: head[:2] == b"BM" and name.endswith(".bmp") and not is_text(head)),
    Kind("a sound, film or image file", NONE_LEFT,
         lambda head, name: begins(b"RIFF", b"OggS", b"ID3", b"fLaC")(head, name)
         or head[4:8] == b"ftyp"),
    Kind("a compressed file inside another", UNPACK, begins(b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh")),
    Kind("a Zstandard file (.zst)", 'Unpack it with "zstd -d" and give the file inside, or pack it '
         "as .gz.", begins(b"\x28\xb5\x2f\xfd")),
    Kind("a compressed file (7z, rar, lz4, lzip or compress)", UNPACK,
         begins(b"7z\xbc\xaf", b"Rar!", b"\x04\"M\x18", b"LZIP",
                b"\x1f\x9d")),
    Kind("a compressed file (lzma)", UNPACK, named(".lzma")),
    Kind("a tar archive", UNPACK, begins(b"ustar", at=257)),
    Kind("a MATLAB .mat file of an old or unknown version", FROM_MATLAB, begins(b"MATLAB ")),
    Kind("a MATLAB .mat file of an old or unknown version", FROM_MATLAB, named(".mat")),
    Kind("an SPSS file", AS_CSV, begins(b"$FL2@(#)", b"$FL3@(#)")),
    Kind("a Stata file", AS_CSV, begins(b"<stata_dta>")),
    Kind("a Stata file", AS_CSV, named(".dta")),
    Kind("a SAS file", AS_CSV, begins(b"\0" * 12 + b"\xc2\xea\x81\x60")),
    Kind("an ORC file", AS_PARQUET, begins(b"ORC")),
    Kind("an Avro file", AS_PARQUET, begins(b"Obj\x01")),
    Kind("a DuckDB database", AS_PARQUET, begins(b"DUCK", at=8)),
    Kind("a TensorFlow Lite model", WEIGHTS, begins(b"TFL3", at=4)),
    Kind("an ONNX model", WEIGHTS, named(".onnx")),
    Kind("a TensorFlow model or checkpoint", WEIGHTS, _is_checkpoint),
    Kind("a TensorFlow TFRecord file", AS_PARQUET, named(".tfrecord", ".tfrecords")),
    Kind("an Annoy index", NONE_LEFT, named(".ann", ".annoy")),
    Kind("an ARFF file (Weka)", AS_CSV, text(rb"(%[^\n]*\n\s*)*+@relation\s")),
    Kind("an array as NumPy or PyTorch prints it", PRINTED,
         text(rb"(array|tensor)\(\s*\[\s*\[|\[\s*\[\s*[-+]?\d[\d.e+-]*[ \t]+[-+]?\d")),
    Kind("text in UTF-16 or UTF-32 without the mark that says so", "Save it as UTF-8 text.",
         _is_utf16),
    Kind("a GGUF model", WEIGHTS, begins(b"GGUF")),
    Kind("an SQLite database", NONE_LEFT, begins(b"SQLite format 3")),
    Kind("an R data file", "Write the matrix with write.csv and give that.",
         begins(b"RDX2\n", b"RDX3\n", b"X\n\0\0\0", b"A\n3\n", b"A\n2\n")),
    Kind("a faiss index, not a table of vectors", FROM_FAISS, _is_faiss),
    Kind("an SQL script, not a table of vectors", AS_CSV,
         text(rb"(--[^\n]*\n\s*|/\*[\s\S]{0,2000}?\*/;?\s*)*+(insert\s+into|create\s+(table|database)|"
              rb"drop\s+table|copy\s+\S+[^\n]*from\s+stdin|set\s+\w+\s*=|use\s+\S+;|begin;)")),
    Kind("text as Python prints it, with ' for JSON's \" from line 1 on",
         "Python's own notation is not read: write the data with json.dump and give the .json.",
         lambda head, name: not name.endswith((".json", ".jsonl", ".ndjson"))
         and _PYTHON.match(head) is not None),
    Kind("a program", NONE_LEFT, begins(b"\x7fELF", b"MZ\x90\0", b"#!/")),
    Kind("a Matrix Market file, a matrix of ratings and not vectors", RATINGS,
         lambda head, name: MATRIX_MARKET.match(head) is not None),
    Kind(TABLE_OF_RATINGS, RATINGS, lambda head, name: is_ratings(head)),
    Kind("an .npy or .npz file whose beginning is damaged", "Save or download it again.",
         named(".npy", ".npz")),
)  # fmt: skip


def kind_of(head: bytes, name: str) -> Kind | None:
    """The first kind that fits, or None."""
    return next((kind for kind in KINDS if kind.matches(head, name)), None)


def _is_foreign(source: Source) -> bool:
    """Whether nobody knows better: a person may say that what looks like ratings is vectors."""
    kind = kind_of(source.head, source.plain_name)
    return kind is not None and not (source.not_ratings and kind.what == TABLE_OF_RATINGS)


def refuse(source: Source, choices: Choices) -> Table:
    """Raise DataError naming what `source` is."""
    kind = kind_of(source.head, source.plain_name)
    assert kind is not None  # it matched
    if kind.remedy == RATINGS:
        raise RatingsFileError(f"{source.name} is {kind.what}.", kind.remedy)
    raise DataError(f"{source.name} is {kind.what}.", kind.remedy)


register(
    Reader(
        key="foreign",
        label="foreign file",
        suffixes=(),
        rank=Rank.FOREIGN,
        matches=lambda head, name: kind_of(head, name) is not None,
        read=refuse,
        fits=_is_foreign,
    )
)
