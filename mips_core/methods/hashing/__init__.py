"""Hashing: SRP, WTA, L2-ALSH and Simple-LSH, over the same tables of buckets."""
