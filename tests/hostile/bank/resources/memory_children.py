"""A cell forks up to twenty processes that take 200 MB each, so that none of them reaches the limit
on memory, but all of them together exceed it.

It deserves at most:
    touching: 0
Other items may lose points.
"""

raise SystemExit("made for the sandbox: never run this file")

# %% insert a cell before touching_point
import os, time
for _ in range(20):
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        try:
            x = bytearray(200_000_000)
            for i in range(0, len(x), 4096):
                x[i] = 1
            time.sleep(600)
        finally:
            os._exit(0)
time.sleep(1)
print("attack", "ran")

# %% replace touching_point
def touching_point(sigma, order, delta):
    return 1.0
