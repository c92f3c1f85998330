"""Writes the files that CI reads again: `python -m benchmarks.fuzz.corpus [PARSER …]`.

Every seed, and the smallest mutant for each different thing that was said of one; each a file or,
where several are read together, a folder. `--faults FOLDER` adds those that a run has saved there.
Faults stay when this is run again; long ones are kept in gzip.
"""

import gzip
import re
import shutil
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks.fuzz.judge import judge
from benchmarks.fuzz.mutants import mutant
from benchmarks.fuzz.seeds import IN_CHILD, SEEDS, Files
from benchmarks.fuzz.workers import put

CORPUS = Path(__file__).parents[2] / "tests/mips_core/data/readers/corpus"
PACKED = (".gz", ".bz2", ".xz", ".zip", ".npz")
TRIED = 3_000
TRIED_IN_CHILD = 100
KEPT = 14
"""Most mutants kept for a parser; fewer where reading each starts a process."""

LARGEST, LARGEST_SEED = 2_500, 6_000
"""Bytes of a mutant and of a seed, so that all of them stay small."""


def size(files: Files) -> int:
    """Bytes of all of them."""
    return sum(len(content) for _, content in files)


def saying(text: str) -> str:
    """A refusal without its names and numbers: what kind of thing was said."""
    return re.sub(r"“[^”]*”|\d[\d,.]*|\S+\.\w+", "", text)[:80]


def telling(key: str) -> list[tuple[str, Files]]:
    """Seeds, and the smallest mutants that each came to something different."""
    seeds = SEEDS[key]()
    found: dict[str, tuple[int, Files]] = {}
    with TemporaryDirectory() as folder:
        for number in range(TRIED_IN_CHILD if key in IN_CHILD else TRIED):
            files, way = mutant(key, seeds, number)
            if size(files) > LARGEST:
                continue
            verdict = judge(put(files, Path(folder)), way)
            said = verdict.outcome + saying(verdict.what)
            if said not in found or size(files) < size(found[said][1]):
                found[said] = (number, files)
    mutants = sorted(found.values(), key=lambda one: size(one[1]))
    mutants = mutants[: KEPT // 2 if key in IN_CHILD else KEPT]
    short = [given for given in seeds if size(given.files) <= LARGEST_SEED]
    named = [(f"{'seed' if s.accepted else 'refused'}-{i}", s.files) for i, s in enumerate(short)]
    return [*named, *((f"mutant-{number}", files) for number, files in mutants)]


def write(key: str, cases: Sequence[tuple[str, Files]], folder: Path = CORPUS) -> None:
    """Put the cases of a parser in the place of its former ones, but for faults."""
    for old in (folder / key).glob("[!f]*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    (folder / key).mkdir(parents=True, exist_ok=True)
    for name, files in cases:
        write_case(folder / key, name, files)


def write_case(folder: Path, name: str, files: Files) -> None:
    """One case; a single file keeps what tells its format, several keep their names."""
    if len(files) == 1:
        ((own, content),) = files
        (folder / f"{name}{''.join(Path(own).suffixes)}").write_bytes(content)
    else:
        (folder / name).mkdir(exist_ok=True)
        put(files, folder / name)


def keep_faults(found: Path, folder: Path = CORPUS) -> None:
    """Add what a run saved as `found`/parser/fault-i/…, named by its content."""
    for case in sorted(found.glob("*/fault-*")):
        files = tuple(_short(path) for path in sorted(case.iterdir()))
        name = blake2b(b"\0".join(content for _, content in files), digest_size=4).hexdigest()
        (folder / case.parent.name).mkdir(parents=True, exist_ok=True)
        write_case(folder / case.parent.name, f"fault-{name}", files)


def _short(path: Path) -> tuple[str, bytes]:
    content = path.read_bytes()
    if len(content) <= LARGEST or path.suffix in PACKED:
        return path.name, content
    return f"{path.name}.gz", gzip.compress(content, mtime=0)


def cases_of(folder: Path) -> list[tuple[str, list[Path]]]:
    """(name, paths) of every case below `folder`: npy/seed-3.npy."""
    found = []
    for case in sorted(folder.glob("*/*")):
        paths = sorted(case.iterdir()) if case.is_dir() else [case]
        found.append((f"{case.parent.name}/{case.name}", paths))
    return found


@click.command(help=__doc__)
@click.argument("parsers", nargs=-1, type=click.Choice(list(SEEDS)))
@click.option("--faults", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(parsers: Sequence[str], faults: Path | None) -> None:
    """Write the corpus, or add faults to it, and print its size."""
    if faults is not None:
        keep_faults(faults)
    else:
        for key in parsers or SEEDS:
            write(key, telling(key))
    cases = cases_of(CORPUS)
    total = sum(path.stat().st_size for _, paths in cases for path in paths)
    print(f"{len(cases)} cases, {total / 1000:.0f} kB")


if __name__ == "__main__":
    main()
