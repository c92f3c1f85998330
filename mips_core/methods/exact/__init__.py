"""Exact top-K, the ground truth: BLAS preselects in float32, float64 decides.

Scores of identical rows differ between BLAS tiles, so BLAS may only shortlist. Every item whose
float32 score comes within its error bound of the K-th best is scored again in float64, dimensions
summed in order, and ranked by (score descending, id ascending).
"""

from mips_core.methods.exact.prepared import PreparedItems, prepare
from mips_core.methods.exact.top_k import exact_top_k, exact_top_k_scores, merged
