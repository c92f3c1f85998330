"""A tree ("hierarchical") softmax beside the flat softmax it imitates: another model, no index.

Morin and Bengio 2005; Mnih and Hinton 2009. The flat softmax is p(x|q) = exp(t q.x) / sum. In the
tree every inner node decides between left and right, and a leaf's probability is the product of the
decisions above it: other probabilities, so other best items, however the tree is searched. An index
only proposes items; they keep the flat softmax's own scores.
"""

from mips_core.studies.tree_softmax.comparison import FlatComparison, compare_with_flat
from mips_core.studies.tree_softmax.fit import fit_tree_softmax
