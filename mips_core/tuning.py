"""Tried settings, and what they cost to build."""

from dataclasses import dataclass

from mips_core.evaluate import Evaluation


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """An index, built and asked at every effort."""

    evaluation: Evaluation
    seconds: float  # that building its structure took, wall
    bytes: int  # of its structure, without the items
