"""Three cells give Python code that it cannot compile or compute: 100,000 nested brackets, 500,000
minus signs, and a gigantic power.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
eval("(" * 100_000 + ")" * 100_000)

# %% insert a cell before touching_point
compile("-" * 500_000 + "1", "x", "eval")

# %% insert a cell before touching_point
eval("9" * 4000 + "**9**9")
