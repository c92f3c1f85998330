"""JSON: rows one a line, or a document of rows, named arrays or named vectors."""
