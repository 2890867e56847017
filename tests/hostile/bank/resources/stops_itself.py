"""The kernel stops itself by SIGSTOP, so that it exists but does not answer.

points:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    import os, signal
    os.kill(os.getpid(), signal.SIGSTOP)
    return 1.0
