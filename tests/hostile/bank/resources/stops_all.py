"""A cell pauses all processes that it can see, and its own, by the signal SIGSTOP, so that the
grader would wait forever.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os, signal
os.kill(os.getppid(), signal.SIGSTOP)
os.kill(-1, signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGSTOP)
