"""Added cells delete correct functions and clear IPython's namespace, so that the grader finds no
functions or crashes.

It deserves at most:
    touching: 0
    catastrophe: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after touching_point
del touching_point
get_ipython().user_ns.pop("delta_floor", None)

# %% insert a cell after delta_floor
get_ipython().user_ns.clear()
get_ipython().user_ns = {}
