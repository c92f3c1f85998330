"""Every method of search, its reduction and its clustering. It knows no data set."""
