"""Which clusters a query opens: by inner product descending, lower number on ties, everywhere.

The curve needs all clusters in order (`order`), a search only the first few (`first`).
"""
