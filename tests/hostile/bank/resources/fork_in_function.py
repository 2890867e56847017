"""A function forks its process at each call, so that many copies of it answer the same question of
the grader.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    import os
    for _ in range(8):
        try:
            os.fork()
        except OSError:
            pass
    return 1.0
