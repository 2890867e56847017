"""A cell runs forever, catches every exception and handles every signal that it can, so that only
killing the process ends it.

It deserves at most:
    touching: all points
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import signal
for number in range(1, 65):
    try:
        signal.signal(number, lambda *args: None)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
