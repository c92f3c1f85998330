"""Data sets of others, fetched when a person asks for one, or placed by hand."""
