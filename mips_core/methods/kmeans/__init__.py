"""Spherical k-means: flat, hierarchical, several at once, behind a norm head, and top-down."""
