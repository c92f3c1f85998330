"""How cost grows with items, dimensions, clusters and queries: `python -m benchmarks.growth`."""
