"""Names people give to columns and arrays, how they are shown, and sentences about labels."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_TABLE_COLUMNS
from mips_core.base.text import counted

ANSWERS = ("neighbors", "neighbours", "distances", "groundtruth", "ground_truth", "gt", "knn",
           "knns", "indices")  # fmt: skip
WEIGHTS = ("weight", "weights", "w", "kernel", "coef", "coef_")
BIASES = ("bias", "biases", "b", "intercept", "intercept_")
ITEMS = ("items", "item_factors", "item_embeddings", "item_emb", "item", "v", "base", "train",
         "x_train", "train_x", "database", "corpus", "documents", "docs", "xb", "item_vectors",
         "movies", "movie_factors", *WEIGHTS)  # fmt: skip
QUERIES = ("queries", "query", "users", "user_factors", "user_embeddings", "user_emb", "user", "u",
           "test", "x_test", "test_x", "xq", "user_vectors", "query_embeddings", "query_vectors",
           "hidden", "hidden_states", "h", "activations")  # fmt: skip
VECTORS = ("embeddings", "embedding", "vectors", "vector", "emb", "vecs", "x", "features")
LABELS = ("label", "labels", "title", "titles", "name", "names", "word", "words", "token",
          "tokens", "term", "text", "item", "items", "product", "sentence", "vocab",
          "custom_id")  # fmt: skip
IDS = ("id", "ids", "key", "keys", "index", "idx", "row", "rowid", "uid", "uuid", "sku", "isbn",
       "asin", "nr", "no", "line", "unnamed: 0", "", *LABELS)  # fmt: skip

BLANK_LABEL = "␠"
EXAMPLES = 3  # of the values of a column


def plain(name: str) -> str:
    """A name in lower case, its words joined by "_"."""
    return re.sub(r"[\s.-]+", "_", re.sub(r"([a-z])([A-Z])", r"\1_\2", name.strip())).lower()


def is_id(name: str) -> bool:
    """Whether a column so named says which row it is, and is no coordinate."""
    name = plain(name)
    return name.replace("_", " ") in IDS or name in IDS or name.endswith(("_id", "_ids", "_key"))


def is_label(name: str) -> bool:
    """Whether a column so named holds words for people."""
    name = plain(name)
    return name in LABELS or name.endswith(("_title", "_name", "_label"))


def are_counts(cells: Sequence[str]) -> bool:
    """Whether cells, of three rows or more, are whole numbers without a repeat."""
    return len(cells) > 2 and len(set(cells)) == len(cells) and all(map(str.isdecimal, cells))


def quoted(names: Iterable[str], most: int = 6) -> str:
    """“a”, “b” and 3 more; long names are cut."""
    names = [f"“{shortened(name)}”" for name in names]
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def shortened(text: str, most: int = 40) -> str:
    """`text` in a length that fits into a sentence, and in characters that can be written."""
    text = text.encode(errors="replace").decode()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def choosable(names: Sequence[str]) -> tuple[str, ...]:
    """What a person calls each column by: its name, or its number where that is not enough."""
    count = Counter(names)
    return tuple(name if name and count[name] == 1 else f"{j + 1}" for j, name in enumerate(names))


def examples(values: Sequence[str], more: bool) -> str:
    """The first values of a column, shortened; `more` says that it has others."""
    return ", ".join(shortened(value, 24) for value in values[:EXAMPLES]) + " …" * more


def decode(words: Sequence[bytes]) -> tuple[list[str], list[str]]:
    """Words as text, and a note where some are not UTF-8."""
    try:
        return [word.decode() for word in words], []
    except UnicodeDecodeError:
        texts = [word.decode(errors="replace") for word in words]
    bad = [i for i, (word, text) in enumerate(zip(words, texts, strict=True))
           if "\ufffd" in text and b"\xef\xbf\xbd" not in word]  # fmt: skip
    rows = ", ".join(f"{i:,}" for i in bad[:6]) + (" …" if len(bad) > 6 else "")
    labels = counted(len(bad), "label is", "labels are")
    return texts, [
        f"{labels} not UTF-8 (row {rows}); characters that could not be decoded are shown as �."
    ]


def tidy(labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Labels with blank ones made visible, and notes on blank and repeated ones."""
    blank = sum(not label.strip(" ") for label in labels)
    shown = [label if label.strip(" ") else BLANK_LABEL for label in labels]
    notes = (
        [f"{counted(blank, 'blank label is', 'blank labels are')} shown as {BLANK_LABEL}."]
        if blank
        else []
    )
    twice = [label for label, count in Counter(shown).items() if count > 1 and label != BLANK_LABEL]
    if twice:
        labels_are = counted(len(twice), "label is", "labels are")
        notes.append(f"{labels_are} repeated: {quoted(twice)}. All rows are kept.")
    return shown, notes


def check_width(width: int, name: str) -> None:
    """Raise DataError where a table of vectors, as text, has more columns than the limit."""
    if width > MAX_TABLE_COLUMNS:
        raise DataError(
            f"{name} has {width:,} columns; the limit for text is {MAX_TABLE_COLUMNS:,}.",
            "Save so wide vectors as .npy or .npz.",
        )
