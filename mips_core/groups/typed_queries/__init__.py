"""Queries that people type: the numbers of a vector, or labels added and subtracted."""

from mips_core.groups.typed_queries.sums import Sum, sum_of
from mips_core.groups.typed_queries.vectors import query_length, question_of_vector, vector_of_text
