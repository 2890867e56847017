"""Every cell sleeps for almost as long as a cell may.

points:
    touching: 0
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + after each
import time
time.sleep(2.5)

# %% touching_point
def touching_point(sigma, order, delta):
    return 1.0
