"""What is asked of methods: noise, tuning, comparison, misses, drift, growth, the clock, kept runs."""
