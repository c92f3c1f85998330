"""What must hold of a structure for its index to be asked safely: compiled code checks no bounds.

By type, for everything that a file may hold: a list names each item once, a tree is one, a key is
as wide as its table; what follows from other parts is what follows. And what was built is what the
index, with its parameters, builds.
"""

from mips_core.serving.store.soundness import clusters, hashes, trees  # noqa: F401  each adds its rules
from mips_core.serving.store.soundness.asked import check_asked_for
from mips_core.serving.store.soundness.rules import check_sound, check_within, expect

__all__ = ["check_asked_for", "check_sound", "check_within", "expect"]
