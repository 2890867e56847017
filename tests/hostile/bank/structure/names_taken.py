"""The names of the functions that students must write stand for numbers, strings, modules and
classes, to make the grader fail when it calls them.

It deserves at most:
    every item: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace every solution cell
FUNCTION = [1.0, "2.0", math, float, None, type("X", (), {})][len("FUNCTION") % 6]
