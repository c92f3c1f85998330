"""The experiments of the paper, measured anew, and its claims judged (Auvolat et al. 2015)."""
