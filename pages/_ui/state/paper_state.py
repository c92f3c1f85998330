"""What the Paper page asks: which data, how thoroughly, and what of the answer is looked at."""

from dataclasses import dataclass
from typing import Literal

from mips_core.base.params import check, param

Measured = Literal["word2vec", "movielens-10m", "netflix", "all", "own"]


@dataclass(frozen=True)
class PaperState:
    """figure: name of the one that is shown, "" for the first; claim: which row, from 0."""

    data: Measured = param(
        "word2vec",
        "Experiment",
        "Figures 2 and 3 of the paper search words, Figure 1 films for users. The paper's data do "
        "not ship; each figure says what stands in for them. Your data can be searched as well.",
        choices=("word2vec", "movielens-10m", "netflix", "all", "own"),
    )
    size: Literal["quick", "full"] = param(
        "quick",
        "Run",
        "Quick: fewer settings and queries, and smaller stand-ins. Full: as many users and queries "
        "as in the paper.",
        choices=("quick", "full"),
    )
    way: Literal["paper", "ours"] = param(
        "paper",
        "Lines of k-means",
        "The paper's way: the best p clusters are opened, and the number of clusters varies. Our "
        "way: both vary, and the best is drawn at every speedup.",
        choices=("paper", "ours"),
    )
    figure: str = param("", "Figure", "The figures of the paper, and those behind other claims.")
    claim: int = param(0, "Claim", "Which row of the table is told in full.", within=(0, 1_000))

    def __post_init__(self) -> None:
        check(self)
