"""Groups of items and pictures of them: clusters, layouts of a map, and queries that are typed."""
