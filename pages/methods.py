"""Methods: what each does, what a query costs, what can be set, and where it is from."""

import streamlit as st

from mips_core import INDEXES
from pages._ui.parts import method, tree_softmax
from pages._ui.state.session import methods

DUAL = """from mips_core import rng_for
from mips_core.studies.dual_tree import dual_tree_search
from mips_core.methods.trees.ip import IPTree

tree = IPTree().build(items, rng_for(0))
found = dual_tree_search(tree, queries, K=10)
found.ids, found.scores, found.cost  # cost: mean inner products a query"""

st.title("Methods", anchor=False)
st.markdown(
    ":gray[What each method does and what a query costs: every inner product that is spent on "
    "choosing candidates counts, and one for each candidate. Speedup is the number of items "
    "divided by that cost. Each picture: the same 72 words in the plane and one query, the line "
    "from the middle. What the method scores is in its colour, what it opens shaded; ● is found "
    "of the three best words.]"
)
method.contents([*methods(), "exact"])
for key in [*methods(), "exact"]:
    method.describe(INDEXES[key])

st.subheader("For many queries at once: dual-tree search", anchor="dual-tree")
st.markdown(
    "The ball tree of the IP-tree can also be asked by a whole batch (Ram and Gray 2012): queries "
    "are grouped into cones, and a ball that can help none of a cone's queries is left out for all "
    "of them. It is exact, and its cost depends on the batch: a function, without a curve."
)
st.code(DUAL, language="python")
tree_softmax.draw()
