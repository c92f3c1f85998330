"""A fault's file made smaller while the fault stays."""

from collections.abc import Callable

TRIES = 300


def minimised(content: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """The shortest found in TRIES tries: first without ends, then without pieces between."""
    tries, step = 0, len(content) // 2
    while step and tries < TRIES:
        at = len(content)
        shorter = False
        while at > 0 and tries < TRIES:
            candidate = content[: max(0, at - step)] + content[at:]
            tries += 1
            if fails(candidate):
                content, shorter = candidate, True
            at -= step
        step = step // 2 if not shorter or step > len(content) else step
    return content
