"""A function kills its own process group, also on hidden cases.

points:
    touching: 0
    catastrophe: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% touching_point
def touching_point(sigma, order, delta):
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)

# %% delta_floor
def delta_floor(p, q):
    import os, signal
    os.killpg(0, signal.SIGTERM)
    os.kill(os.getppid(), signal.SIGKILL)
