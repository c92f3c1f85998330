"""Numbers as people read them."""

import pytest

from mips_core.base.text import (
    counted,
    duration,
    in_one_line,
    inner_products,
    memory,
    percent,
    rounded,
    saved,
    shown_name,
    times,
    verb,
)


@pytest.mark.parametrize(
    ("write", "number", "text"),
    [
        (times, 0.954, "0.95×"),
        (times, 1.04, "1.0×"),
        (times, 52.34, "52.3×"),
        (times, 1204, "1,204×"),
        (percent, 0, "0.0%"),
        (percent, 0.9512, "95.1%"),
        (percent, 0.9996, "99.96%"),
        (percent, 0.99996, "99.996%"),
        (percent, 1, "100.0%"),
        (duration, 9.66e-8, "96.6 ns"),
        (duration, 3.21e-6, "3.21 µs"),
        (duration, 8.5e-5, "85 µs"),
        (duration, 9.996e-4, "1 ms"),
        (duration, 1.236e-3, "1.24 ms"),
        (duration, 0.2, "200 ms"),
        (duration, 12, "12 s"),
        (duration, 3725.4, "3,725 s"),
        (memory, 12, "12 bytes"),
        (memory, 427 * 2**10, "427 kB"),
        (memory, 3.2 * 2**20, "3.2 MB"),
        (inner_products, 0.25, "0.25 inner products"),
        (inner_products, 1, "1 inner product"),
        (inner_products, 1602.4, "1,602 inner products"),
    ],
)
def test_a_number_in_words(write, number, text):
    assert write(number) == text


def test_one_is_singular():
    said = [counted(number, "query", "queries") for number in (0, 1, 2000)]
    assert said == ["0 queries", "1 query", "2,000 queries"]


def test_numbers_are_rounded_up():
    assert [rounded(q) for q in (7, 41, 122, 1361, 25_001)] == [7, 41, 130, 1400, 26_000]


def test_largest_norms_keep_and_flat_kmeans_keeps():
    assert [verb(name, "keep") for name in ("Largest norms", "Flat k-means", "PCA-tree")] == [
        "keep", "keeps", "keeps",
    ]  # fmt: skip


def test_a_name_from_a_file_stays_in_its_sentence():
    said = [
        in_one_line(text, 8)
        for text in (
            "castle",
            " a\nb\r\nc\x1b[2J",
            "\u202eabc\u202c",
            "x" * 9,
            "x" * 8,
            "\ud800",
            "\0",
        )
    ]
    assert said == ["castle", "a b c […", "abc", "x" * 7 + "…", "x" * 8, "?", ""]
    assert in_one_line("👩\u200d🚀 " * 10_000, 4) == "👩\u200d🚀…"


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (1602.4, "with **12.5× fewer** inner products than exact search (1,602 instead of 20,000)"),
        (19_400, "with no fewer inner products than exact search (19,400 instead of 20,000)"),
        (20_000, "with as many inner products as exact search (20,000)"),
        (9e4, "with **more** inner products than exact search (90,000 instead of 20,000): 0.22×"),
    ],
)
def test_what_a_search_saves_is_said_beside_exact_search(cost, text):
    assert saved(cost, 20_000) == text


def test_a_file_has_a_name_whatever_bytes_it_is_made_of(tmp_path):
    assert shown_name(tmp_path / "a\udcff") == "a�"
