"""The slider of efforts."""

from collections.abc import Sequence

from mips_core import Index
from pages._ui.elements.value_slider import value_slider


def effort_slider(index: Index, efforts: Sequence[int], effort: int, *, key: str) -> None:
    """Draw it at `effort`, one of `efforts`, after all that this leads to."""

    def text(step: int) -> str:
        return f"{step:,} of {efforts[-1]:,}"

    value_slider(
        index.effort_name,
        efforts,
        effort,
        key=key,
        text=text,
        spoken=lambda step: f"{text(step)} {index.effort_nouns[1]}",
        help=index.effort_help,
    )
