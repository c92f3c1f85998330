"""Tables of text: CSV, TSV and kin."""
