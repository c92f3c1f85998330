"""What is searched: data sets, however they come, and their queries. It knows no method."""
