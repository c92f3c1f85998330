"""Files for the browser: a fixed book, an address that changes with any of them."""

from pages._ui.elements import serve


def test_only_files_of_known_types_are_in_the_book():
    files = serve.files()
    assert {"chart.js", "map.js", "page.css", "favicon.svg"} <= set(files)
    assert all(path.suffix in serve.TYPES and path.is_file() for path in files.values())
    assert "README.md" not in files


def test_another_content_has_another_address(monkeypatch, tmp_path):
    file = tmp_path / "one.js"
    monkeypatch.setattr(serve, "files", lambda: {"one.js": file})
    addresses = set()
    try:
        for text in ("a", "b", "a"):
            file.write_text(text)
            serve.version.cache_clear()
            serve._etag.cache_clear()
            addresses.add(serve.address())
    finally:
        serve.version.cache_clear()
        serve._etag.cache_clear()
    assert len(addresses) == 2
