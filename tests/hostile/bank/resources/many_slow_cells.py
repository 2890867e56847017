"""After each solution cell, a cell sleeps for 2.5 seconds, the longest time that the tests allow
for a cell. So the grader must also limit the time of the whole submission.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell after every solution cell
import time
time.sleep(2.5)

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
