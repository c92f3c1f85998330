"""A setting: an index, the seed it is built with, and how hard it is asked."""

from dataclasses import dataclass

from mips_core.indexes import Index


@dataclass(frozen=True, slots=True)
class Setting:
    """What is chosen, compared, timed and taken away; hashable."""

    index: Index
    seed: int
    effort: int

    def in_words(self, n: int) -> str:
        """The parameters and the effort for n items: "566 clusters, 24 probes"."""
        noun = self.index.effort_nouns[self.effort != 1]
        return ", ".join(filter(None, (self.index.setting(n), f"{self.effort:,} {noun}")))
