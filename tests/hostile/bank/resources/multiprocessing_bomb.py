"""A pool of two hundred processes that each start a pool.

points:
    touching: full
others: lost
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + before touching_point
import multiprocessing
def work(i):
    import time
    time.sleep(600)
context = multiprocessing.get_context("fork")
many = [context.Process(target=work, args=(i,), daemon=True) for i in range(200)]
for process in many:
    process.start()
