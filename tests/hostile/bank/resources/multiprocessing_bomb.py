"""A cell starts two hundred processes by the module multiprocessing, each of which sleeps for ten
minutes.

It deserves at most:
    touching: all points
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import multiprocessing
def work(i):
    import time
    time.sleep(600)
context = multiprocessing.get_context("fork")
many = [context.Process(target=work, args=(i,), daemon=True) for i in range(200)]
for process in many:
    process.start()
