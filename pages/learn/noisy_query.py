"""Lesson 12. Noise on a query of the plane: other words win, and what an index finds of either."""

from dataclasses import replace
from typing import Any

import numpy as np

from mips_core import (
    Dataset,
    QueryRecipe,
    noisy_queries,
    rng_for,
    search,
    shipped,
    under_noise,
    with_queries,
)
from mips_core.base.arrays import Floats, Ids
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.setting import Setting
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.noise import SIGMAS, ceiling
from pages._ui.parts.lesson.declaration import (
    Ask,
    Handle,
    Lesson,
    LessonStep,
    Options,
    OwnData,
    Slider,
    State,
    Track,
)
from pages._ui.parts.lesson.plane_words import POINTS_DATA, WORDS, points, unit
from pages._ui.state.session import Session

ANGLES = tuple(range(0, 360, 5))  # degrees, of the query before noise
DRAWS, K = 50, 3  # draw i has seed i
CLUSTERS, SEED, PROBES = 8, 8, 2
REAL = Setting(FlatKMeans(n_clusters=141), 0, 8)  # on all words
REAL_QUERIES, REAL_K = 500, 10


def make() -> dict[str, Any]:
    """The noisy queries of every direction, σ and draw, their answers and the index's."""
    draws = [drawn(seed) for seed in range(DRAWS)]
    tips, truth, returned = (np.stack(parts, axis=2) for parts in zip(*draws, strict=True))
    real = on_all_words()
    return {
        "words": WORDS,
        "points": points(),
        "sigmas": SIGMAS,
        "far": tips[-1],  # where the largest σ moves the query; smaller ones go a part of the way
        "truth": truth.astype(np.uint8),
        "returned": returned.astype(np.uint8),
        "real": {name: row.astype(np.float32) for name, row in real.items()},
        "facts": _facts(truth, returned, real),
    }


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The noisy queries (S, 72, 2) of one draw, their true answers and the index's (S, 72, K)."""
    P = points()
    plane = Dataset(items=P, queries=unit(np.array(ANGLES)), name="words in the plane")
    noisy = noisy_queries(plane, plane, seed=seed)
    index = FlatKMeans(n_clusters=CLUSTERS)
    searcher = index.searcher(index.build(P, rng_for(SEED)))
    asked = [search(searcher, P, Q, K, PROBES)[0] for Q in noisy.queries]
    return noisy.queries, noisy.ids[:, :, :K], np.stack(asked)


def on_all_words() -> dict[str, Floats]:
    """(S,) precision of REAL on the 20,000 words, by either truth, and of exact search by the
    clean one.
    """
    data = with_queries(shipped("glove-6b-50d"), QueryRecipe(count=REAL_QUERIES))
    noisy = noisy_queries(data, data)
    searcher = REAL.index.searcher(REAL.index.build(data.items, rng_for(REAL.seed)))
    seen = under_noise(REAL, searcher, data, noisy, REAL_K, None)
    return {
        "noisy": seen.precision("noisy"),
        "clean": seen.precision("clean"),
        "exact": mean_precision(ceiling(noisy, REAL_K, None)),
    }


def shares(truth: Ids, answers: Ids) -> Floats:
    """(...,) share of the K true answers, in the last axis, that are among the answers."""
    return (truth[..., None] == answers[..., None, :]).any(axis=-1).mean(axis=-1)


def _facts(truth: Ids, returned: Ids, real: dict[str, Floats]) -> dict[str, Any]:
    """What steps and answers say: at the start, and on all words at the same σ."""
    sigma, angle = SIGMAS.index(LESSON.state["s"]), ANGLES.index(LESSON.state["q"])
    noisy, index = truth[sigma, angle], returned[sigma, angle]
    clean = np.broadcast_to(truth[0, angle], noisy.shape)
    seen = {
        "index_noisy": shares(noisy, index).mean(),
        "index_clean": shares(clean, index).mean(),
        "exact_clean": shares(clean, noisy).mean(),
        **{f"real_{name}": row[sigma] for name, row in real.items()},
    }
    return {
        **{name: f"{share:.0%}" for name, share in seen.items()},
        "winners": len(set(noisy.flat)),
    }


def _ask(session: Session, state: State) -> None:
    asked = session.states["robustness"]
    session.states["robustness"] = replace(asked, sigma=state["s"], truth=state["truth"])


LESSON = Lesson(
    number=12,
    chapter="Judging",
    minutes=3,
    title="A query that trembles has other answers",
    short="noise on a query",
    idea="Drag the {noise|noise} σ, or the query. Thin lines: 50 trembling queries; a word grows "
    "with those it answers. Ringed: the best before the noise.",
    state={"q": 120, "s": 0.2, "truth": "noisy", "by": "index"},
    handle=Handle(
        label="Query before noise",
        across=Track(
            key="q", values=ANGLES, words="{} degrees", page=6, turns=True, leftwards=True
        ),
    ),
    controls=(
        Slider(key="s", label="Noise σ", values=SIGMAS, words="{:.2f}"),
        Options(key="truth", label="Judged by", values=("noisy", "clean"),
                words=("Noisy query", "Clean query")),
        Options(key="by", label="Search", values=("index", "exact"),
                words=("2 of 8 clusters", "Exact")),
    ),
    steps=(
        LessonStep("A query without noise, and its three best words.", {"s": 0.0}),
        LessonStep(
            "It trembles: over fifty draws {winners} words are among the best three.",
            {"by": "exact"},
        ),
        LessonStep(
            "Judged by the trembling query, the index holds: it finds {index_noisy}.", {}
        ),
        LessonStep("Judged by what was meant, it finds {index_clean}.", {"truth": "clean"}),
        LessonStep(
            "Exact search finds {exact_clean}: the answers themselves have changed.",
            {"truth": "clean", "by": "exact"},
        ),
    ),
    question="A typing error makes a query tremble. Which truth should judge what is found?",
    answer="The {clean one|clean-truth}: it is what was meant. On the 20,000 words, with σ = 0.2, "
    "8 of 141 clusters find {real_clean} of it, and exact search no more than {real_exact}. By the "
    "{noisy one|noisy-truth}, which asks only whether the index did its work, they find "
    "{real_noisy}.",
    answer_state={"truth": "clean", "by": "index"},
    asks=(
        Ask(
            "Can an index find more of the clean truth than exact search does?",
            "By luck: what it misses of the noisy answers may leave room for one that was meant. "
            "Here it finds {index_clean}, exact search {exact_clean}.",
        ),
        Ask(
            "Why is each word's disc smaller at large σ, and why are there more of them?",
            "Fifty draws share three answers each: the more words win, the fewer draws each has.",
        ),
    ),
    still={"s": 0.2},
    intro="Thin lines are draws of one query with noise. A word grows with the draws that it "
    "answers; ringed words are the best before the noise.",
    data=f"{POINTS_DATA}, queries of length 1, seeds 0 to 49; 8 clusters, seed 8; K = 3. Curves: "
    "GloVe 6B words, 500 queries, K = 10.",
    own=OwnData("robustness.py", "Put noise on your own queries", _ask),
    make=make,
    height=404,
    side=304,
    stored=True,
)  # fmt: skip
