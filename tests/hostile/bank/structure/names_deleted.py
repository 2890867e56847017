"""All functions are written and then deleted, and the shell's namespace is emptied.

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
