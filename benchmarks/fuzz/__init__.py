"""Damaged files by the hundred thousand: none may crash, hang or swell the reading of vectors."""
