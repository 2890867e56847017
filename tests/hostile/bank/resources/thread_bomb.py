"""The submission starts ten thousand threads that never end.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import threading, time
for _ in range(10_000):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
