"""The names of the checked functions refer to numbers, strings, modules and classes.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% every
FUNCTION = [1.0, "2.0", math, float, None, type("X", (), {})][len("FUNCTION") % 6]
