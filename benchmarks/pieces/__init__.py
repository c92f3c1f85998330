"""What is measured on a data set, a module for each kind of work."""
