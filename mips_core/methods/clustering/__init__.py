"""Spherical k-means (Auvolat et al. 2015, Algorithm 1), the same bits on every processor.

On all rows (`rounds`), or first on samples that grow (`growing`). Rows keep their length, as in
Algorithm 1. Sums are int64 fixed point, so their order cannot matter; where two clusters come
within rounding of each other, they are scored again in float64 (`nearest`).
"""
