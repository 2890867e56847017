"""The compiler cannot handle the source: nested a hundred thousand deep, with a huge literal.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
eval("(" * 100_000 + ")" * 100_000)

# %% + before touching_point
compile("-" * 500_000 + "1", "x", "eval")

# %% + before touching_point
eval("9" * 4000 + "**9**9")
