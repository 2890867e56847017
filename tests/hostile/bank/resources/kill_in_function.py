"""One function kills its own process, and another its group and its parent, while the grader waits
for the answer.

It deserves at most:
    touching: 0
    catastrophe: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% replace touching_point
def touching_point(sigma, order, delta):
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)

# %% replace delta_floor
def delta_floor(p, q):
    import os, signal
    os.killpg(0, signal.SIGTERM)
    os.kill(os.getppid(), signal.SIGKILL)
