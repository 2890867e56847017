"""Right: the instructor's answers."""
