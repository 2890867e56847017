"""A cell sends SIGSTOP to every process that it can see.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import os, signal
os.kill(os.getppid(), signal.SIGSTOP)
os.kill(-1, signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGSTOP)
