"""A cell catches every exception and ignores every signal that it can.

points:
    touching: full
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
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
