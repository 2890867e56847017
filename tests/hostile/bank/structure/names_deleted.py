"""The submission writes all functions, deletes them, and empties the shell's namespace.

points:
    touching: 0
    catastrophe: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + after touching_point
del touching_point
get_ipython().user_ns.pop("delta_floor", None)

# %% + after delta_floor
get_ipython().user_ns.clear()
get_ipython().user_ns = {}
