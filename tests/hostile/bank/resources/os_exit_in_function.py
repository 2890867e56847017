"""The kernel's process ends at once when a function is called.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    import os
    os._exit(0)
