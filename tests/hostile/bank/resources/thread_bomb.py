"""A cell starts ten thousand threads that sleep for ten minutes, to use up the number of threads
that the machine allows.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import threading, time
for _ in range(10_000):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
