"""The public names as editors and type checkers see them; __init__ says when each is imported."""

from mips_core.base.errors import Cancelled, DataError, MipsError, ParamError
from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import searched_by
from mips_core.data.open_files import Opened, open_files
from mips_core.data.ratings import RatingChoices, Ratings, read_ratings
from mips_core.data.ratings.factored import Factored, factored
from mips_core.data.readers import Choices, read
from mips_core.evaluation.curve import Curve, frontier
from mips_core.evaluation.evaluate import Evaluation, compare, evaluate
from mips_core.evaluation.setting import Setting
from mips_core.evaluation.truth import Truth, truth_of
from mips_core.groups.clusters import GroupLevel, Moved, describe, moved, outlines_of
from mips_core.groups.projection import Layout, ProjectionRecipe, project, trustworthiness
from mips_core.methods.exact import exact_top_k
from mips_core.methods.indexes import (
    INDEXES,
    Candidates,
    Index,
    ListSearcher,
    NestedSearcher,
    Searcher,
    Step,
)
from mips_core.methods.reductions import PadToSphere, PaperAugment, Plain, Reduction
from mips_core.methods.search import search
from mips_core.report import Report, report_of
from mips_core.serving.faiss_export import faiss_file, faiss_index, faiss_snippet
from mips_core.serving.fast_search import Retriever, retriever_of
from mips_core.serving.store import StoredIndex, load, save, stored_index
from mips_core.studies.comparison import (
    Compared,
    Difference,
    compare_at_precision,
    compare_at_speedup,
)
from mips_core.studies.drift import (
    Decay,
    KeptFresh,
    Updated,
    Versions,
    change_of,
    compare_versions,
    decay,
    kept_fresh,
    refreshed,
    updated,
)
from mips_core.studies.growth import Scaling, measure_scaling
from mips_core.studies.misses import Health, answer_counts, health, times_missed
from mips_core.studies.misses.diagnosis import Diagnosis, Examined, diagnose, examine
from mips_core.studies.misses.following import FollowedSearch, follow, walk
from mips_core.studies.noise import NoisyQueries, UnderNoise, noisy_queries, under_noise
from mips_core.studies.runs import (
    Run,
    RunsCompared,
    difference_of,
    measure_runs,
    read_runs,
    save_runs,
)
from mips_core.studies.tuning import (
    Budget,
    Need,
    Tried,
    Tuned,
    Within,
    cheapest,
    most_precise,
    tune,
)
from mips_core.studies.wall_clock import Clock

__all__ = [
    "INDEXES",
    "Budget",
    "Cancelled",
    "Candidates",
    "Choices",
    "Clock",
    "Compared",
    "Curve",
    "DataError",
    "Dataset",
    "Decay",
    "Diagnosis",
    "Difference",
    "Evaluation",
    "Examined",
    "Factored",
    "FollowedSearch",
    "GroupLevel",
    "Health",
    "Index",
    "KeptFresh",
    "Layout",
    "ListSearcher",
    "MipsError",
    "Moved",
    "Need",
    "NestedSearcher",
    "NoisyQueries",
    "Opened",
    "PadToSphere",
    "PaperAugment",
    "ParamError",
    "Plain",
    "ProjectionRecipe",
    "RatingChoices",
    "Ratings",
    "Reduction",
    "Report",
    "Retriever",
    "Run",
    "RunsCompared",
    "Scaling",
    "Searcher",
    "Setting",
    "Step",
    "StoredIndex",
    "Tried",
    "Truth",
    "Tuned",
    "UnderNoise",
    "Updated",
    "Versions",
    "Within",
    "answer_counts",
    "change_of",
    "cheapest",
    "compare",
    "compare_at_precision",
    "compare_at_speedup",
    "compare_versions",
    "decay",
    "describe",
    "diagnose",
    "difference_of",
    "evaluate",
    "exact_top_k",
    "examine",
    "factored",
    "faiss_file",
    "faiss_index",
    "faiss_snippet",
    "follow",
    "frontier",
    "health",
    "kept_fresh",
    "load",
    "measure_runs",
    "measure_scaling",
    "most_precise",
    "moved",
    "noisy_queries",
    "open_files",
    "outlines_of",
    "project",
    "read",
    "read_ratings",
    "read_runs",
    "refreshed",
    "report_of",
    "retriever_of",
    "rng_for",
    "save",
    "save_runs",
    "search",
    "searched_by",
    "stored_index",
    "times_missed",
    "trustworthiness",
    "truth_of",
    "tune",
    "under_noise",
    "updated",
    "walk",
]
