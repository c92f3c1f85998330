"""What is asked of methods: noise, tuning, comparison, misses, drift, growth, wall clock, runs."""
