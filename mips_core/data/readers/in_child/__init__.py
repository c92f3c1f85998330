"""Parsers that run only in a child process, where they may import big libraries."""
