"""Right: nothing is changed."""
