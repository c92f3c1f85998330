"""Lines of text: words and numbers, one vector a line."""
