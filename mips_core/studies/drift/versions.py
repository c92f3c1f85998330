"""Two versions of the same data: what changed from one to the other, and what to do about it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import row_norms
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import counted, percent
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import conversion
from mips_core.evaluation.setting import Setting
from mips_core.methods.capabilities import NEW
from mips_core.studies.comparison import FEWEST_SEEDS
from mips_core.studies.drift.changes import Change, Changed, with_items
from mips_core.studies.drift.update import ROUNDS, check_can_update, check_rounds
from mips_core.studies.drift.upkeep import BUILDS, Fresh, builds_of, upkeep

By = Literal["label", "row"]
STILL = 1e-3  # of its former length: what moved less did not move
ALIKE = 0.5  # a median cosine below it: the two may come from different models


@dataclass(frozen=True, slots=True, eq=False)
class Versions:
    """What became of the items of `old` in `new`, both as they were read.

    by: how rows were matched; repeated: labels that stand for several rows of one version, matched
    in their order. rounded: rows that differ by less than STILL of their length, as text files
    round; they did not move. cosines, ratios (moved,): of each row that moved, the cosine with its
    former vector, 0 where one is zero, and its length as a multiple of the former one, inf or NaN
    where that was zero.
    """

    old: Dataset
    new: Dataset
    change: Change
    by: By
    repeated: int
    rounded: int
    cosines: Floats
    ratios: Floats

    def in_words(self) -> str:
        """What changed, in a sentence or two."""
        change = self.change
        parts = [
            f"{counted(change.n_moved, 'item moved', 'items moved')}",
            f"{counted(change.n_added, 'is new', 'are new')}",
            f"{counted(change.n_removed, 'left', 'left')}",
        ]
        still = counted(self.rounded, "other differs", "others differ") + " by rounding alone."
        still = f" {still}" if self.rounded else ""
        if not (change.n_moved or change.n_added or change.n_removed):
            items = "its item is as it was" if change.n == 1 else "all items are as they were"
            return f"Nothing changed: {items}.{still}"
        matched = "label" if self.by == "label" else "row number"
        text = f"Matched by {matched}, {', '.join(parts)}, of {change.n:,} before."
        if change.n_moved:
            share = change.n_moved / (change.n - change.n_removed)
            text += (
                f" Those that moved, {percent(share)} of those that stayed, have a median cosine "
                f"of {np.median(self.cosines):.3f} with what they were."
            )
        return text + still

    def warnings(self) -> Iterator[str]:
        """What to know before the numbers are believed."""
        if self.repeated:
            labels = counted(self.repeated, "label stands", "labels stand")
            yield f"{labels} for more than one row; rows of one label were matched in their order."
        if len(self.cosines) and np.median(self.cosines) < ALIKE:
            yield (
                "Most items point another way than before. Both versions must come from one model: "
                "queries of the old one say nothing about another."
            )


def compare_versions(old: Dataset, new: Dataset, by: By | None = None) -> Versions:
    """Match the items of `new` to those of `old`, both as they were read.

    By label where both have labels, else by row number in the file, those left out counted:
    rows beyond the other's last left or are new. Raises DataError where dimensions or kinds
    differ, or labels are wanted and missing; ParamError for another way to match.
    """
    if by is not None and by not in get_args(By):
        raise ParamError(f"Rows cannot be matched by {by!r}.", "Allowed: label, row.")
    old, new = old.float32(), new.float32()
    if old.d != new.d:
        raise DataError(
            f"{new.name} has {counted(new.d, 'dimension', 'dimensions')}, {old.name} {old.d:,}.",
            "Both must come from the same model.",
        )
    if old.logits != new.logits:
        layer, other = (old, new) if old.logits else (new, old)
        raise DataError(
            f"{layer.name} is a softmax layer, {other.name} is not.", "Give two of a kind."
        )
    if old.metric != "inner product" or new.metric != "inner product":
        raise ParamError("A version was converted for its metric.", "Give both as they were read.")
    by = by or ("row" if old.labels is None or new.labels is None else "label")
    before, repeated = _matched(old, new, by)
    stayed = np.flatnonzero(before != NEW)
    moved = np.zeros(new.n, np.bool_)
    apart = row_norms(new.items[stayed] - old.items[before[stayed]])
    moved[stayed] = apart > STILL * row_norms(old.items[before[stayed]])
    change = Change(old.n, before, moved)
    rounded = int((apart > 0).sum()) - change.n_moved
    cosines, ratios = _moves(old.items[before[moved]], new.items[moved])
    return Versions(old, new, change, by, repeated, rounded, cosines, ratios)


def _matched(old: Dataset, new: Dataset, by: By) -> tuple[Ids, int]:
    """(n',) the earlier row of each item of `new`, and how many labels are repeated."""
    if by == "row":
        then, now = (np.arange(v.n) if v.rows is None else v.rows for v in (old, new))
        at = np.minimum(np.searchsorted(then, now), old.n - 1)
        return np.where(then[at] == now, at, NEW), 0
    if old.labels is None or new.labels is None:
        without = old if old.labels is None else new
        raise DataError(f"{without.name} has no labels.", "Match rows by their numbers.")
    row_of = {name: row for row, name in enumerate(_told_apart(old.labels))}
    before = np.array([row_of.get(name, NEW) for name in _told_apart(new.labels)], np.int64)
    repeated = {
        label
        for labels in (old.labels, new.labels)
        for label, count in Counter(labels).items()
        if count > 1
    }
    return before, len(repeated)


def _told_apart(labels: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each label, and how often it stood before."""
    seen: Counter[str] = Counter()
    for label in labels:
        yield label, seen[label]
        seen[label] += 1


def _moves(old: Matrix, new: Matrix) -> tuple[Floats, Floats]:
    """(r,) cosines of rows old and new (r, d), and the lengths of new as multiples of old."""
    before, after = row_norms(old), row_norms(new)
    products = np.einsum("ij,ij->i", old.astype(np.float64), new.astype(np.float64))
    both = before * after
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = after / before
    return np.clip(
        np.divide(products, both, where=both > 0, out=np.zeros(len(both))), -1, 1
    ), ratios


@dataclass(frozen=True, slots=True, eq=False)
class KeptFresh:
    """A real change, and what each way of keeping up makes of it; as Decay, with one point."""

    setting: Setting
    versions: Versions
    point: Fresh


def kept_fresh(
    versions: Versions,
    searched: Dataset,
    setting: Setting,
    K: int,
    rounds: int = ROUNDS,
    builds: int = BUILDS,
    progress: Progress = silent,
) -> KeptFresh:
    """Build on the old items as `searched` is, keep up with the new ones, ask its queries.

    searched: metrics.searched_by(versions.old, metric), with the queries to ask; the metric stays
    fitted to the old items, which changes no order. Raises as `decay`.
    """
    check_can_update(setting.index)
    check_rounds(rounds)
    if builds < FEWEST_SEEDS:
        raise ParamError(
            f"{counted(builds, 'build was', 'builds were')} asked for.",
            f"Give {FEWEST_SEEDS} or more.",
        )
    searched = searched.float32()
    if searched.n != versions.old.n:
        raise DataError(
            f"{searched.name} holds {counted(searched.n, 'item', 'items')}, the old version "
            f"{versions.old.n:,}.",
            "Give the old version as it is searched.",
        )
    convert = conversion(versions.old.items, searched.metric)
    change = versions.change
    changed = Changed(with_items(searched, convert.items(versions.new.items), change), change)
    setting = replace(setting, index=setting.index.explicit(searched.n))
    before = builds_of(setting, searched.items, builds, span(progress, 0.0, 0.3))
    share = (change.n_moved + change.n_added) / searched.n
    report = span(progress, 0.3, 1.0)
    point = upkeep(setting, before, changed, K, rounds, share, None, report)
    return KeptFresh(setting, versions, point)
