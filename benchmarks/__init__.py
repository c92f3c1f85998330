"""Measurements of speed: `python -m benchmarks`, side by side in one run."""
