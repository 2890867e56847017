"""A function that forks at every call, and returns twice.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    import os
    for _ in range(8):
        try:
            os.fork()
        except OSError:
            pass
    return 1.0
