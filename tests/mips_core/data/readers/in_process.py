"""A parser of a child process called without one: quicker, and limits can be changed."""

import json
from dataclasses import asdict

from mips_core.data.readers.child import ANSWER, answer_in, table_of
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Source
from mips_core.data.readers.in_child.room import Room


class RoomHere(Room):
    """A room that leaves the processor time of this process alone."""

    def allow(self, nbytes):
        pass


def answer_of(parser, path, folder, **arguments):
    folder.mkdir()
    room = RoomHere(folder)
    facts = parser(Source.of(path), room, **arguments)
    (folder / ANSWER).write_text(json.dumps({"arrays": room.arrays, "facts": facts}))
    return answer_in(folder)


def table(parser, path, **choices):
    """The Table that `parser` makes of the file at `path`, with these choices."""
    asked = {"choices": asdict(Choices(**choices))}
    if parser.__module__.endswith("arrow"):
        asked["what"] = "a Parquet file"
    target = path.with_name(f"{path.name}-{len(list(path.parent.iterdir()))}")
    return table_of(answer_of(parser, path, target, **asked))
