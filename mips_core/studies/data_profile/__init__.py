"""What a person should know of a data set before searching it, as facts and in words."""
