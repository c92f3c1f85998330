"""Answers at speed: what `search.search_checked` answers, bit for bit, from rows laid out for it.

Float32 products and int8 codes only shortlist, within proven bounds; float64 decides.
"""

from mips_core.serving.fast_search.retriever import Retriever, retriever_of
