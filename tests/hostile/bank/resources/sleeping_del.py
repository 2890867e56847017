"""A cell makes objects that sleep for ten minutes when Python deletes them, and an exit handler and
a thread that delay the kernel's end as long.

It deserves at most:
    touching: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import atexit, threading, time
class Sleeper:
    def __del__(self): time.sleep(600)
keep = [Sleeper() for _ in range(10)]
atexit.register(time.sleep, 600)
threading.Thread(target=time.sleep, args=(600,), daemon=False).start()
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
