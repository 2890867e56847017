"""A function never returns, not even in visible cases, to keep the grader waiting.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    while True:
        pass
