"""What an index finds and what it costs: truth, curves, intervals, settings that reach a target."""
