"""A function pauses its own process by the signal SIGSTOP, so that the process exists but never
answers.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    import os, signal
    os.kill(os.getpid(), signal.SIGSTOP)
    return 1.0
