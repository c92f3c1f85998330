"""What methods are measured against: exact search, and the items of largest norm."""
