"""A mapped file that is cut short while it is used: what is gone reads as zeros, and work goes on.

The system ends a process (SIGBUS) that looks at a mapping beyond the end of its file. As Wayland's
libraries do with memory that is shared with a program that may shrink it, a handler puts empty
memory in the place of the rest of the array. It is machine code: the processor repeats what it
stopped at until that succeeds, so a handler in Python would never have its turn. Whoever uses such
an array must know from elsewhere that its file has changed.
"""

import ctypes
import mmap
import sys
from importlib import import_module
from threading import Lock, Thread
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

ROOM = 1024  # arrays kept so at once
SIGBUS = 7  # as on all Linux of 64 bits; so are the numbers below
WRITABLE, IN_PLACE = 1 | 2, 0x02 | 0x10 | 0x20  # PROT_READ, _WRITE; MAP_PRIVATE, _FIXED, _ANONYMOUS
WITH_INFO = 4  # SA_SIGINFO
PLACE = 2  # of the address among the words of siginfo_t

_PLACES = np.zeros((ROOM, 2), np.int64)  # address and end of each array; 0 and 0: none
_LOCK = Lock()
_MAKERS: list[Thread] = []  # one, once there was an array; it sets the handler
_KEPT: list[object] = []  # what the handler needs for as long as the process lives


class _Action(ctypes.Structure):
    """What sigaction(2) takes, as glibc and musl lay it out on 64 bits."""

    _fields_ = (
        ("handler", ctypes.c_size_t),
        ("mask", ctypes.c_byte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_size_t),
    )


def guard(array: NDArray[Any], mapping: mmap.mmap) -> None:
    """Let `array`, which lies in `mapping`, outlive a cut of its file, from a moment later on.

    Up to ROOM arrays at once, on Linux of 64 bits; elsewhere nothing is done. The handler is
    compiled beside what goes on, a second once a process: `ready` waits for it.
    """
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return
    with _LOCK:
        if not _MAKERS:
            import_module("numba")  # now, for few need it; not in the thread: it may meet another
            _MAKERS.append(Thread(target=_set_handler, name="cut short", daemon=True))
            _MAKERS[0].start()
        free = np.flatnonzero(_PLACES[:, 1] == 0)
        if not len(free):
            return
        place, start = int(free[0]), array.ctypes.data
        _PLACES[place] = start, start + array.nbytes
    finalize(mapping, _forget, place)


def ready() -> bool:
    """Whether the handler is set, once that was tried; False where there was no array yet."""
    for maker in _MAKERS:
        maker.join()
    return bool(_KEPT)


def _forget(place: int) -> None:
    _PLACES[place] = 0


def _set_handler() -> None:
    from numba import carray, cfunc, types  # type: ignore[attr-defined]

    libc, word = ctypes.CDLL(None), ctypes.c_ssize_t
    put, at, act = libc.mmap, libc.memset, libc.sigaction
    put.argtypes, put.restype = [word, word, ctypes.c_int, ctypes.c_int, ctypes.c_int, word], word
    at.argtypes, at.restype = [word, ctypes.c_int, word], ctypes.POINTER(ctypes.c_int64)
    act.argtypes, act.restype = [ctypes.c_int, word, word], ctypes.c_int
    before = _Action()
    places, others, page = _PLACES.ctypes.data, ctypes.addressof(before), mmap.PAGESIZE

    @cfunc(types.void(types.int32, types.voidptr, types.voidptr))
    def handle(number: int, info: Any, context: Any) -> None:
        address = carray(info, (PLACE + 1,), np.int64)[PLACE]
        arrays = carray(at(places, 0, 0), (ROOM, 2))  # memset of nothing: a number as an address
        for i in range(ROOM):
            if arrays[i, 0] <= address < arrays[i, 1]:
                first = address - address % page
                if put(first, arrays[i, 1] - first, WRITABLE, IN_PLACE, -1, 0) == first:
                    return
        act(SIGBUS, others, 0)  # another fault: as if this handler had never been

    action = _Action(handler=handle.address, flags=WITH_INFO)
    if act(SIGBUS, ctypes.addressof(action), others) == 0:
        _KEPT.extend([handle, before, libc])
