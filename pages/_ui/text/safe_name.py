"""Names of files as they may be used on any disk."""

import re


def safe_name(name: str) -> str:
    """The last part of `name` as a file may be called anywhere; its suffixes stay."""
    last = re.split(r"[/\\]", name)[-1]
    last = "".join(c if c.isprintable() and c not in '<>:"|?*' else "_" for c in last).rstrip(" .")
    end = re.search(r"(\.[a-z0-9_]{1,12}){0,2}$", last, re.IGNORECASE | re.ASCII)
    suffix = end[0] if end else ""
    stem = last[: len(last) - len(suffix)].encode(errors="replace")[:150].decode(errors="ignore")
    return (stem.strip(" .") or "upload") + suffix
