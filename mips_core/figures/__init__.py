"""Curves drawn: the only core package that may know of plotly."""
