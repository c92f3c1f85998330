"""Seeds of tables of text: as pandas, R, spreadsheets and people write them."""

import io

import pandas as pd

from benchmarks.fuzz.seeds import Seed, refused, seed, seeds_for
from benchmarks.fuzz.seeds_text import LABELS, ROWS, lines


def frame(**more: object) -> pd.DataFrame:
    """Six rows of four numbers, and more columns before them."""
    numbers = {f"x{j}": [row[j] for row in ROWS] for j in range(4)}
    return pd.DataFrame({**more, **numbers})


def csv(table: pd.DataFrame, **how: object) -> str:
    """What pandas writes."""
    out = io.StringIO()
    table.to_csv(out, **how)  # type: ignore[call-overload]
    return out.getvalue()


@seeds_for("table")
def table_seeds() -> list[Seed]:
    """Header, index, labels, quotes, decimal commas, lists in cells, R's layout, blank tails."""
    named, plain = frame(id=range(6), title=LABELS, genre=["x", "y"] * 3), frame()
    lists = pd.DataFrame({"title": LABELS, "embedding": ROWS})
    blanks = pd.DataFrame({"title": LABELS, "v": [f"[{' '.join(map(str, r))}]" for r in ROWS]})
    texts = [csv(plain), csv(plain, index=False), csv(named, index=False),
             csv(named, sep=";", decimal=",", index=False), csv(plain, header=False, index=False),
             csv(named, index=False, quoting=1), csv(lists, index=False), csv(blanks, index=False),
             csv(named, index=False, lineterminator="\r\n"), "\ufeff" + csv(named, index=False),
             csv(named, index=False, lineterminator="\r"), csv(plain, index=False) + ",,,\n,,,\n",
             "\n".join(line + "," for line in csv(plain, index=False).splitlines()),
             '"x1","x2"\n"r1",1.5,2\n"r2",2.5,1\n"r3",0.5,1\n', "x,y\n1e3,2\n-1.5e-3,4\n",
             "a,b\n1,2\n", "1.5,2\n",
             csv(named, index=False).replace("d e", '"d ""\ne"')]  # fmt: skip
    found = [seed("t.csv", text) for text in texts]
    found += [seed("t.tsv", lines(cut="\t")), seed("t.tsv", lines(LABELS, cut="\t", end="\t\n")),
              seed("t.tsv", csv(named, sep="\t", index=False)),
              seed("t.csv", csv(named, index=False).encode("utf-16")),
              seed("bars.txt", csv(named, sep="|", index=False))]  # fmt: skip
    left = ["x,y\n", "a,b\nc,d\n", "x,y\n1,\n2,3\n", "x,y\n1,nan\n2,3\n",
            '"v"\n"[1 2 ... 3]"\n', "a,b\n[1],[2]\n[3],[4]\n", "x,y\n1,2\n1,2,3\n", '"x,y\n1,2\n',
            "x,y\n0,0\n0,0\n"]  # fmt: skip
    return [*found, *(refused("t.csv", text) for text in left)]
