"""Every process forks two more, without end.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
