"""One small file, written and read by the reader that recognises it."""

from mips_core.base.progress import silent
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Source, recognise


def read_table(folder, name, content, progress=silent, **choices):
    """The Table of a file with this name and content, as text or bytes; `choices` by name."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = Source.of(path, progress=progress)
    return recognise(source).read(source, Choices(**choices))
