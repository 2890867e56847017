"""A cell sends signals that end processes to its parent, its group, process 1 and every other
process, to end the grader.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os, signal
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
    for pid in (1, os.getppid(), 2, 3, 0, -1):
        try:
            if pid > 1 or pid < 1:
                os.kill(pid, number)
            else:
                os.kill(1, number)
        except OSError:
            pass
