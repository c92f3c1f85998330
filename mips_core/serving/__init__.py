"""Answers to hand out: fast search, index files, exports, and other libraries beside ours."""
