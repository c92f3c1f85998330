"""Trees: PCA-tree and IP-tree (ball tree)."""
