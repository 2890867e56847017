"""A function ends the kernel's process at once, so that the grader never gets an answer.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    import os
    os._exit(0)
